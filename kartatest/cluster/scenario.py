"""A scenario: what is done to a real operator, step by step, and the status that a person expects of each step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from kartatest.catalog import name_of
from kartatest.cluster import shape
from kartatest.definition.model import Gvk
from kartatest.definition.scenarios import ACTIONS
from kartatest.diagnostics import Diagnostic
from kartatest.recording import codes, gangs
from kartatest.recording.codes import Part
from kartatest.recording.model import GangExpectation
from kartatest.source import DocPath, Json, JsonObject, Source
from kartatest.value import value
from kartatest.yamlpos import documents, read

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0}
DEFAULT_TIMEOUT_SECONDS = 30.0


@value
class Expected:
    """A status that a step may show. when: jq over the object; "" holds always. must: it has to be seen."""

    status: str
    when: str = ""
    must: bool = False


@value
class Reference:
    """One object of the cluster."""

    gvk: Gvk
    name: str
    namespace: str

    def __str__(self) -> str:
        return f"{self.gvk.kind} {self.name}"


@value
class Step:
    """One action, with its settings as they are in the file, and what is expected of it.

    objects are those that are applied. expect is None where the status stays what it was. gang: the pod groups there
    are when it is over.
    """

    action: str
    given: JsonObject
    objects: tuple[JsonObject, ...] = ()
    through: tuple[Expected, ...] = ()
    expect: Expected | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    name: str = ""
    gang: tuple[GangExpectation, ...] = ()
    at: DocPath = field(default=(), compare=False)

    @property
    def title(self) -> str:
        """What happens, in a few words."""
        return self.name or self.action


@value
class Scenario:
    """One flow. target is the object that is recorded. pods: "own", "all" or "none"."""

    file: str
    definition: str
    operator: str
    versions: tuple[str, ...]
    flow: str
    target: Reference
    steps: tuple[Step, ...]
    pods: str = "own"
    note: str = ""


@value
class Loaded:
    """The scenario, None when something is wrong with it, and all that is, sorted."""

    scenario: Scenario | None
    diagnostics: tuple[Diagnostic, ...]


def files(folder: Path) -> Iterator[Path]:
    """The scenarios of a definition's folder, sorted by name."""
    yield from sorted(p for p in (folder / "scenarios").glob("*.y*ml") if p.suffix in (".yaml", ".yml"))


def load_file(file: Path, *, name: str | None = None) -> Loaded:
    """The scenario in a file, and the manifests that it names by their paths from there. FileError for what is away."""
    source = read(file, name=name)
    return load(source, folder=file.parent) if isinstance(source, Source) else Loaded(None, (source,))


def load(source: Source, *, folder: Path = Path()) -> Loaded:
    """The scenario in a text. Never raises for what the text says; FileError for a manifest that cannot be read."""
    found = documents(source)
    wrong = list(found.diagnostics)
    scenario = None
    for index, document in enumerate(found.documents):
        part = Part(source, document, index, 0)
        if index:
            part.add(codes.SCENARIO_SHAPE, (), "a second document", "write one scenario per file")
        elif not wrong and not shape.faults(part):
            scenario = _scenario(part, folder)
        wrong += part.found
    return Loaded(None if wrong else scenario, tuple(sorted(wrong, key=lambda d: d.sort_key)))


def _scenario(part: Part, folder: Path) -> Scenario | None:
    given: JsonObject = part.document.value
    words: Mapping[str, str] = given.get("when") or {}
    for word, text in words.items():
        _compiles(part, text, ("when", word))
    steps = tuple(_step(part, entry, ("steps", index), words, folder) for index, entry in enumerate(given["steps"]))
    target = _target(part, given, steps)
    if part.found or target is None:
        return None
    _decided(part, steps)
    flow = given.get("flow") or _stem(part.source.name)
    target = Reference(target.gvk, target.name, given.get("namespace") or f"{target.gvk.kind.lower()}-{flow}")
    return Scenario(
        part.source.name,
        given["definition"],
        given["operator"],
        tuple(given["versions"]),
        flow,
        target,
        steps,
        given.get("pods") or "own",
        given.get("note") or "",
    )


