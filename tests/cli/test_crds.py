"""`karta crds`: list, sync, compile."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from kartatest.cli import main
from kartatest.definition.model import Gvk
from kartatest.schema import lock, schema_for
from kartatest.schema.index import cache_folder
from tests.schema.build import crd
from tests.schema.server import Server, serving

CRD = yaml.safe_dump(crd({"type": "object", "properties": {"spec": {"type": "object"}}}))
THING = Gvk("example.com", "v1", "Thing")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def locked(place: Path) -> Path:
    """A lock that names one CRD, with another sha256 for its second release."""
    data = CRD.encode()
    entries = [
        lock.Locked("things.example.com", tag, "owner/name", "crd.yaml", "0" * 40, sha256, len(data))
        for tag, sha256 in (("v1.0.0", hashlib.sha256(data).hexdigest()), ("v1.1.0", "f" * 64))
    ]
    file = place / "my.lock"
    file.write_text(lock.text(entries), "utf-8")
    return file


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        started.files = {f"/things.example.com/{tag}.yaml": CRD.encode() for tag in ("v1.0.0", "v1.1.0")}
        yield started


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", "list", "jobsets@v0.10.1", "Deployment"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["RELEASE", "INDEX", "CRD", "FILE", "KINDS"]
    assert out[1] == "core"
    assert out[-2].split() == ["jobsets.jobset.x-k8s.io", "kubernetes-sigs/jobset"]
    assert out[-1].split() == ["v0.10.1", "package", "-", "jobset.x-k8s.io/v1alpha2", "JobSet"]
    kinds = " ".join(line[out[0].index("KINDS") :] for line in out[2:-2]).split(", ")
    assert ("v1 Pod" in kinds, "apps/v1 StatefulSet" in kinds) == (True, True)


def test_list_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", "list"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", "list", "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == len(lock.load()) + 1
    assert rows[0]["crd"] == "core"
    (row,) = (r for r in rows if (r["crd"], r["tag"]) == ("rayclusters.ray.io", "v1.7.0"))
    assert row["kinds"] == [
        {"apiVersion": "ray.io/v1", "kind": "RayCluster"},
        {"apiVersion": "ray.io/v1alpha1", "kind": "RayCluster"},
    ]
    assert row["index"] == "package"
    assert row["crdFile"] is None
    assert (row["repository"], row["bytes"]) == ("ray-project/kuberay", 933800)
    assert row["url"].startswith("https://")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jobset", None),
        ("ray.io", None),
        ("jobests", "no CRD is called 'jobests'; did you mean 'jobsets'?"),
        ("jobsets@v9", "jobsets has the releases v0.8.2, v0.10.1, v0.12.0, not v9"),
    ],
)
def test_names(name: str, message: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", "list", name]) == (2 if message else 0)
    assert capsys.readouterr().err == (f"karta: {message}\n" if message else "")


def test_sync_from_a_folder(locked: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mirror = place / "mirror" / "things.example.com"
    mirror.mkdir(parents=True)
    (mirror / "v1.0.0.yaml").write_text(CRD, "utf-8")
    args = ["crds", "sync", "things@v1.0.0", "--lock", str(locked), "--mirror", "mirror"]
    assert schema_for(THING) is None
    assert main(args) == 0
    file = cache_folder() / "things.example.com" / "v1.0.0.yaml"
    out, err = capsys.readouterr()
    assert out == f"fetched  things.example.com v1.0.0  {file}\n"
    assert err == "1 fetched\n"
    assert file.read_text("utf-8") == CRD
    found = schema_for(THING)
    assert found is not None
    assert (found.tag, found.origin) == ("v1.0.0", str(file.with_suffix(".json")))
    assert main(args) == 0
    assert capsys.readouterr().err == "1 present\n"
    assert main(["crds", "list", "things@v1.0.0", "--lock", str(locked)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "things.example.com  owner/name",
        "  v1.0.0   cache  fetched   example.com/v1 Thing",
    ]


def test_sync_goes_on_after_a_failure(locked: Path, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", "sync", "--lock", str(locked), "--mirror", server.url]) == 2
    out, err = capsys.readouterr()
    first, second = out.splitlines()
    assert first.startswith("fetched  things.example.com v1.0.0")
    assert second == (
        f"failed   things.example.com v1.1.0  {server.url}/things.example.com/v1.1.0.yaml "
        "is not the file of the lock: its sha256 differs"
    )
    assert err == "1 fetched, 1 failed\n"
    assert not (cache_folder() / "things.example.com" / "v1.1.0.yaml").exists()


def test_sync_into_a_folder(locked: Path, server: Server, place: Path) -> None:
    args = ["crds", "sync", "things@v1.0.0", "--lock", str(locked), "--mirror", server.url, "--into", "here"]
    assert main(args) == 0
    assert (place / "here" / "things.example.com" / "v1.0.0.yaml").read_text("utf-8") == CRD
    assert not cache_folder().exists()


def test_sync_that_cannot_work(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", "sync", "jobsets", "--mirror", "nowhere"]) == 2
    assert capsys.readouterr().err == "karta: there is no folder nowhere; --mirror takes a folder or an address\n"
    (place / "empty.lock").write_text(lock.text([]), "utf-8")
    assert main(["crds", "sync", "--lock", "empty.lock"]) == 4


def test_compile(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "crd.yaml").write_text(CRD, "utf-8")
    target = Path("out") / "things.example.com" / "v2.0.0.json"
    args = ["crds", "compile", "crd.yaml", "--tag", "v2.0.0", "-o", "out"]
    assert main([*args, "--check"]) == 1
    assert capsys.readouterr().out == f"differs  {target}  v1\n"
    assert not target.exists()
    assert main(args) == 0
    assert capsys.readouterr().out == f"wrote    {target}  v1\n"
    assert main([*args, "--check"]) == 0
    assert capsys.readouterr().out == f"same     {target}  v1\n"
    found = schema_for(THING, extra=[Path("out")])
    assert found is not None
    assert found.tag == "v2.0.0"


def test_compile_takes_the_release_from_the_path(place: Path) -> None:
    (place / "things.example.com").mkdir()
    (place / "things.example.com" / "v3.yaml").write_text(CRD, "utf-8")
    assert main(["crds", "compile", "things.example.com/v3.yaml"]) == 0
    assert (place / "things.example.com" / "v3.json").is_file()


def test_compile_standard_input(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CRD.encode())))
    assert main(["crds", "compile", "-", "--tag", "v1"]) == 0
    assert (place / "things.example.com" / "v1.json").is_file()


@pytest.mark.parametrize(
    ("text", "args", "message"),
    [
        (CRD, [], "say with --tag which release crd.yaml is of; only <crd>/<release>.yaml tells it by itself"),
        (CRD, ["--tag", "a/b"], "'a/b' cannot be a release: letters, digits and . _ - + only"),
        ("kind: Pod", ["--tag", "v1"], "crd.yaml holds no CustomResourceDefinition"),
        ("a: [", ["--tag", "v1"], "crd.yaml:1:5: "),
        (
            CRD.replace("name: things.example.com", "name: ../things"),
            ["--tag", "v1"],
            "crd.yaml: a CRD cannot be called",
        ),
        (None, ["--tag", "v1"], "cannot read crd.yaml: no such file or directory"),
    ],
)
def test_compile_that_cannot_work(
    text: str | None, args: list[str], message: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (place / "crd.yaml").write_text(text, "utf-8")
    assert main(["crds", "compile", "crd.yaml", *args]) == 2
    assert capsys.readouterr().err.startswith(f"karta: {message}")
    assert not list(place.rglob("*.json"))


@pytest.mark.parametrize("args", [[], ["list"], ["sync"], ["compile"]])
def test_help_has_an_example(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crds", *args, "--help"]) == 0
    assert "Example: karta crds" in capsys.readouterr().out
