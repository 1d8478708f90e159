"""docs/catalog.md is made of the catalog, its fixtures and docs/readings.yaml; `pytest --karta-update` writes both.

docs/readings.yaml holds what was recorded of real workloads beside what the catalog reads there. Its figures come from
the folder of real data, so they are checked and written only where that is present; each `why` is written by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.definition.model import Definition
from kartatest.matrix import matrix
from kartatest.schema.index import schemas
from tests import realdata
from tests.catalog.reading import NAMES, definition, our_flows, read

DOCS = Path(__file__).parents[2] / "docs"
READINGS = DOCS / "readings.yaml"
FLOWS = list(our_flows())
HEAD = """# The catalog at a glance

One row per kind; the name leads to the definition, whose comments give the reasons for its choices.
[What all of them have in common](guide/catalog.md) is on a page of its own.

- *roles*: the components that bear pods.
- *gang*: what its gang instructions ask to be scheduled together; "-" where pods are independent.
- *releases*: those of the operator whose CRD has every path that the definition reads.
- *evidence*: flows and frames in `fixtures/`; in brackets how many flows were recorded from the real
  operator in the lab, by the scenarios beside them.
"""
RECORDED = """
## Against recordings of real workloads

Frames that the Go implementation's own end-to-end tests recorded, each read by our definition: one status on every
frame, and the last one as the flow should end. *alike*: frames in which the recorded reading is the same one status.
"""
DIFFERS = """
### Where and why ours differs

"+" joins statuses that were recorded for one frame; "Undefined" is none.
"""


def test_page_is_made_of_the_catalog(pytestconfig: pytest.Config) -> None:
    readings = yaml.safe_load(READINGS.read_text("utf-8")) if READINGS.exists() else []
    if realdata.recorded() is not None:
        found = _readings({_key(d): d["why"] for entry in readings for d in entry["differs"]})
        if pytestconfig.getoption("--karta-update", default=False):
            text = yaml.safe_dump(found, sort_keys=False, width=120, allow_unicode=True)
            READINGS.write_text(text, "utf-8")
            readings = found
        assert readings == found
    assert not [d for entry in readings for d in entry["differs"] if not d["why"]], "a difference without its reason"
    wanted = _page(readings)
    target = DOCS / "catalog.md"
    if pytestconfig.getoption("--karta-update", default=False):
        target.write_text(wanted, "utf-8")
    assert target.read_text("utf-8") == wanted


def _key(differs: dict[str, Any]) -> tuple[str, str, str]:
    return differs["definition"], differs["recorded"], differs["ours"]


def _readings(reasons: dict[tuple[str, str, str], str]) -> list[dict[str, Any]]:
    """Per definition: flows, frames, how many are read alike, and every pair of readings that differ."""
    out: dict[str, dict[str, Any]] = {}
    for flow in realdata.recorded_flows():
        name = flow.definition
        if name not in NAMES:
            continue
        entry = out.setdefault(name, {"definition": name, "flows": 0, "frames": 0, "alike": 0, "differs": []})
        entry["flows"] += 1
        for frame in flow.frames:
            entry["frames"] += 1
            recorded = " + ".join(frame.note.removeprefix("phases: ").split(", ")) or "Undefined"
            ours = " + ".join(status.value for status in read(name, frame.obj).statuses)
            if recorded == ours:
                entry["alike"] += 1
                continue
            pair = {"definition": name, "recorded": recorded, "ours": ours}
            found = next((d for d in entry["differs"] if _key(d) == _key(pair)), None)
            if found is None:
                found = {**pair, "where": [], "why": reasons.get(_key(pair), "")}
                entry["differs"].append(found)
            found["where"].append(f"{flow.name} {frame.index}")
    return list(out.values())


def _page(readings: list[dict[str, Any]]) -> str:
    lines = [HEAD, "| kind | roles | statuses | suspends | gang | releases | evidence |"]
    lines += ["| --- | --- | --- | --- | --- | --- | --- |", *map(_row, NAMES), RECORDED]
    lines += ["| kind | flows | frames | one status | alike |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {r['definition']} | {r['flows']} | {r['frames']} | {r['frames']} | {r['alike']} |" for r in readings]
    flows, frames, alike = (sum(r[key] for r in readings) for key in ("flows", "frames", "alike"))
    lines += [f"| **all** | {flows} | {frames} | {frames} | {alike} |", DIFFERS]
    lines += ["| kind | recorded | ours | frames | why |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {d['definition']} | {d['recorded']} | {d['ours']} | {len(d['where'])} | {d['why']} |"
        for r in readings
        for d in r["differs"]
    ]
    return "\n".join(lines) + "\n"


def _row(name: str) -> str:
    found = definition(name)
    kind = found.root.kind
    assert kind is not None
    roles = ", ".join(c.name for c in found.components if c.bears_pods) or "-"
    mappings = found.root.status.mappings if found.root.status else ()
    statuses = ", ".join(mapping.status.value for mapping in mappings)
    suspend = found.root.suspend
    suspends = f"`{suspend.suspend[0].path.text}`" if suspend and suspend.suspend and suspend.suspend[0].path else "-"
    flows = [flow for flow in FLOWS if flow.definition == name]
    real = sum(" in the lab" in str(flow.source) for flow in flows)
    evidence = f"{len(flows)} flows{f' ({real})' * bool(real)}, {sum(len(f.frames) for f in flows)} frames"
    cells = [f"[{kind.kind}](../catalog/{name}.yaml) {kind.group or 'core'}/{kind.version}", roles, statuses, suspends]
    return "| " + " | ".join([*cells, _gang(found), _proven(found), evidence]) + " |"


def _gang(found: Definition) -> str:
    if found.gang is None:
        return "-"
    if (group := found.gang.pod_group) is not None:
        parts = ", ".join(sub.component for sub in group.sub_groups)
        return f"one, subgroups {parts}" if parts else "one"
    shapes = [
        f"{', '.join(m.component for m in group.members)}"
        + (" per key" if any(m.group_keys for m in group.members) else "")
        for group in found.gang.pod_groups
    ]
    return "; ".join(shapes) or "-"


def _proven(found: Definition) -> str:
    """Releases in which every expression resolves, oldest and newest; "built in" for kinds of Kubernetes itself."""
    assert found.root.kind is not None
    result = matrix(found, schemas(found.root.kind))
    fine = [
        release
        for index, release in enumerate(result.releases)
        if all(row.cells[index].ok for row in result.expressions)
    ]
    if not fine:
        return "none"
    if found.root.kind.group in ("", "apps", "batch"):
        return f"Kubernetes {', '.join(fine)}"
    return ", ".join(fine)
