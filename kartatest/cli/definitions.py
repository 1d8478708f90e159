"""karta definitions: what the catalog holds, and what a cluster knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from kartatest.cli import access, terminal
from kartatest.errors import FileError, NothingFoundError
from kartatest.source import Json, JsonObject


@click.group("definitions")
def command() -> None:
    """List and show built-in definitions, and register definitions in a cluster.

    Example: karta definitions register catalog/ --dry-run
    """


@command.command(
    "list",
    short_help="List the built-in definitions, and which of them a cluster has.",
    epilog="Example: karta definitions list --cluster",
)
@click.option(
    "--cluster", "live", is_flag=True, help="Those that are registered in a cluster, beside the built-in ones."
)
@access.options
@click.option("-o", "--output", type=click.Choice(["table", "json"]), default="table", show_default=True)
def list_(
    *, live: bool, kubeconfig: Path | None, context: str, namespace: str, request_timeout: str, output: str
) -> int:
    """List the built-in definitions by kind; with --cluster, say which of them it has, and if they are alike."""
    from kartatest import catalog

    known: dict[str, JsonObject] | None = None
    if live:
        from kartatest.cluster.register import registered

        cluster, _ = access.connect(access.access(kubeconfig, context, namespace, request_timeout))
        known = {obj["metadata"]["name"]: obj for obj in registered(cluster)}
    rows = list(_rows(catalog.names(), known))
    if output == "json":
        terminal.write_json(rows)
        return 0
    heads = ["NAME", "KIND", *(["CLUSTER"] if live else [])]
    cells = [heads, *([row["name"], row["kind"], *([row["cluster"]] if live else [])] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]
    for row in cells:
        click.echo("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
    return 0


def _rows(names: Sequence[str], known: dict[str, JsonObject] | None) -> Iterator[dict[str, Json]]:
    from kartatest import catalog
    from kartatest.definition.model import Gvk

    for name in names:
        loaded = catalog.by_name(name)
        kind = loaded.definition.root.kind if loaded else None
        row: dict[str, Json] = {"name": name, "kind": str(kind or "-"), "builtin": True}
        if known is not None:
            row["cluster"] = _compared(name, known.get(name))
        yield row
    for name, obj in (known or {}).items():
        if name not in names:
            spec = obj.get("spec", {}).get("structureDefinition", {}).get("rootComponent", {}).get("kind", {})
            kind = Gvk(*(str(spec.get(key, "")) for key in ("group", "version", "kind")))
            yield {"name": name, "kind": str(kind), "builtin": False, "cluster": "only there"}


def _compared(name: str, there: JsonObject | None) -> str:
    """In words, how the cluster's definition of that name stands to the built-in one."""
    from kartatest.cluster.register import differences

    if there is None:
        return "-"
    ours = _documents(_builtin(name))[0]
    return "other" if next(differences(ours.get("spec"), there.get("spec")), None) else "same"


def _builtin(name: str) -> Path:
    from kartatest.data import folder

    return folder("catalog") / f"{name}.yaml"


@command.command(
    "show",
    short_help="Print a built-in definition as it is written.",
    epilog="Example: karta definitions show jobset > mine.yaml",
)
@click.argument("name", metavar="NAME|TYPE")
def show(*, name: str) -> int:
    """Print a built-in definition as it is written, comments and all."""
    from kartatest import catalog

    found = catalog.named(name)
    if not found:
        from kartatest.definition.model import Gvk

        raise catalog.absent(Gvk("", "", name))
    for other in found[1:]:
        click.echo(f"karta: {name} is also {other.definition.name}", err=True)
    terminal.write(_builtin(found[0].definition.name).read_text("utf-8"))
    return 0


@command.command(
    "register",
    short_help="Apply our CRD and definitions to a cluster.",
    epilog="Example: karta definitions register mydef.yaml --context staging --dry-run",
)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(path_type=Path, exists=True))
@access.options
@click.option("--dry-run", is_flag=True, help="Ask the server, change nothing.")
@click.option("--force", is_flag=True, help="Take over fields that another manager applied.")
def register_(
    *,
    paths: tuple[Path, ...],
    kubeconfig: Path | None,
    context: str,
    namespace: str,
    request_timeout: str,
    dry_run: bool,
    force: bool,
) -> int:
    """Apply our CRD and definitions to a cluster, and say what changed: those of PATH, else the whole catalog.

    A definition with a fault is not sent, nor is anything else then.
    """
    from kartatest import catalog
    from kartatest.cluster.register import register

    files = _files(paths) if paths else list(catalog.paths())
    objects = [obj for file in files for obj in _checked(file)]
    if not objects:
        raise NothingFoundError("there is no definition to register")
    cluster, _ = access.connect(access.access(kubeconfig, context, namespace, request_timeout))
    for applied in register(cluster, objects, dry_run=dry_run, force=force):
        detail = f" ({', '.join(applied.paths[:3])}{', ...' * (len(applied.paths) > 3)})" if applied.paths else ""
        dry = " (dry run)" if dry_run else ""
        click.echo(f"{applied.kind.lower()}/{applied.name} {applied.outcome}{detail}{dry}")
    return 0


def _files(paths: Sequence[Path]) -> list[Path]:
    from kartatest.lint.files import definition_files

    return list(definition_files(paths))


def _checked(file: Path) -> list[JsonObject]:
    """The definitions of a file as written. Raises FileError where one has a fault, with the first of them."""
    from kartatest.definition.load import load_file
    from kartatest.diagnostics import Severity

    loaded = load_file(file)
    faults = [d for d in loaded.diagnostics if d.severity is Severity.ERROR]
    if faults:
        line, column = faults[0].source.position(faults[0].span.start)
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        raise FileError(f"{file}:{line}:{column}: {faults[0].message}{more}; see karta lint {file}")
    return _documents(file)


def _documents(file: Path) -> list[JsonObject]:
    from kartatest.source import Source
    from kartatest.yamlpos import documents

    source = Source(str(file), file.read_text("utf-8"))
    found = (document.value for document in documents(source).documents)
    return [obj for obj in found if isinstance(obj, dict) and obj.get("kind") == "Karta"]
