"""What must hold of every edit through a sound definition, tried on one object."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Definition
from kartatest.edit.actions import describe, resume, suspend, suspends, written_places
from kartatest.edit.model import PodPatch
from kartatest.edit.pods import set_pods
from kartatest.errors import EditError
from kartatest.resolve.model import Instance, PodShape
from kartatest.resolve.tree import resolve
from kartatest.source import Json, JsonObject, same

_PROBE = "karta-probe"
_FIELDS = (
    ("scheduler_name", "schedulerName", "schedulerNamePath"),
    ("priority_class", "priorityClassName", "priorityClassNamePath"),
)


def broken(definition: Definition, obj: JsonObject, *, refusals: bool = True) -> Iterator[str]:
    """Each law that does not hold on the object; with refusals also the reasons why an edit cannot be made at all.

    Suspending and resuming gives the object back when it is known, and touches only declared places when it is not; a
    scheduler name that is set is read back, in the instance that was meant and in no other; setting what is there
    changes nothing. Paths that can never be written through are the linter's to tell (KT307, KT308).
    """
    yield from _suspending(definition, obj, refusals)
    yield from _setting(definition, obj, refusals)


def _suspending(definition: Definition, obj: JsonObject, refusals: bool) -> Iterator[str]:
    if not any(c.suspend and c.suspend.suspend and c.suspend.resume for c in definition.components):
        return
    try:
        if not suspends(definition, obj):
            return  # a state in which it is suspended says nothing about the way back
        suspended = suspend(definition, obj).obj
        back = resume(definition, suspended, before=obj)
        plain = resume(definition, suspended)
        declared = {*written_places(definition, obj, "suspend"), *written_places(definition, suspended, "resume")}
    except EditError as error:
        if refusals and not error.unwritable:
            yield from error.reasons
        return
    if suspend(definition, suspended).changes:
        yield "suspending twice is not the same as suspending once"
    if not plain.changes:
        yield "resuming leaves the suspended object as it is"
    if not same(back.obj, obj):
        from kartatest.edit.values import changes

        yield f"suspended and resumed, the object is another: {'; '.join(map(describe, changes(obj, back.obj)))}"
    for change in plain.changes:
        if not any(change.path[: len(at)] == at or at[: len(change.path)] == change.path for at in declared):
            yield f"resuming changes what no action names: {describe(change)}"


def _setting(definition: Definition, obj: JsonObject, refusals: bool) -> Iterator[str]:
    tree = resolve(definition, obj)
    for part in tree.walk():
        if not part.bears_pods:
            continue
        for instance in part.instances:
            if instance.pod is None or instance.pod.missed:
                continue
            for field, key, fragment in _FIELDS:
                if instance.pod.template is None and instance.pod.spec is None:
                    exprs = part.definition.spec.fragments if part.definition.spec else None
                    if not any(use.value == fragment for use in exprs or ()):
                        continue
                patch = (
                    PodPatch(scheduler_name=_PROBE) if field == "scheduler_name" else PodPatch(priority_class=_PROBE)
                )
                yield from _set(definition, obj, patch, (part.name, instance.id), (key, fragment), refusals)
                break


def _set(
    definition: Definition,
    obj: JsonObject,
    patch: PodPatch,
    who: tuple[str, str],
    where: tuple[str, str],
    refusals: bool,
) -> Iterator[str]:
    name, id_ = who
    shown = f"component {name!r}" + (f", instance {id_!r}" if id_ else "")
    only = (id_,) if id_ else None
    try:
        edited = set_pods(definition, obj, patch, component=name, instances=only)
        again = set_pods(definition, edited.obj, patch, component=name, instances=only)
    except EditError as error:
        if refusals and not error.unwritable and not any("falls back" in reason for reason in error.reasons):
            yield from error.reasons
        return
    if again.changes:
        yield f"{shown}: setting a value twice changes the object twice"
    old, new = _shapes(definition, obj), _shapes(definition, edited.obj)
    for key, shape in new.items():
        read = _field(shape, *where)
        if key == who and read != _PROBE:
            yield f"{shown}: {where[0]} was set to {_PROBE!r}, and {read!r} is read"
        if key != who and shape != old.get(key) and not edited.notes:
            yield f"{shown}: setting {where[0]} changes component {key[0]!r} too"


def _shapes(definition: Definition, obj: JsonObject) -> dict[tuple[str, str], PodShape | None]:
    instances: list[tuple[str, Instance]] = [(c.name, i) for c in resolve(definition, obj).walk() for i in c.instances]
    return {(name, i.id): i.pod for name, i in instances}


def _field(shape: PodShape | None, key: str, fragment: str) -> Json:
    if shape is None:
        return None
    if shape.template is not None:
        spec = shape.template.get("spec")
        return spec.get(key) if isinstance(spec, dict) else None
    if shape.spec is not None:
        return shape.spec.get(key)
    return (shape.fragments or {}).get(fragment)
