"""The package's face, used before and after anything else is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kartatest

ROOT = Path(__file__).parents[2]

USE = """
import kartatest
definition = kartatest.load({file!r})
tree = kartatest.resolve(definition, {{"status": {{"phase": "Up"}}}})
print(*(s.value for s in tree.statuses))
from kartatest import resolve, totals
from kartatest.resolve import resolve as same
assert [resolve(definition, {{}}), same(definition, {{}})] == 2 * [kartatest.resolve(definition, {{}})]
assert totals(tree).pods.desired == 0
assert set(kartatest.__all__) <= set(dir(kartatest))
assert all(getattr(kartatest, name) is not None for name in kartatest.__all__)
"""


@pytest.mark.parametrize("before", ["", "import kartatest.resolve.tree", "from kartatest.resolve.model import Tree"])
def test_used_in_any_order(before: str) -> None:
    code = before + USE.format(file=str(ROOT / "tests" / "cli" / "describe" / "rig-definition.yaml"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("Running\n", "")


def test_nothing_heavy_is_imported() -> None:
    code = "import kartatest, sys; print([m for m in ('yaml', 'click', 'jq', 're2', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"


def test_faults_say_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("kind: ConfigMap\napiVersion: v1\n", "utf-8")
    with pytest.raises(kartatest.KartaError, match="no definition in"):
        kartatest.load(file)
    with pytest.raises(kartatest.KartaError, match="cannot read"):
        kartatest.load(tmp_path / "none.yaml")
    with pytest.raises(kartatest.KartaError, match=r"no definition for demo\.io/v1 Nothing"):
        kartatest.definition_for({"apiVersion": "demo.io/v1", "kind": "Nothing"})
    with pytest.raises(AttributeError):
        _ = kartatest.nothing  # type: ignore[attr-defined]


def test_a_recording_and_what_is_none(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    states = "".join(f"---\n{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{n1: {n}}}}}\n" for n in (1, 2))
    file.write_text(states, "utf-8")
    assert [frame.obj["spec"] for frame in kartatest.load_recording(file).frames] == [{"n1": 1}, {"n1": 2}]
    file.write_text(states + states.replace("name: a", "name: b"), "utf-8")
    with pytest.raises(kartatest.KartaError, match="holds 2 recordings, not one"):
        kartatest.load_recording(file)
    for text, why in (("", "no recording in"), ("[", "no recording in .*: ")):
        file.write_text(text, "utf-8")
        with pytest.raises(kartatest.KartaError, match=why):
            kartatest.load_recording(file)
    file.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(kartatest.KartaError, match=r"x\.yaml"):
        kartatest.load_recording(str(file))
    with pytest.raises(kartatest.KartaError, match="cannot read"):
        kartatest.load_recording(tmp_path / "none.yaml")


def test_a_definition_resolves_and_edits() -> None:
    obj = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 2, "template": {"spec": {}}}}
    definition = kartatest.catalog.find(kartatest.Gvk.of(obj))
    assert definition is not None
    assert definition.resolve(obj) == kartatest.resolve(definition, obj)
    assert kartatest.Status.INITIALIZING in definition.resolve(obj).statuses
    edited = definition.edit(obj).set_scheduler_name("kai")
    assert edited.obj["spec"]["template"]["spec"] == {"schedulerName": "kai"}
    assert kartatest.catalog.find(kartatest.Gvk("apps", "v9", "Deployment")) is None


def test_built_in_definition() -> None:
    obj = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet"}
    assert kartatest.definition_for(obj).name == "jobset-x-k8s-io-jobset-v1alpha2"
