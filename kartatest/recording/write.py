"""A recording as text: frames after the first as merge patches, so that a reviewer sees what the controller changed."""

from __future__ import annotations

import os
import re
from pathlib import Path

from kartatest.errors import FileError
from kartatest.recording import gangs
from kartatest.recording.manifests import default_flow
from kartatest.recording.model import Frame, Recording
from kartatest.recording.patch import diff, diff_each
from kartatest.source import Json, same

# Text that every YAML reader takes for a string when it stands without quotes.
_PLAIN = re.compile(r"[A-Za-z_/](?:[A-Za-z0-9_/.@+-]|:(?=[\w/]))*(?: [A-Za-z0-9_/.@+(),-]+)*|[0-9]+(?:m|[KMGT]i)")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"})


class _Inline(list[Json]):
    """A list that stands on one line: [Running]."""


def text(recording: Recording) -> str:
    """The recording as YAML, the same for equal recordings: keys of objects are sorted.

    A later frame is a patch against the one before unless a patch cannot say it (a key set to null). So is each of its
    pods and owners, by name; where they are left out they go on.
    """
    head: dict[str, Json] = {
        key: value for key in ("definition", "operator", "version") if (value := getattr(recording, key))
    }
    if recording.flow != default_flow(recording.file, recording.version):
        head["flow"] = recording.flow
    if recording.want is not None:
        head["want"] = recording.want
    if recording.source is not None:
        head["source"] = recording.source
    frames, before = [], None
    for frame in recording.frames:
        frames.append(_frame(frame, before))
        before = frame
    return _yaml(head | {"frames": frames})


def write(recording: Recording, file: Path) -> None:
    """Write the recording's text to file, all or nothing. FileError when that fails."""
    replace_text(file, text(recording))


def replace_text(file: Path, content: str) -> None:
    """Make content the whole of file, all or nothing: a reader sees the old text or the new. Makes missing folders."""
    import tempfile

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
                out.write(content)
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
            temporary.replace(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, UnicodeError) as error:
        raise FileError(f"cannot write {file}: {getattr(error, 'strerror', None) or error}") from error


def _frame(frame: Frame, before: Frame | None) -> dict[str, Json]:
    entry: dict[str, Json] = {}
    if frame.expected is not None:
        entry["expect"] = _Inline(frame.expected)
    if frame.note:
        entry["note"] = frame.note
    patch = diff(before.obj, frame.obj) if before else None
    entry |= {"object": _sorted(frame.obj)} if patch is None else {"patch": _sorted(patch)}
    for key, now, old in (
        ("pods", frame.pods, before.pods if before else ()),
        ("owners", frame.owners, before.owners if before else ()),
    ):
        if not same(list(now), list(old)):
            changes = diff_each(old, now, with_kind=key == "owners") if old and now else None
            whole: Json = [_sorted(obj) for obj in now]
            entry[key] = whole if changes is None else {name: _sorted(change) for name, change in changes.items()}
    if frame.gang:
        entry["gang"] = gangs.data(frame.gang)
    return entry


def _sorted(value: Json) -> Json:
    """The value with the keys of its objects in order, at every level."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _yaml(value: Json) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Block style, no anchors, and text in quotes wherever a reader could take it for something else."""

        def ignore_aliases(self, data: Json) -> bool:
            return True

    def of_str(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
        style = "|" if _is_block(data) else None
        if style is None and not (_PLAIN.fullmatch(data) and data.lower() not in _WORDS):
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    def of_inline(dumper: yaml.SafeDumper, data: _Inline) -> yaml.SequenceNode:
        return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)

    Dumper.add_representer(str, of_str)
    Dumper.add_representer(_Inline, of_inline)
    # Lines are not folded: a fold would move when a word of a message changes.
    return str(yaml.dump(value, Dumper=Dumper, allow_unicode=True, width=1 << 20, sort_keys=False))


def _is_block(data: str) -> bool:
    """Whether a text reads well, and safely, as a literal block of several lines."""
    lines = data.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and data[0] not in " \n"
        and bool(lines[-1])
        and all(line.isascii() and (line.isprintable() or not line) and not line.endswith(" ") for line in lines)
    )
