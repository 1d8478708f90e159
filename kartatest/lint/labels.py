"""The syntax of names and labels in Kubernetes."""

from __future__ import annotations

import re

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?")
_DNS_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


def fault_of_dns_label(text: str) -> str:
    """Why text is no DNS label (RFC 1123); "" when it is one."""
    if not text:
        return "it is empty"
    if len(text) > 63:
        return "it has more than 63 characters"
    if not _DNS_LABEL.fullmatch(text):
        return "only lower-case letters, digits and - may stand in it, and - not at an end"
    return ""


def fault_of_key(key: str) -> str:
    """Why key is no label key, with or without a prefix; "" when it is one."""
    prefix, slash, name = key.rpartition("/")
    if slash and (len(prefix) > 253 or any(fault_of_dns_label(part) for part in prefix.split("."))):
        return "what stands before the / is no domain name"
    if not name:
        return "the name is empty"
    return _fault_of_word(name)


def fault_of_value(value: str) -> str:
    """Why value is no label value; "" when it is one, as the empty text is."""
    return _fault_of_word(value) if value else ""


def _fault_of_word(text: str) -> str:
    if len(text) > 63:
        return "it has more than 63 characters"
    if not _NAME.fullmatch(text):
        return "only letters, digits, -, _ and . may stand in it, and a letter or digit at both ends"
    return ""
