"""Operators are read as their data files say, and what is wrong with a user's file is said at its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.cluster import operators
from kartatest.cluster.build import Program
from kartatest.cluster.operators.load import load
from kartatest.cluster.operators.model import PLACEHOLDER, Operator, Webhooks
from kartatest.errors import UsageError
from kartatest.source import Json, Source

CASES = Path(__file__).parent / "operators"
BUILT_IN = operators.built_in()


@pytest.mark.parametrize("case", sorted(CASES.glob("*.yaml")), ids=lambda p: p.stem)
def test_case(case: Path, request: pytest.FixtureRequest) -> None:
    loaded = load(Source(case.name, case.read_text("utf-8")), case)
    assert (loaded.operator is None) == bool(loaded.diagnostics)
    lines = [repr(loaded.operator)] if loaded.operator else []
    for d in loaded.diagnostics:
        line, column = d.source.position(d.span.start)
        lines.append(f"{d.code} {line}:{column} {d.message}" + (f" | {d.help}" if d.help else ""))
    text = "\n".join(lines) + "\n"
    out = case.with_suffix(".out")
    if request.config.getoption("--karta-update", default=False):
        out.write_text(text, "utf-8")
    assert text == out.read_text("utf-8")


_WORDS = ["name", "versions", "module", "binary", "run", "args", "files", "webhooks", "way", "objects", "env"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 70000) | st.sampled_from(["", "x", "v1.0.0", "${port.a}", "${x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_WORDS), inner, max_size=5),
    max_leaves=12,
)


@given(_JSON)
def test_whatever_stands_there_is_told_and_never_raised(value: Json) -> None:
    loaded = load(Source("o.yaml", json.dumps(value)))
    assert (loaded.operator is None) == bool(loaded.diagnostics)


@pytest.mark.parametrize("operator", BUILT_IN.values(), ids=BUILT_IN)
def test_an_operator_of_ours_says_all_that_is_needed(operator: Operator) -> None:
    assert operator.module
    assert operator.kinds
    assert operator.crds
    assert operator.file is not None
    assert operator.file.stem == operator.name
    assert any(run.ready for run in operator.run)
    if operator.webhooks:
        asked = {word for text in operator.texts() for word in PLACEHOLDER.findall(text)}
        assert "port.webhook" in asked, "its webhooks lead to a port that it does not get"
        assert operator.namespace


def test_the_operators_that_a_lab_is_for_are_there() -> None:
    known = {f"{kind.rpartition('/')[2]}" for operator in BUILT_IN.values() for kind in operator.kinds}
    assert known == {
        *("JobSet", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService", "PyTorchJob", "TFJob", "XGBoostJob"),
        *("MPIJob", "TrainJob", "InferenceService", "Sandbox", "SparkApplication"),
    }
    assert BUILT_IN["jobset"].versions == ("v0.12.0", "v0.10.1")
    assert BUILT_IN["lws"].versions == ("v0.8.0", "v0.7.0")


def _operator(name: str, *needs: str) -> Operator:
    return Operator(name, module="m", versions=("v2.0.0", "v1.0.0"), needs=needs, webhooks=Webhooks("url", ("x",)))


KNOWN = {o.name: o for o in (_operator("a", "b"), _operator("b"), _operator("c", "d"), _operator("d", "c"))}


@pytest.mark.parametrize(
    ("words", "ordered"),
    [
        ("", ""),
        ("b", "b@v2.0.0"),
        ("b@v1.0.0 b@1.0.0", "b@v1.0.0"),
        ("a", "b@v2.0.0 a@v2.0.0"),
        ("a b@v1.0.0", "b@v1.0.0 a@v2.0.0"),
        ("b a", "b@v2.0.0 a@v2.0.0"),
    ],
)
def test_what_others_need_comes_first(words: str, ordered: str) -> None:
    assert " ".join(map(str, operators.ordered(words.split(), KNOWN))) == ordered


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("jobst", "no operator is called 'jobst'; did you mean 'jobset'?"),
        ("jobset@v9.9.9", "jobset has the versions v0.12.0, v0.10.1, not v9.9.9"),
        ("jobset jobset@v0.10.1", "cannot run in one lab"),
    ],
)
def test_what_is_not_known_is_told(words: str, told: str) -> None:
    with pytest.raises(UsageError, match=told.replace("?", r"\?").replace(".", r"\.")):
        operators.ordered(words.split(), BUILT_IN)


def test_operators_that_need_each_other_are_told() -> None:
    with pytest.raises(UsageError, match="c -> d -> c"):
        operators.ordered(["c"], KNOWN)


def test_what_is_built_is_the_main_package_of_the_version() -> None:
    chosen = operators.choose("lws@0.7.0", BUILT_IN)
    assert chosen.program == Program("lws", "sigs.k8s.io/lws", "v0.7.0", "sigs.k8s.io/lws/cmd")
    jobset = operators.choose("jobset", BUILT_IN).program
    assert jobset is not None
    assert jobset.package == "sigs.k8s.io/jobset"
