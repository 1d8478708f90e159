"""`karta explain`: the page of a rule, or the list of all."""

from __future__ import annotations

import click


@click.command(epilog="Example: karta explain KT103")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Print the page of a rule, named by code (KT103) or name (unknown-owner); without one, list all rules."""
    from kartatest.lint.docs import index_text

    if code is not None:
        return page(code)
    click.echo(index_text(), nl=False)
    return 0


def page(word: str) -> int:
    """Print the page of the one rule that a code or name means."""
    from kartatest.errors import UsageError
    from kartatest.lint.docs import page_text
    from kartatest.lint.rules import RULES
    from kartatest.lint.select import codes

    found = codes(word)
    if len(found) > 1:
        raise UsageError(f"{word!r} names {len(found)} rules; give one code, such as {found[0]}")
    click.echo(page_text(next(r for r in RULES if r.code == found[0])), nl=False)
    return 0
