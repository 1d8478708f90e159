"""Names of pod groups and subgroups, and whether the API server takes them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from kartatest.gang.model import UID, Refusal
from kartatest.source import JsonObject

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_MOST = 253
_ANY_UID = "00000000-0000-4000-8000-000000000000"


def is_label(text: str) -> bool:
    """Whether text is a DNS label (RFC 1123): lower-case letters, digits and inner dashes, at most 63."""
    return len(text) <= 63 and _LABEL.fullmatch(text) is not None


def fault_of_name(name: str) -> str:
    """Why an object cannot have this name, "" when it can. A uid that is not known yet counts as a usual one."""
    name = name.replace(UID, _ANY_UID)
    if len(name) > _MOST:
        return f"it has {len(name)} characters, {_MOST} are allowed"
    if not all(_LABEL.fullmatch(part) for part in name.split(".")):
        return "only lower-case letters, digits, '-' and '.' may stand in it, with a letter or digit at both ends"
    return ""


def check_group(name: str) -> None:
    """Raises Refusal when the API server would refuse a PodGroup of this name."""
    if fault := fault_of_name(name):
        raise Refusal("group-name", f"the API server refuses a PodGroup named {name!r}: {fault}")


def check_sub_group(name: str, index: int) -> None:
    """Raises Refusal when the API server would refuse a subgroup of this name."""
    if not is_label(name):
        text = f"the API server refuses the PodGroup: subgroup {index + 1} is named {name!r}, which is no DNS label"
        raise Refusal("subgroup-name", text)


def uid_of(obj: JsonObject) -> str:
    """The object's uid, or a word that stands for it."""
    uid = metadata_of(obj).get("uid")
    return uid if isinstance(uid, str) and uid else UID


def name_of(obj: JsonObject) -> str:
    """The object's name, "" where it has none."""
    name = metadata_of(obj).get("name")
    return name if isinstance(name, str) else ""


def metadata_of(obj: JsonObject) -> JsonObject:
    """The object's metadata, {} where there are none."""
    found = obj.get("metadata")
    return found if isinstance(found, dict) else {}


def texts_of(obj: JsonObject, key: str) -> dict[str, str]:
    """Labels or annotations: the entries that are text."""
    found = metadata_of(obj).get(key)
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def plain(base: str, group: str, keys: Sequence[str]) -> str:
    """A name that differs wherever group or keys differ (Q33): parts between dots, illegal ones respelled with a hash.

    base is taken as it is. plain("pg-1", "heads", ["a-b", "C"]) is "pg-1-heads.a-b.c-6b23c0d5".
    """
    name = f"{base}-{'.'.join([_part(group), *map(_part, keys)])}"
    if len(name.replace(UID, _ANY_UID)) > _MOST:
        name = f"{name[: _MOST - 60].rstrip('.-')}-{_hash('.'.join([group, *keys]))}"
    return name


def _part(text: str) -> str:
    if is_label(text):
        return text
    respelled = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:50].rstrip("-")
    return f"{respelled}-{_hash(text)}".lstrip("-")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
