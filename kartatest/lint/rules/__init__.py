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
from kartatest.lint.rules import kt121_copied_children as kt121
from kartatest.lint.rules import kt201_unknown_function as kt201
from kartatest.lint.rules import kt202_unknown_variable as kt202
from kartatest.lint.rules import kt204_changes_object as kt204
from kartatest.lint.rules import kt205_reads_outside as kt205
from kartatest.lint.rules import kt206_unbounded as kt206
from kartatest.lint.rules import kt207_refused_by_consumers as kt207
from kartatest.lint.rules import kt208_not_in_every_engine as kt208
from kartatest.lint.rules import kt209_only_defines as kt209
from kartatest.lint.rules import kt210_empty_expression as kt210
from kartatest.lint.rules import kt211_trailing_comment as kt211
from kartatest.lint.rules import kt212_wrong_root as kt212
from kartatest.lint.rules import kt213_missing_leading_dot as kt213
from kartatest.lint.rules import kt214_unquoted_key as kt214
from kartatest.lint.rules import kt215_bare_word as kt215
from kartatest.lint.rules import kt216_regex_not_portable as kt216
from kartatest.lint.rules import kt217_regex_flag as kt217
from kartatest.lint.rules import kt218_number_text as kt218
from kartatest.lint.rules import kt219_key_order as kt219
from kartatest.lint.rules import kt220_true_by_default as kt220
from kartatest.lint.rules import kt221_default_after_iterator as kt221
from kartatest.lint.rules import kt222_comparison_after_default as kt222
from kartatest.lint.rules import kt223_several_results as kt223
from kartatest.lint.rules import kt224_counter_without_default as kt224
from kartatest.lint.rules import kt225_null_equals_null as kt225
from kartatest.lint.rules import kt226_quantity_as_number as kt226
from kartatest.lint.rules import kt227_unguarded_iteration as kt227
from kartatest.lint.rules import kt228_all_of_nothing as kt228
from kartatest.lint.rules import kt229_arithmetic_on_null as kt229
from kartatest.lint.rules import kt230_engine_difference as kt230
from kartatest.lint.rules import kt231_misspelt_object_field as kt231
from kartatest.lint.rules import kt240_unknown_field as kt240
from kartatest.lint.rules import kt241_other_release as kt241
from kartatest.lint.rules import kt242_wrong_result as kt242
from kartatest.lint.rules import kt243_can_fail as kt243
from kartatest.lint.rules import kt244_never_equal as kt244
from kartatest.lint.rules import kt245_other_default as kt245
from kartatest.lint.rules import kt246_text_order as kt246
from kartatest.lint.rules import kt247_both_absent as kt247
from kartatest.lint.rules import kt301_empty_part as kt301
from kartatest.lint.rules import kt302_metadata_alone as kt302
from kartatest.lint.rules import kt303_metadata_beside_template as kt303
from kartatest.lint.rules import kt304_iteration_without_ids as kt304
from kartatest.lint.rules import kt305_ids_without_iteration as kt305
from kartatest.lint.rules import kt306_other_collection as kt306
from kartatest.lint.rules import kt307_unwritable_action as kt307
from kartatest.lint.rules import kt308_unwritable_path as kt308
from kartatest.lint.rules import kt309_action_value_not_json as kt309
from kartatest.lint.rules import kt310_resume_sets_scale as kt310
from kartatest.lint.rules import kt311_action_makes_element as kt311
from kartatest.lint.rules import kt312_action_iterates as kt312
from kartatest.lint.rules import kt313_suspend_like_resume as kt313
from kartatest.lint.rules import kt314_resume_misses_field as kt314
from kartatest.lint.rules import kt315_scale_without_pods as kt315
from kartatest.lint.rules import kt316_scale_counted_twice as kt316
from kartatest.lint.rules import kt317_impossible_bounds as kt317
from kartatest.lint.rules import kt318_dropped_instances as kt318
from kartatest.lint.rules import kt319_may_give_nothing as kt319
from kartatest.lint.rules import kt320_other_entries as kt320
from kartatest.lint.rules import kt321_action_type as kt321
from kartatest.lint.rules import kt322_null_id as kt322
from kartatest.lint.rules import kt323_constant_scale as kt323
from kartatest.lint.rules import kt324_metadata_over_object as kt324
from kartatest.lint.rules import kt401_empty_matcher as kt401
from kartatest.lint.rules import kt402_condition_type_only as kt402
from kartatest.lint.rules import kt403_field_switched_off as kt403
from kartatest.lint.rules import kt404_expects_null as kt404
from kartatest.lint.rules import kt405_no_phase as kt405
from kartatest.lint.rules import kt406_no_conditions as kt406
from kartatest.lint.rules import kt407_same_matcher as kt407
from kartatest.lint.rules import kt408_implied_matcher as kt408
from kartatest.lint.rules import kt409_no_mapping as kt409
from kartatest.lint.rules import kt410_empty_status as kt410
from kartatest.lint.rules import kt411_condition_status_case as kt411
from kartatest.lint.rules import kt412_child_status as kt412
from kartatest.lint.rules import kt413_contradictory_matcher as kt413
from kartatest.lint.rules import kt414_impossible_result as kt414
from kartatest.lint.rules import kt415_unused_phase as kt415
from kartatest.lint.rules import kt416_conditions_not_a_list as kt416
from kartatest.lint.rules import kt417_phase_not_text as kt417
from kartatest.lint.rules import kt418_repeated_matcher as kt418
from kartatest.lint.rules import kt419_unknown_condition as kt419
from kartatest.lint.rules import kt420_absent_is_not_false as kt420
from kartatest.lint.rules import kt421_unknown_phase as kt421
from kartatest.lint.rules import kt422_unmapped_phase as kt422
from kartatest.lint.rules import kt501_selector_precedence as kt501
from kartatest.lint.rules import kt502_text_versus_number as kt502
from kartatest.lint.rules import kt503_existence_of_boolean as kt503
from kartatest.lint.rules import kt504_illegal_label as kt504
from kartatest.lint.rules import kt505_value_without_key as kt505
from kartatest.lint.rules import kt506_empty_type_selector as kt506
from kartatest.lint.rules import kt507_selects_by_kind as kt507
from kartatest.lint.rules import kt508_unselected_pods as kt508
from kartatest.lint.rules import kt509_contested_pods as kt509
from kartatest.lint.rules import kt510_nested_selectors as kt510
from kartatest.lint.rules import kt511_instance_is_type as kt511
from kartatest.lint.rules import kt512_fails_on_bare_pod as kt512
from kartatest.lint.rules import kt601_unknown_member as kt601
from kartatest.lint.rules import kt602_subgroup_without_selector as kt602
from kartatest.lint.rules import kt603_nested_subgroups as kt603
from kartatest.lint.rules import kt604_subgroup_without_scale as kt604
from kartatest.lint.rules import kt605_group_name as kt605
from kartatest.lint.rules import kt607_incomplete_topology as kt607
from kartatest.lint.rules import kt608_colliding_groups as kt608
from kartatest.lint.rules import kt609_filter_not_boolean as kt609
from kartatest.lint.rules import kt610_filter_with_several_results as kt610
from kartatest.lint.rules import kt611_key_with_several_results as kt611
from kartatest.lint.rules import kt614_no_gang as kt614
from kartatest.lint.rules import kt616_number_as_key as kt616
from kartatest.lint.rules import kt617_key_not_text as kt617
from kartatest.lint.rules import kt618_labels_unknown_to_scheduler as kt618
from kartatest.lint.rules import kt619_uncounted_pods as kt619
from kartatest.lint.rules import kt620_instances_without_scale as kt620
from kartatest.lint.rules import kt621_shared_minimum as kt621
from kartatest.lint.rules import kt622_many_pod_sets as kt622
from kartatest.lint.rules import kt623_ungrouped_pods as kt623
from kartatest.lint.rules import kt624_core_kind_as_gang as kt624
from kartatest.lint.rules import kt701_always_fails as kt701
from kartatest.lint.rules import kt702_sometimes_fails as kt702
from kartatest.lint.rules import kt703_never_a_value as kt703
from kartatest.lint.rules import kt704_no_status as kt704
from kartatest.lint.rules import kt705_overlapping_statuses as kt705
from kartatest.lint.rules import kt706_unexpected_status as kt706
from kartatest.lint.rules import kt707_no_containers as kt707
from kartatest.lint.rules import kt708_misaligned_values as kt708
from kartatest.lint.rules import kt709_dead_phase as kt709
from kartatest.lint.rules import kt710_dead_condition as kt710
from kartatest.lint.rules import kt711_status_not_recorded as kt711
from kartatest.lint.rules import kt712_other_minimum as kt712
from kartatest.lint.rules import kt713_gang_subgroup_zero as kt713
from kartatest.lint.rules import kt714_count_not_taken as kt714
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
    kt121.RULE,
    kt201.RULE,
    kt202.RULE,
    kt204.RULE,
    kt205.RULE,
    kt206.RULE,
    kt207.RULE,
    kt208.RULE,
    kt209.RULE,
    kt210.RULE,
    kt211.RULE,
    kt212.RULE,
    kt213.RULE,
    kt214.RULE,
    kt215.RULE,
    kt216.RULE,
    kt217.RULE,
    kt218.RULE,
    kt219.RULE,
    kt220.RULE,
    kt221.RULE,
    kt222.RULE,
    kt223.RULE,
    kt224.RULE,
    kt225.RULE,
    kt226.RULE,
    kt227.RULE,
    kt228.RULE,
    kt229.RULE,
    kt230.RULE,
    kt231.RULE,
    kt240.RULE,
    kt241.RULE,
    kt242.RULE,
    kt243.RULE,
    kt244.RULE,
    kt245.RULE,
    kt246.RULE,
    kt247.RULE,
    kt301.RULE,
    kt302.RULE,
    kt303.RULE,
    kt304.RULE,
    kt305.RULE,
    kt306.RULE,
    kt307.RULE,
    kt308.RULE,
    kt309.RULE,
    kt310.RULE,
    kt311.RULE,
    kt312.RULE,
    kt313.RULE,
    kt314.RULE,
    kt315.RULE,
    kt316.RULE,
    kt317.RULE,
    kt318.RULE,
    kt319.RULE,
    kt320.RULE,
    kt321.RULE,
    kt322.RULE,
    kt323.RULE,
    kt324.RULE,
    kt401.RULE,
    kt402.RULE,
    kt403.RULE,
    kt404.RULE,
    kt405.RULE,
    kt406.RULE,
    kt407.RULE,
    kt408.RULE,
    kt409.RULE,
    kt410.RULE,
    kt411.RULE,
    kt412.RULE,
    kt413.RULE,
    kt414.RULE,
    kt415.RULE,
    kt416.RULE,
    kt417.RULE,
    kt418.RULE,
    kt419.RULE,
    kt420.RULE,
    kt421.RULE,
    kt422.RULE,
    kt501.RULE,
    kt502.RULE,
    kt503.RULE,
    kt504.RULE,
    kt505.RULE,
    kt506.RULE,
    kt507.RULE,
    kt508.RULE,
    kt509.RULE,
    kt510.RULE,
    kt511.RULE,
    kt512.RULE,
    kt601.RULE,
    kt602.RULE,
    kt603.RULE,
    kt604.RULE,
    kt605.RULE,
    kt607.RULE,
    kt608.RULE,
    kt609.RULE,
    kt610.RULE,
    kt611.RULE,
    kt614.RULE,
    kt616.RULE,
    kt617.RULE,
    kt618.RULE,
    kt619.RULE,
    kt620.RULE,
    kt621.RULE,
    kt622.RULE,
    kt623.RULE,
    kt624.RULE,
    kt701.RULE,
    kt702.RULE,
    kt703.RULE,
    kt704.RULE,
    kt705.RULE,
    kt706.RULE,
    kt707.RULE,
    kt708.RULE,
    kt709.RULE,
    kt710.RULE,
    kt711.RULE,
    kt712.RULE,
    kt713.RULE,
    kt714.RULE,
    *comments.RULES,
    kt905.RULE,
    kt906.RULE,
)
