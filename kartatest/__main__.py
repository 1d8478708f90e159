"""`python -m kartatest` is `karta`."""

from kartatest.cli import entry

if __name__ == "__main__":
    entry()
