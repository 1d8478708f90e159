"""The providers by the names that --karta-cluster takes, beside `none`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from kartatest.cluster.model import Access, Provider
from kartatest.value import value


@value
class Options:
    """What a user says about the cluster to be had.

    keep: it is to stay when the run is over. access: how the user's own one is reached (`current` alone).
    kind_binary: a kind to take in place of the one on PATH or a download (`kind` alone).
    """

    keep: bool = False
    access: Access = field(default_factory=Access)
    kind_binary: str = ""


def _kind(options: Options) -> Provider:
    from kartatest.cluster.kind import Kind

    return Kind(keep=options.keep, binary=options.kind_binary)


def _kwok(options: Options) -> Provider:
    from kartatest.cluster.kwok import Kwok

    return Kwok(keep=options.keep)


def _current(options: Options) -> Provider:
    from kartatest.cluster.current import Current

    return Current(options.access, keep=options.keep)


def _fake(_options: Options) -> Provider:
    from kartatest.cluster.fake import Fake

    return Fake()


PROVIDERS: Mapping[str, Callable[[Options], Provider]] = {
    "kind": _kind,
    "kwok": _kwok,
    "current": _current,
    "fake": _fake,
}
