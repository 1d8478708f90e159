"""KT708: on some frames a component has more or fewer values than instances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place, times
from kartatest.source import DocPath


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each component and kind of value, for the first frame on which it is so."""
    for component in ctx.definition.components:
        places: Mapping[str, DocPath] = {
            "template": (*component.at, "specDefinition", "podTemplateSpecPath"),
            "spec": (*component.at, "specDefinition", "podSpecPath"),
            "metadata": (*component.at, "specDefinition", "metadataPath"),
            "fragments": (*component.at, "specDefinition", "fragmentedPodSpecDefinition"),
            "scale": (*component.at, "scaleDefinition"),
        }
        done: set[str] = set()
        for frame in ctx.evidence.frames:
            found = next((c for c in frame.components if c.name == component.name), None)
            if found is None:
                continue
            instances = found.results.get("ids", 1) if component.instance_ids is not None else 1
            for kind, number in found.results.items():
                if kind == "ids" or kind in done or number == instances:
                    continue
                done.add(kind)
                yield Finding(
                    at=places.get(kind, component.at),
                    on_key=kind in {"fragments", "scale"},
                    message=f"{times(number, 'value')} for {times(instances, 'instance')} on {place(frame)}",
                    help="give exactly one value for each instance, null where there is none",
                )


RULE = Rule(
    code="KT708",
    name="misaligned-values",
    severity=Severity.ERROR,
    summary="On some frames a component has more or fewer values than instances.",
    why="They are paired by position; where the numbers differ, the component cannot be read.",
    source="the recordings; semantics 4.3",
    check=check,
)
