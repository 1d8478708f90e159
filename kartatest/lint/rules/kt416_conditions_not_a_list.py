"""KT416: the path of conditionsDefinition gives the conditions one by one, or no list at all."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.errors import JqError
from kartatest.jq.parse import parse
from kartatest.jq.shape import Path, plain_path, result_type
from kartatest.lint.facts import parsed
from kartatest.lint.rule import Finding, Fix, LintContext, Rule
from kartatest.source import Span


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each path that ends in [] or whose results surely are no lists."""
    for expr, tree in parsed(ctx, Use.CONDITIONS):
        path = plain_path(tree)
        kind = result_type(tree)
        if path and path[-1] is None:
            target = _iterated(tree)
            last = Span(target.span.end, len(expr.text.rstrip()))
            yield Finding(
                at=expr.at,
                within=last,
                message="gives the conditions one by one; it must give the list",
                help="leave out the `[]`",
                fixes=(Fix(at=expr.at, within=last, replace=""),) if _is(expr.text[: last.start], path[:-1]) else (),
            )
        elif kind not in {None, "array", "null"}:
            yield Finding(
                at=expr.at,
                message=f"gives {'an' if kind == 'object' else 'a'} {kind}; it must give the list of conditions",
                help="name the list, such as `.status.conditions`",
            )


def _is(text: str, path: Path) -> bool:
    """Whether a text is an expression for that path."""
    try:
        return plain_path(parse(text)) == path
    except JqError:
        return False


def _iterated(tree: jq.Ast) -> jq.Ast:
    match tree:
        case jq.Try(body=body) | jq.Pipe(right=body):
            return _iterated(body)
        case jq.Iterate(target=target):
            return target
        case _:
            return tree


RULE = Rule(
    code="KT416",
    name="conditions-not-a-list",
    severity=Severity.ERROR,
    summary="The path of conditionsDefinition gives the conditions one by one, or no list at all.",
    why="It must give the list itself; anything else is an error, and no status is read.",
    source="semantics 6.1",
    check=check,
)
