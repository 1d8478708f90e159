"""From a document's plain value to a Definition, leaving out whatever has the wrong type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kartatest.definition import fields
from kartatest.definition.check import MAX_PROBLEMS, Written, is_lone_item, right_name
from kartatest.definition.model import (
    FRAGMENT_USES,
    Action,
    AlphaGroupDef,
    ComponentDef,
    ConditionMatch,
    ConditionsDef,
    Definition,
    Expr,
    GangDef,
    Gvk,
    KindRef,
    Matcher,
    MemberDef,
    PodGroupDef,
    PodSelector,
    ScaleDef,
    SpecDef,
    Status,
    StatusDef,
    StatusMapping,
    SubGroupDef,
    SuspendDef,
    Topology,
    TypeSelector,
    Use,
)
from kartatest.definition.shapes import ListOf, Struct
from kartatest.source import DocPath, Json, JsonObject


class _Part:
    """A mapping of the file with its place.

    A slip whose meaning is certain is read as what it means; the finding about it is made all the same.
    """

    __slots__ = ("at", "rank", "shape", "slips", "value", "written")

    def __init__(
        self, value: JsonObject, at: DocPath, shape: Struct, written: Written, rank: tuple[int, ...] = ()
    ) -> None:
        self.value = value
        self.rank = rank
        self.written = written
        self.at = at
        self.shape = shape
        strange = islice((key for key in value if key not in shape.by_name), MAX_PROBLEMS)
        self.slips = {right_name(key, shape): key for key in strange}

    def key(self, name: str) -> str:
        """The key as written of the field of this name, or the name itself."""
        return name if name in self.value else self.slips.get(name, name)

    def raw(self, name: str) -> Json:
        return self.value.get(self.key(name))

    def as_text(self, value: Json, *at: str | int) -> str | None:
        """A text, or the characters of an unquoted number or boolean; None for all else."""
        if isinstance(value, bool | int | float):
            return self.written((*self.at, *at))
        return value if isinstance(value, str) else None

    def text(self, name: str) -> str | None:
        key = self.key(name)
        return self.as_text(self.value.get(key), key)

    def texts(self, name: str) -> dict[str, str] | None:
        """The texts of a mapping; None when it is none."""
        key = self.key(name)
        found = self.value.get(key)
        if not isinstance(found, dict):
            return None
        pairs = ((k, self.as_text(item, key, k)) for k, item in found.items())
        return {k: text for k, text in pairs if text is not None}

    def expr(self, use: Use, name: str = "") -> Expr | None:
        key = self.key(name or use.value.rpartition(".")[2])
        found = self.as_text(self.value.get(key), key)
        return Expr((*self.at, key), found, use, self.ranked(key)) if found is not None else None

    def ranked(self, key: str) -> tuple[int, ...]:
        """The rank of the entry of this key; of one that is absent, behind all others."""
        return (*self.rank, next((i for i, k in enumerate(self.value) if k == key), len(self.value)))

    def part(self, name: str) -> _Part | None:
        key = self.key(name)
        found = self.value.get(key)
        if not isinstance(found, dict):
            return None
        shape = self.shape.by_name[name].shape
        assert isinstance(shape, Struct)
        return _Part(found, (*self.at, key), shape, self.written, self.ranked(key))

    def items(self, name: str) -> Iterator[_Part]:
        """The mappings among the items of a list; nothing when it is no list."""
        key = self.key(name)
        found = self.value.get(key)
        shape = self.shape.by_name[name].shape
        assert isinstance(shape, ListOf)
        assert isinstance(shape.item, Struct)
        rank = self.ranked(key)
        if isinstance(found, dict) and is_lone_item(found, shape):
            yield _Part(found, (*self.at, key), shape.item, self.written, rank)
        for i, item in enumerate(found if isinstance(found, list) else ()):
            if isinstance(item, dict):
                yield _Part(item, (*self.at, key, i), shape.item, self.written, (*rank, i))

    def exprs(self, name: str, use: Use) -> tuple[Expr, ...]:
        """The texts among the items of a list of expressions."""
        key = self.key(name)
        found = self.value.get(key)
        items = found if isinstance(found, list) else ()
        texts = ((i, self.as_text(item, key, i)) for i, item in enumerate(items))
        rank = self.ranked(key)
        return tuple(Expr((*self.at, key, i), text, use, (*rank, i)) for i, text in texts if text is not None)


def definition(
    value: JsonObject, file: str, index: int, at: DocPath, *, written: Written = lambda _: None
) -> Definition:
    """The definition that stands at `at` in the document of this index. Defaults are filled in (Q07).

    written gives a plain scalar's characters: an unquoted number or boolean where text belongs is read as these.
    """
    whole = _Part(value, at, fields.DEFINITION, written)
    metadata = whole.part("metadata")
    spec = whole.part("spec")
    structure = spec.part("structureDefinition") if spec else None
    instructions = spec.part("optimizationInstructions") if spec else None
    gang = instructions.part("gangScheduling") if instructions else None
    root = structure.part("rootComponent") if structure else None
    root_at = (*at, "spec", "structureDefinition", "rootComponent")
    return Definition(
        file=file,
        index=index,
        name=(metadata.text("name") if metadata else None) or "",
        labels=(metadata.texts("labels") if metadata else None) or {},
        root=_component(root) if root else ComponentDef(root_at, ""),
        children=tuple(_component(p) for p in structure.items("childComponents")) if structure else (),
        additional_kinds=tuple(KindRef(p.at, _gvk(p)) for p in structure.items("additionalChildKinds"))
        if structure
        else (),
        gang=_gang(gang) if gang else None,
        at=at,
    )


def _gvk(part: _Part) -> Gvk:
    return Gvk(part.text("group") or "", part.text("version") or "", part.text("kind") or "")


def _component(c: _Part) -> ComponentDef:
    kind, spec, scale = c.part("kind"), c.part("specDefinition"), c.part("scaleDefinition")
    status, suspend, selector = c.part("statusDefinition"), c.part("suspendDefinition"), c.part("podSelector")
    return ComponentDef(
        at=c.at,
        name=c.text("name") or "",
        kind=_gvk(kind) if kind else None,
        owner=c.text("ownerRef"),
        spec=_spec(spec) if spec else None,
        scale=ScaleDef(scale.at, scale.expr(Use.REPLICAS), scale.expr(Use.MIN_REPLICAS), scale.expr(Use.MAX_REPLICAS))
        if scale
        else None,
        status=_status(status) if status else None,
        suspend=SuspendDef(suspend.at, _actions(suspend, "suspendActions"), _actions(suspend, "resumeActions"))
        if suspend
        else None,
        instance_ids=c.expr(Use.INSTANCE_ID),
        selector=_selector(selector) if selector else None,
    )


def _spec(s: _Part) -> SpecDef:
    fragments = s.part("fragmentedPodSpecDefinition")
    found = None
    if fragments:
        found = {use: expr for use in FRAGMENT_USES if (expr := fragments.expr(use)) is not None}
    return SpecDef(s.at, s.expr(Use.POD_TEMPLATE_SPEC), s.expr(Use.POD_SPEC), s.expr(Use.METADATA), found)


def _status(s: _Part) -> StatusDef:
    phase, conditions, mappings = s.part("phaseDefinition"), s.part("conditionsDefinition"), s.part("statusMappings")
    return StatusDef(
        s.at,
        phase.expr(Use.PHASE) if phase else None,
        _conditions(conditions) if conditions else None,
        tuple(_mappings(mappings)) if mappings else (),
    )


def _conditions(c: _Part) -> ConditionsDef:
    def named(name: str) -> str:
        written = c.text(name)
        default = c.shape.by_name[name].default or ""
        return default if written is None else written

    return ConditionsDef(
        c.at,
        c.expr(Use.CONDITIONS),
        type_field=named("typeFieldName"),
        status_field=named("statusFieldName"),
        message_field=named("messageFieldName"),
        reason_field=named("reasonFieldName"),
    )


def _mappings(m: _Part) -> Iterator[StatusMapping]:
    for status in Status:
        if status is not Status.UNDEFINED and isinstance(m.raw(status.key), list | dict):
            matchers = tuple(_matcher(p) for p in m.items(status.key))
            yield StatusMapping((*m.at, m.key(status.key)), status, matchers)


def _matcher(m: _Part) -> Matcher:
    by_expression = m.part("byExpression")
    return Matcher(
        m.at,
        phase=m.text("byPhase"),
        conditions=tuple(
            ConditionMatch(c.at, c.text("type") or "", c.text("status"), c.text("reason"))
            for c in m.items("byConditions")
        ),
        expression=by_expression.expr(Use.MATCHER) if by_expression else None,
        expected=(by_expression.text("expectedResult") or "") if by_expression else None,
    )


def _actions(s: _Part, name: str) -> tuple[Action, ...]:
    return tuple(Action(p.at, p.expr(Use.ACTION), p.text("value")) for p in s.items(name))


def _selector(s: _Part) -> PodSelector:
    by_type, by_instance = s.part("componentTypeSelector"), s.part("componentInstanceSelector")
    by_replica = s.part("replicaSelector")
    return PodSelector(
        s.at,
        type=TypeSelector(by_type.at, by_type.expr(Use.TYPE_KEY), by_type.text("value"), by_type.texts("matchLabels"))
        if by_type
        else None,
        instance_id=by_instance.expr(Use.POD_INSTANCE_ID) if by_instance else None,
        replica_key=by_replica.expr(Use.REPLICA_KEY) if by_replica else None,
    )


def _gang(g: _Part) -> GangDef:
    group = g.part("podGroup")
    return GangDef(
        g.at,
        pod_group=PodGroupDef(
            group.at,
            group.text("name") or "",
            tuple(
                SubGroupDef(p.at, p.text("componentName") or "", _topology(p.part("topology")))
                for p in group.items("subGroups")
            ),
            _topology(group.part("topology")),
        )
        if group
        else None,
        pod_groups=tuple(
            AlphaGroupDef(p.at, p.text("name") or "", tuple(_member(m) for m in p.items("members")))
            for p in g.items("podGroups")
        ),
    )


def _member(m: _Part) -> MemberDef:
    keys, filters = m.exprs("groupByKeyPaths", Use.GROUP_KEY), m.exprs("filters", Use.FILTER)
    return MemberDef(m.at, m.text("componentName") or "", keys, filters)


def _topology(t: _Part | None) -> Topology | None:
    if t is None:
        return None
    preferred, required = t.text("preferredTopologyLevel"), t.text("requiredTopologyLevel")
    return Topology(t.at, t.text("topologyName") or "", preferred or "", required or "")
