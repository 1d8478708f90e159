"""The checks behind the items: each gives the text of a failure, or None when all is well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.diagnostics import Diagnostic, Severity
from kartatest.source import Source

if TYPE_CHECKING:
    from kartatest.definition.load import Loaded, LoadedDefinition
    from kartatest.recording.model import Frame, Recording
    from kartatest.replay import FrameResult, Replay
    from kartatest.source import DocPath
    from kartatest.yamlpos import Document

_MOST_LINES = 14
_UNEXPECTED_STATUS = "KT706"


def findings(found: Iterable[Diagnostic], fail_on: Severity = Severity.ERROR) -> str | None:
    """The findings that fail as text; None when there are none."""
    from kartatest.report.text import finding

    return "\n".join(finding(d) for d in found if d.severity >= fail_on).rstrip() or None


def schema(loaded: Loaded) -> str | None:
    """Whether the file has the shape of a definition."""
    return findings(loaded.diagnostics)


def lint(
    file: Path, loaded: LoadedDefinition, recordings: Sequence[Recording]
) -> tuple[tuple[Diagnostic, ...], Severity]:
    """What the project's rules say of a definition, with its recordings as evidence, and what makes it fail.

    Left out is what other items say: its shape, and frames that read other statuses than they expect.
    """
    from kartatest.definition.codes import LOADING_CODES
    from kartatest.lint import config
    from kartatest.lint.engine import lint as lint_text
    from kartatest.lint.select import selected
    from kartatest.replay import evidence
    from kartatest.yamlpos.codes import LOADING_CODES as TEXT_CODES

    settings = config.find(file.parent)
    rules = selected((*settings.select, *settings.extend_select), (*settings.ignore, *settings.ignored_in(file)))
    others = {code.code for code in (*LOADING_CODES, *TEXT_CODES)} | {_UNEXPECTED_STATUS}
    definition = loaded.definition
    found = lint_text(
        loaded.document.source,
        rules=rules,
        evidence=lambda item: evidence(item.definition, recordings if item.definition == definition else ()),
    )
    return tuple(d for d in found if d.code not in others), settings.fail_on


def frame(replay: Replay, result: FrameResult, document: Document) -> str | None:
    """Whether exactly the expected statuses hold in a frame, or, where nobody said, whether they could be read."""
    if result.ok or (result.ok is None and not result.tree.status.problems):
        return None
    from kartatest.why import explanation

    expected = "" if result.expected is None else f"expected {_listed(result.expected)}, "
    place = _place(replay.recording.file, result.frame)
    lines = [f"{expected}read {_read(result)}", f"frame {result.frame.index} of {replay.recording.name} in {place}"]
    if result.frame.note:
        lines.append(f"note: {result.frame.note}")
    words = [w for w in result.expected or () if w not in result.statuses]
    words += [w for w in result.statuses if w not in (result.expected or ()) and w != "Undefined"]
    for word in (words or ["Undefined"])[: 1 if result.tree.status.problems else None]:
        said = explanation(replay.definition, result.frame.obj, word)
        lines += [
            "",
            *(line for line in said.lines if line.strip() not in map(str.strip, lines) or not _is_context(line)),
        ]
        if said.at is not None:
            lines += excerpt(document, said.at)
    return "\n".join(lines)


def _is_context(line: str) -> bool:
    """Whether a line of an explanation only shows what was looked at, so that once is enough."""
    return line.lstrip().startswith((".", "expression: ", "conditions there: "))


def _place(file: str, frame: Frame) -> str:
    """The frame's file and line; the file alone where it is no YAML file any more."""
    from kartatest.errors import FileError
    from kartatest.yamlpos import documents, read

    try:
        source = read(file)
    except FileError:
        return file
    found = documents(source).documents if isinstance(source, Source) else ()
    if frame.document >= len(found):
        return file
    return f"{file}:{found[frame.document].source.position(found[frame.document].span(frame.at).start)[0]}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) or "no status"


