"""Slips of the pen that parse, and mean something else: a dot left out, a key that needs quotes, a bare word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast, Node, walk
from kartatest.jq.shape import plain_path
from kartatest.source import Span

SlipKind: TypeAlias = OneOf["missing-dot", "unquoted-key", "bare-word"]

TOP_FIELDS = frozenset({"spec", "status", "metadata", "apiVersion", "kind"})
"""Fields at the top of every object; as bare words they can only be meant as paths."""

_TOKEN = re.compile(r"\.[\w./-]+", re.ASCII)
_WORD = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_LABELS = re.compile(r"(\.(?:[\w]+\.)*(?:labels|annotations|nodeSelector|matchLabels))\.([\w./-]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: the part of the text that is wrong and what was surely meant instead."""

    kind: SlipKind
    span: Span
    text: str
    meant: str


def slips(text: str, tree: Ast, unknown: Set[Span]) -> tuple[Slip, ...]:
    """The slips of a program, in the order of its text. unknown: places of names of functions that do not exist."""
    word = _bare_word(text, tree, unknown)
    if word is not None:
        return (word,)
    found = list(_unquoted(text, tree, unknown))
    for node in walk(tree):
        if not (isinstance(node, jq.Call) and not node.args and node.name in TOP_FIELDS and node.name_span in unknown):
            continue
        if not any(_inside(node.name_span, slip.span) for slip in found):
            found.append(Slip("missing-dot", node.name_span, node.name, f".{node.name}"))
    return tuple(sorted(found, key=lambda slip: slip.span))


def _bare_word(text: str, tree: Ast, unknown: Set[Span]) -> Slip | None:
    word = text.strip()
    if not _WORD.fullmatch(word) or word in TOP_FIELDS:
        return None
    named = [node for node in walk(tree) if isinstance(node, jq.Call)]
    if not named or not any(node.name_span in unknown for node in named):
        return None
    start = text.index(word)
    return Slip("bare-word", Span(start, start + len(word)), word, json.dumps(word))


def _unquoted(text: str, tree: Ast, unknown: Set[Span]) -> Iterator[Slip]:
    """Keys with `-`, `/` or dots in them, written as if they were names; the outermost step of each."""
    taken: list[Span] = []
    for node in walk(tree):
        if not isinstance(node, jq.Binary | jq.Index) or any(_inside(node.span, span) for span in taken):
            continue
        token = text[node.span.start : node.span.end]
        if not _TOKEN.fullmatch(token):
            continue
        labels = _LABELS.fullmatch(token)
        if labels:
            head, key = labels.groups()
            if not _surely_labels(node, head, key):
                continue
            meant = f"{head}[{json.dumps(key)}]"
        elif isinstance(node, jq.Binary) and node.op in {"-", "/"} and _calls_unknown(node, unknown):
            meant = "".join(
                f".{part}" if re.fullmatch(r"\w+", part) else f"[{json.dumps(part)}]" for part in token[1:].split(".")
            )
            meant = meant if meant.startswith(".") else f".{meant}"
        else:
            continue
        taken.append(node.span)
        yield Slip("unquoted-key", node.span, token, meant)


def _surely_labels(node: Node, head: str, key: str) -> bool:
    """Whether the key cannot be a path below a label: labels are text, and text has no fields and no difference."""
    if isinstance(node, jq.Binary):
        return node.op in {"-", "/"}
    path = plain_path(node) if isinstance(node, jq.Index) else None
    return path is not None and "." in key and head.endswith((".metadata.labels", ".metadata.annotations"))


def _calls_unknown(node: Node, unknown: Set[Span]) -> bool:
    return any(isinstance(part, jq.Call) and part.name_span in unknown for part in walk(node))


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
