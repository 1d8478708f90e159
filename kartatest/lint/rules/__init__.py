"""All rules, in the order of their codes. One import and one line of the tuple for each."""

from __future__ import annotations

from kartatest.lint.rule import Rule
from kartatest.lint.rules import comments, loading
from kartatest.lint.rules import kt101_duplicate_component_name as kt101
from kartatest.lint.rules import kt102_missing_owner as kt102
from kartatest.lint.rules import kt103_unknown_owner as kt103
from kartatest.lint.rules import kt104_ownership_cycle as kt104
from kartatest.lint.rules import kt105_root_with_owner as kt105
from kartatest.lint.rules import kt106_incomplete_root_kind as kt106
from kartatest.lint.rules import kt107_root_without_status as kt107
from kartatest.lint.rules import kt108_empty_component_name as kt108
from kartatest.lint.rules import kt109_several_pod_shapes as kt109
from kartatest.lint.rules import kt110_instances_without_selector as kt110
from kartatest.lint.rules import kt111_instance_selector_without_ids as kt111
from kartatest.lint.rules import kt112_kind_labels as kt112
from kartatest.lint.rules import kt113_definition_name as kt113
from kartatest.lint.rules import kt114_incomplete_kind as kt114
from kartatest.lint.rules import kt115_kind_spelling as kt115
from kartatest.lint.rules import kt116_unknown_builtin_kind as kt116
from kartatest.lint.rules import kt117_repeated_additional_kind as kt117
from kartatest.lint.rules import kt118_kind_listed_twice as kt118
from kartatest.lint.rules import kt119_subgroup_name as kt119
from kartatest.lint.rules import kt120_kind_defined_twice as kt120
from kartatest.lint.rules import kt905_file_name as kt905
from kartatest.lint.rules import kt906_deprecated_pod_groups as kt906

RULES: tuple[Rule, ...] = (
    *loading.RULES,
    kt101.RULE,
    kt102.RULE,
    kt103.RULE,
    kt104.RULE,
    kt105.RULE,
    kt106.RULE,
    kt107.RULE,
    kt108.RULE,
    kt109.RULE,
    kt110.RULE,
    kt111.RULE,
    kt112.RULE,
    kt113.RULE,
    kt114.RULE,
    kt115.RULE,
    kt116.RULE,
    kt117.RULE,
    kt118.RULE,
    kt119.RULE,
    kt120.RULE,
    *comments.RULES,
    kt905.RULE,
    kt906.RULE,
)
