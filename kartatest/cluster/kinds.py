"""Kinds of a cluster by the words that kubectl takes for them."""

from __future__ import annotations

from kartatest.cluster.model import Cluster, Resource
from kartatest.errors import ClusterError


def named(cluster: Cluster, word: str) -> Resource:
    """The kind that a word means: a kind, plural or short name, with or without its group ("jobs.batch", "job").

    Of several versions the one that a built-in definition is for, else the first that is served. Raises ClusterError
    for a word that means none, or kinds of several groups; the core group and that of built-in kinds come first.
    """
    from kartatest import catalog

    found = [resource for resource in cluster.resources() if word.lower() in _words(resource)]
    known = [resource for resource in found if catalog.find(resource.gvk) is not None]
    groups = {resource.gvk.group for resource in known or found}
    if not found:
        raise ClusterError(f"{cluster.name} serves no kind {word!r}")
    if len(groups) > 1:
        told = ", ".join(sorted({f"{resource.plural}.{resource.gvk.group}" for resource in known or found}))
        raise ClusterError(f"{word!r} may be {told}; say which")
    return (known or found)[0]


def _words(resource: Resource) -> set[str]:
    names = {resource.plural, resource.gvk.kind.lower(), *resource.short_names}
    group = resource.gvk.group
    return names | ({f"{name}.{group}" for name in names} if group else set())