def _step(part: Part, entry: JsonObject, at: DocPath, words: Mapping[str, str], folder: Path) -> Step:
    action = next(name for name in ACTIONS if name in entry)
    given: JsonObject = entry[action] or {}
    through = tuple(
        _expected(part, said, (*at, "through", index), words) for index, said in enumerate(entry.get("through") or ())
    )
    expect = _expected(part, entry["expect"], (*at, "expect"), words) if "expect" in entry else None
    return Step(
        action,
        given,
        _objects(part, given, (*at, action), folder) if action == "apply" else (),
        through,
        expect,
        seconds(entry["timeout"]) if "timeout" in entry else DEFAULT_TIMEOUT_SECONDS,
        entry.get("name") or "",
        gangs.expected(part, entry.get("gang"), (*at, "gang")),
        at,
    )


def seconds(text: str) -> float:
    """How long "500ms", "30s" or "2m" is."""
    match = re.fullmatch(r"(\d+)(ms|s|m)", text)
    assert match is not None
    return int(match[1]) * _SECONDS[match[2]]


def _expected(part: Part, said: Json, at: DocPath, words: Mapping[str, str]) -> Expected:
    if isinstance(said, str):
        return Expected(said, words.get(said, ""))
    text = said.get("when") or ""
    if text:
        _compiles(part, text, (*at, "when"))
    return Expected(said["status"], text or words.get(said["status"], ""), said.get("must") is True)


def _compiles(part: Part, text: str, at: DocPath) -> None:
    from kartatest.resolve.evaluate import program

    fault = program(text)
    if isinstance(fault, Exception):
        place = part.document.span(at) if fault.span is None else part.document.within(at, fault.span)
        code = codes.SCENARIO_MEANING
        part.found.append(Diagnostic(code.code, code.name, code.severity, part.source, place, str(fault), fault.help))


def _objects(part: Part, given: JsonObject, at: DocPath, folder: Path) -> tuple[JsonObject, ...]:
    if "resource" in given:
        return (given["resource"],)
    name = given["file"]
    source = read(folder / name, name=name)
    found = documents(source) if isinstance(source, Source) else None
    faults = (source,) if not isinstance(source, Source) else documents(source).diagnostics
    objects = [document.value for document in found.documents] if found else []
    for fault in faults:
        part.add(codes.SCENARIO_MEANING, (*at, "file"), f"{name}: {fault.message}")
    if not faults and not all(shape.is_object(obj) for obj in objects):
        text = "give every document of it apiVersion, kind and a name"
        part.add(codes.SCENARIO_MEANING, (*at, "file"), f"{name} holds what is no object", text)
        return ()
    return tuple(objects)


def _target(part: Part, given: JsonObject, steps: tuple[Step, ...]) -> Reference | None:
    """The object that is recorded: the first applied one that is as named, of the definition's kind where one is."""
    applied = [obj for step in steps for obj in step.objects]
    said: JsonObject = given.get("object") or {}
    fitting = [obj for obj in applied if _fits(obj, said)]
    if not fitting:
        place: DocPath = ("object",) if said else ("steps",)
        part.add(codes.SCENARIO_MEANING, place, "the object that is recorded is never applied", "apply it in a step")
        return None
    fitting.sort(key=lambda obj: name_of(Gvk.of(obj)) != given["definition"])
    return Reference(Gvk.of(fitting[0]), fitting[0]["metadata"]["name"], "")


def _fits(obj: JsonObject, said: JsonObject) -> bool:
    name = said.get("name") in (None, obj["metadata"]["name"])
    return name and all(said.get(key) in (None, obj[key]) for key in ("apiVersion", "kind"))


def _decided(part: Part, steps: tuple[Step, ...]) -> None:
    """Whether predicates tell apart what a step expects: only the last that is looked at may hold always."""
    before = ""
    for step in steps:
        if step.expect is None and step.through:
            part.add(codes.SCENARIO_MEANING, (*step.at, "through"), "a way that leads to nothing", "say what to expect")
        stays = step.expect is not None and step.expect.status == before and not step.through
        if step.expect is not None and not step.expect.when and not stays:
            _undecided(part, (*step.at, "expect"), step.expect.status)
        for index, on_the_way in enumerate(step.through[:-1]):
            if not on_the_way.when:
                _undecided(part, (*step.at, "through", index), on_the_way.status)
        before = step.expect.status if step.expect is not None else before


def _undecided(part: Part, at: DocPath, status: str) -> None:
    help_text = "say when it holds, here or under the scenario's 'when'; only the last of 'through' can do without"
    part.add(codes.SCENARIO_MEANING, at, f"nothing says what tells {status} apart", help_text)


def _stem(name: str) -> str:
    return Path(name).stem
