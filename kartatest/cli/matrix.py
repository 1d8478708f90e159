"""karta matrix: definitions against every release of their operators."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kartatest.errors import NothingFoundError


@click.command("matrix", epilog="Example: karta matrix catalog/")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--crds", type=click.Path(exists=True, path_type=Path), multiple=True, metavar="DIR", help="Further CRDs."
)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(*, paths: tuple[Path, ...], crds: tuple[Path, ...], output: str) -> int:
    """Show which paths of a definition exist in which release of the operator, and what a release breaks.

    The types come with karta, from karta crds sync, and from --crds. The exit code is 1 when something does not
    resolve in the newest release.
    """
    from kartatest.definition.load import load
    from kartatest.diagnostics import Diagnostic, Severity
    from kartatest.lint.files import definition_files
    from kartatest.matrix import matrix
    from kartatest.report import releases
    from kartatest.report.text import finding
    from kartatest.schema.index import schemas
    from kartatest.yamlpos import read

    found, failed, definitions = [], False, 0
    for file in definition_files(paths):
        source = read(file)
        if isinstance(source, Diagnostic):
            click.echo(finding(source), err=True, nl=False)
            failed = True
            continue
        loaded = load(source)
        for diagnostic in loaded.diagnostics:
            if diagnostic.severity >= Severity.ERROR:
                click.echo(finding(diagnostic), err=True, nl=False)
                failed = True
        for item in loaded.items:
            definitions += 1
            kind = item.definition.root.kind
            known = schemas(kind, extra=crds) if kind is not None and kind.kind else ()
            if known:
                found.append(matrix(item.definition, known))
            else:
                click.echo(
                    f"karta: {file}: no release of {kind or 'its kind'} is known; give its CRD with --crds", err=True
                )
    if not found:
        what = "no definition" if not definitions else "no definition of a known kind"
        raise NothingFoundError(f"{what} in {', '.join(map(str, paths))}")
    if output == "json":
        import json

        sys.stdout.write(json.dumps(releases.data(found), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(releases.text(found))
    return int(failed or any(one.broken for one in found))
