"""KT115: a group, version or kind is spelt as none can be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule
from kartatest.lint.rules.places import VERSION, named_kinds

_GROUP = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]*")


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each part of a named kind that no API server would have; empty parts are KT106 and KT114."""
    for what, ref in named_kinds(ctx):
        gvk = ref.gvk
        for part, value, form, example in (
            ("group", gvk.group, _GROUP, "batch or jobset.x-k8s.io, and nothing for the core group"),
            ("version", gvk.version, VERSION, "v1, v1beta1 or v2alpha3"),
            ("kind", gvk.kind, _KIND, "JobSet"),
        ):
            if not value or form.fullmatch(value):
                continue
            at = (*ref.at, part)
            lower = value.lower() if part != "kind" else value
            mend = (Fix(at, replace=lower),) if form.fullmatch(lower) else ()
            group, _, version = value.rpartition("/")
            says = f"a {part} looks like {example}"
            if part != "kind" and group and VERSION.fullmatch(version):
                says = f"this is a whole apiVersion: write group: {group} and version: {version}"
            yield Finding(at=at, message=f"the {part} of {what} cannot be {value!r}", help=says, fixes=mend)


RULE = Rule(
    code="KT115",
    name="kind-spelling",
    severity=Severity.ERROR,
    summary="A group, version or kind has a form that no API server uses.",
    why="A kind is compared letter by letter, so a misspelt one fits no object: the definition is never used, or "
    "permissions are missing.",
    source="Q50 and Q55; the naming rules of the Kubernetes API",
    check=check,
)
