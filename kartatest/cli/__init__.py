"""The command `karta`: one module per subcommand, imported when it is called.

Exit codes: 0 fine, 1 findings or failed checks, 2 the call or its surroundings are wrong, 3 our own fault,
4 nothing was found to check. stdout carries the result, stderr everything else.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from kartatest import __version__
from kartatest.errors import KartaError, NothingFoundError

COMMANDS = {
    "lint": "Check definitions.",
    "matrix": "Show which releases of an operator have what a definition reads.",
    "explain": "Print the page of a rule.",
    "describe": "Show the tree of a workload: roles, replicas, requests, statuses.",
    "get": "List the workloads of a cluster: status, pods, GPUs, age.",
    "eval": "Run one jq expression on an object, as consumers would.",
    "replay": "Read recordings through a definition and print the state matrix.",
    "record": "Record a live workload, or a scenario in the lab.",
    "snapshot": "Write, check and compare the goldens of recordings.",
    "gang": "Show the pod groups that a scheduler would make, or its refusal.",
    "set": "Change the pods of a workload through its definition: scheduler, labels, images, requests.",
    "suspend": "Change a workload as its definition says that it is suspended.",
    "resume": "Change a workload as its definition says that it is resumed, or back to what it was.",
    "definitions": "List and show the built-in definitions, register definitions in a cluster.",
    "lab": "Run a real API server with real operators on this machine, without Docker.",
    "crds": "Fetch the CRDs of operator releases, compile them, list what is known.",
}
"""Name to one-line help, in the order of the help text. Each is kartatest/cli/<name>.py with a value `command`."""


class _Commands(click.Group):
    """A group that imports a subcommand's module only when that subcommand is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"kartatest.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"no such command {args[0]!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 findings, 2 wrong call or surroundings, 3 a fault of karta, 4 nothing to check.",
)
@click.version_option(__version__, prog_name="karta")
def group() -> None:
    """Author definitions of Kubernetes workload types and test them like code.

    Example: karta lint catalog/
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run karta with these arguments (default: the process's) and return the exit code."""
    try:
        result = group.main(args=None if argv is None else list(argv), prog_name="karta", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 128 + signal.SIGINT
    except NothingFoundError as error:
        click.echo(f"karta: {error}", err=True)
        return 4
    except KartaError as error:
        click.echo(f"karta: {error}", err=True)
        return 2
    except BrokenPipeError:
        # The reader went away (karta ... | head): not a fault. Keep the interpreter from flushing into it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo("karta: this is a fault of karta itself; please report it with the lines above", err=True)
        return 3
    return result if isinstance(result, int) else 0
