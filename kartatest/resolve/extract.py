"""One component's instances: ids, pod shapes and scales, paired by position (semantics 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from kartatest.definition.model import ComponentDef, Expr, SpecDef, Use
from kartatest.resolve.convert import FRAGMENTS, Convert, objects, strings
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.model import Instance, PodShape, Problem, Scale
from kartatest.resolve.scale import plain_scales, scales
from kartatest.source import DocPath, Json

T = TypeVar("T")

_ALONE = (Instance(""),)
_NO_IDS = ("",)


class Extract(NamedTuple):
    """What was found: instances in evaluation order (Q21), faults, and per kind of value how many outputs."""

    instances: tuple[Instance, ...]
    problems: tuple[Problem, ...]
    results: Mapping[str, int]


def extract(component: ComponentDef, evaluator: Evaluator) -> Extract:
    """Reads a component. A fault in one kind of value leaves the others readable.

    Without instanceIdPath there is one instance with the id "". With it there are as many as ids, perhaps none;
    duplicate ids (Q20) and empty ones are problems, and stay apart as instances of their own.
    """
    if component.instance_ids is None and component.spec is None and component.scale is None:
        return Extract(_ALONE, (), {})
    return _as_usual(component, evaluator) or _in_full(component, evaluator)


def _as_usual(component: ComponentDef, evaluator: Evaluator) -> Extract | None:
    """What most components of most objects are: a template and counts for every instance.

    None where anything is otherwise, for `_in_full` to say what. Every component of every resolve passes here first,
    so it takes as few steps as can be.
    """
    results: dict[str, int] = {}
    ids: Sequence[Json] = _NO_IDS
    pods: Sequence[PodShape] | None = None
    sizes: Sequence[Scale] | None = None
    try:
        if component.instance_ids is not None:
            ids = evaluator.outputs(component.instance_ids)
            if not _are_ids(ids):
                return None
            results["ids"] = len(ids)
        if component.spec is not None:
            pods = _templates(component.spec, evaluator, len(ids))
            if pods is None:
                return None
            results["template"] = len(ids)
        if component.scale is not None:
            sizes = plain_scales(component.scale, evaluator, len(ids))
            if sizes is None:
                return None
            results["scale"] = len(ids)
    except Unreadable:
        return None
    nothing = [None] * len(ids)
    return Extract(tuple(map(Instance, ids, sizes or nothing, pods or nothing)), (), results)


def _are_ids(ids: Sequence[Json]) -> bool:
    for id_ in ids:
        if type(id_) is not str or not id_:
            return False
    return len(ids) < 2 or len(set(ids)) == len(ids)


def _templates(spec: SpecDef, evaluator: Evaluator, size: int) -> list[PodShape] | None:
    if spec.pod_template is None or spec.pod_spec or spec.metadata or spec.fragments:
        return None
    templates = evaluator.outputs(spec.pod_template)
    if len(templates) != size:
        return None
    pods = []
    for template in templates:
        if type(template) is dict:
            pods.append(PodShape(template))
        elif template is None:
            pods.append(PodShape(None, None, None, None, True))
        else:
            return None
    return pods


def _in_full(component: ComponentDef, evaluator: Evaluator) -> Extract:
    """As extract(), whatever the object is."""
    problems: list[Problem] = []
    results: dict[str, int] = {}
    ids = [""]
    if component.instance_ids is not None:
        named = _ids(component.instance_ids, evaluator, problems)
        if named is None:
            return Extract((), tuple(problems), results)
        ids = named
        results["ids"] = len(ids)
    reader = _Reader(len(ids), evaluator, problems, results)
    pods: Sequence[PodShape] | None = None
    if component.spec is not None:
        pods = reader.pods(component.spec)
    sizes: Sequence[Scale] | None = None
    if component.scale is not None:
        found = scales(component.scale, evaluator, problems)
        if found is not None:
            sizes = reader.aligned("scale", component.scale.at, found)
    nothing = [None] * len(ids)
    rows = zip(ids, sizes or nothing, pods or nothing, strict=True)
    return Extract(tuple([Instance(*row) for row in rows]), tuple(problems), results)


def _ids(expr: Expr, evaluator: Evaluator, problems: list[Problem]) -> list[str] | None:
    try:
        ids = strings(expr, evaluator.outputs(expr))
    except Unreadable as error:
        problems.append(error.problem)
        return None
    if "" in ids:
        problems.append(Problem(expr.at, f"an instance id is empty: {_listed(ids)}"))
    if len(set(ids)) != len(ids):
        twice = [id_ for id_, times in Counter(ids).items() if times > 1 and id_]
        if twice:
            problems.append(Problem(expr.at, f"instance ids are not unique: {_listed(twice)}"))
    return ids


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(i) for i in ids[:8])
    return f"{shown}, ..." if len(ids) > 8 else shown


class _Reader:
    """Reads the columns of one component's table, each as long as there are instances."""

    def __init__(self, size: int, evaluator: Evaluator, problems: list[Problem], results: dict[str, int]) -> None:
        self.size = size
        self.evaluator = evaluator
        self.problems = problems
        self.results = results

    def aligned(self, name: str, at: DocPath, values: list[T]) -> list[T] | None:
        """The values if there is one per instance, else None and a problem (semantics 4.3, Q16)."""
        self.results[name] = len(values)
        if len(values) == self.size:
            return values
        self.problems.append(
            Problem(at, f"{_number(self.size, 'instance')} but {_number(len(values), 'result')}; each needs one")
        )
        return None

    def column(self, name: str, expr: Expr, convert: Convert[T]) -> list[T] | None:
        """One converted output per instance; None and a problem where that is not so."""
        try:
            values = convert(expr, self.evaluator.outputs(expr))
        except Unreadable as error:
            self.problems.append(error.problem)
            return None
        return self.aligned(name, expr.at, values)

    def pods(self, spec: SpecDef) -> list[PodShape] | None:
        """The pod shapes; None where none is defined or none could be read."""
        templates = self.column("template", spec.pod_template, objects) if spec.pod_template else None
        specs = self.column("spec", spec.pod_spec, objects) if spec.pod_spec else None
        fragments = self.fragments(spec.fragments) if spec.fragments else None
        metadata = self.column("metadata", spec.metadata, objects) if spec.metadata else None
        if templates is not None and specs is None and metadata is None and fragments is None:
            return [PodShape(template=t, missed=t is None) for t in templates]
        if templates is None and specs is None and fragments is None and metadata is None:
            return None
        shapes = []
        for i in range(self.size):
            template = templates[i] if templates is not None else None
            pod = specs[i] if specs is not None else None
            missed = fragments is None and template is None and pod is None
            shapes.append(
                PodShape(
                    template,
                    pod,
                    metadata[i] if metadata is not None else None,
                    fragments[i] if fragments is not None else None,
                    missed and (templates is not None or specs is not None),
                )
            )
        return shapes

    def fragments(self, exprs: Mapping[Use, Expr]) -> list[dict[str, Json]] | None:
        """Per instance the fragments that are not null. A short list leaves the later instances without a value."""
        columns: list[tuple[str, list[Json]]] = []
        failed = False
        for expr in exprs.values():
            try:
                values = FRAGMENTS[expr.use](expr, self.evaluator.outputs(expr))
                raw = self.evaluator.outputs(expr)
            except Unreadable as error:
                self.problems.append(error.problem)
                failed = True
                continue
            columns.append((expr.use.value, [None if raw[i] is None else v for i, v in enumerate(values)]))
        length = max((len(values) for _, values in columns), default=0)
        if failed and length == 0:
            return None
        at = next(iter(exprs.values())).at[:-1]
        rows = [{name: values[i] for name, values in columns if i < len(values) and values[i] is not None}
                for i in range(length)]  # fmt: skip
        return self.aligned("fragments", at, rows)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