def _read(result: FrameResult) -> str:
    return "nothing, for an expression fails" if result.tree.status.problems else _listed(result.statuses)


def excerpt(document: Document, at: DocPath) -> list[str]:
    """The lines of a definition that hold the part at a path, with their numbers; long parts are cut."""
    source, span = document.source, document.span(at)
    first, last = source.position(span.start)[0], source.position(max(span.end - 1, span.start))[0]
    shown = range(first, min(last, first + _MOST_LINES - 1) + 1)
    width = len(str(shown[-1]))
    texts = [source.line(number) for number in shown]
    indent = min((len(t) - len(t.lstrip()) for t in texts if t.strip()), default=0)
    lines = [f"  {source.name}:{first}"]
    lines += [f"  {n:>{width}} | {t[indent:]}".rstrip() for n, t in zip(shown, texts, strict=True)]
    return lines + ([f"  {'':>{width}} | ..."] if last > shown[-1] else [])


def tree(replay: Replay, *, update: bool) -> str | None:
    """Whether the recording's golden says what the definition reads now. update writes it instead."""
    from kartatest import golden
    from kartatest.golden import files

    text = golden.text(replay.definition, replay.recording)
    if update:
        files.update(replay.recording, text)
        return None
    old = files.read(replay.recording)
    name = str(files.path(replay.recording))
    if old is None:
        return f"there is no golden {name}\nwrite it with --karta-update, and read it"
    difference = golden.diff(old, text, name)
    return f"{difference}if this is right, write it with --karta-update" if difference else None


def pods(replay: Replay) -> str | None:
    """Whether every pod in the frames, but for those of other workloads, is one component's and one instance's."""
    from kartatest.resolve.model import ForeignPod, PodWarning

    lines = [
        f"frame {result.frame.index}: {warning}"
        for result in replay.frames
        for warning in result.tree.warnings
        if isinstance(warning, PodWarning) and not isinstance(warning, ForeignPod)
    ]
    return "\n".join(lines) or None


def gang(replay: Replay) -> str | None:
    """Whether the pod groups of each frame that says so are as expected, by whose words it says."""
    from kartatest.gang import groups
    from kartatest.gang.expect import KNOWN, differences
    from kartatest.gang.names import uid_of

    lines: list[str] = []
    for one in replay.recording.frames:
        for wanted in one.gang:
            place = f"frame {one.index}, {wanted.key}"
            if wanted.key not in KNOWN:
                lines.append(f"{place}: nothing is known of it, only of {', '.join(KNOWN)}")
                continue
            found = groups(replay.definition, one.obj, one.pods, owners=one.owners, consumer=KNOWN[wanted.key])
            wrong = differences(found, wanted.groups, wanted.pods, uid_of(one.obj))
            lines += [f"{place}: {line}" for line in wrong]
            lines += [f"  note: {note}" for note in found.notes if wrong]
    return "\n".join(lines) or None


def expressions(loaded: LoadedDefinition, recordings: Sequence[Recording]) -> str | None:
    """Whether both engines give the same for every expression on every frame."""
    from kartatest.replay import disagreements

    return "\n".join(disagreements(loaded.definition, recordings)) or None


def edits(loaded: LoadedDefinition, recordings: Sequence[Recording]) -> str | None:
    """Whether every frame can be suspended and resumed, and its pods set and read back, as edits promise.

    What is wrong in several frames is told once, with the first of them.
    """
    from kartatest.edit.laws import broken

    first: dict[str, tuple[str, int]] = {}
    for recording in recordings:
        for frame in recording.frames:
            for text in broken(loaded.definition, frame.obj):
                place, times = first.get(text, (f"frame {frame.index} of {recording.name}", 0))
                first[text] = (place, times + 1)
    lines = [
        f"{place}{f', and {times - 1} more' if times > 1 else ''}: {text}" for text, (place, times) in first.items()
    ]
    return "\n".join(lines) or None
