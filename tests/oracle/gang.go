package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/run-ai/karta/pkg/api/runai/v1alpha1"
	"github.com/run-ai/karta/pkg/instructions"
	"github.com/run-ai/karta/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type gangQuestion struct {
	Definition v1alpha1.Karta `json:"definition"`
	Object     map[string]any `json:"object"`
	Pods       []corev1.Pod   `json:"pods"`
}

// gangPod is what is made of one pod. Member is the component that its pod group counts, null where there is none.
type gangPod struct {
	Component got            `json:"component"`
	Member    got            `json:"member"`
	Instance  got            `json:"instance"`
	Keys      got            `json:"keys"`
	Matches   map[string]got `json:"matches"`
}

type gangAnswer struct {
	Valid     bool                      `json:"valid"`
	Scales    map[string]got            `json:"scales"`
	Instances map[string]map[string]got `json:"instances"`
	Pods      []gangPod                 `json:"pods"`
	Error     string                    `json:"error,omitempty"`
}

func answerGang(line []byte) (any, error) {
	var q gangQuestion
	if err := json.Unmarshal(line, &q); err != nil {
		return gangAnswer{Error: err.Error()}, nil
	}
	return gangOf(&q), nil
}

func gangOf(q *gangQuestion) (result gangAnswer) {
	result = gangAnswer{Valid: true, Scales: map[string]got{}, Instances: map[string]map[string]got{}}
	defer func() {
		if fault := recover(); fault != nil {
			result.Error = fmt.Sprint("panic: ", fault)
		}
	}()
	if err := v1alpha1.NewKartaValidator(&q.Definition).Validate(); err != nil {
		return gangAnswer{Error: err.Error()} // a cycle would never end below
	}
	ctx := context.Background()
	factory := resource.NewComponentFactoryFromObject(&q.Definition, &unstructured.Unstructured{Object: q.Object})
	summary, err := instructions.NewStructureSummary(&q.Definition)
	if err != nil {
		return gangAnswer{Error: err.Error()}
	}
	structure := q.Definition.Spec.StructureDefinition
	for _, component := range append([]v1alpha1.ComponentDefinition{structure.RootComponent}, structure.ChildComponents...) {
		name := component.Name
		result.Scales[name] = value(instructions.CalculateSubtreeScale(ctx, name, nil, factory, summary))
		result.Instances[name] = map[string]got{}
		found, err := factory.GetComponent(name)
		if err != nil {
			continue
		}
		ids, err := found.GetInstanceIds(ctx)
		if err != nil {
			continue
		}
		for _, id := range append(ids, "nobody") {
			if id != "" {
				scale, err := instructions.CalculateSubtreeScale(ctx, name, &id, factory, summary)
				result.Instances[name][id] = value(scale, err)
			}
		}
	}
	for i := range q.Pods {
		result.Pods = append(result.Pods, gangOfPod(ctx, &q.Pods[i], &q.Definition, factory, summary))
	}
	return result
}

func gangOfPod(
	ctx context.Context, pod *corev1.Pod, definition *v1alpha1.Karta, factory *resource.ComponentFactory,
	summary *instructions.StructureSummary,
) gangPod {
	querier := resource.NewPodQuerier(pod)
	result := gangPod{Matches: map[string]got{}}
	structure := definition.Spec.StructureDefinition
	for _, component := range append([]v1alpha1.ComponentDefinition{structure.RootComponent}, structure.ChildComponents...) {
		if component.PodSelector != nil {
			selector := component.PodSelector.ComponentTypeSelector
			result.Matches[component.Name] = value(querier.MatchesComponentType(ctx, selector))
		}
	}
	name, err := instructions.InferPodComponent(ctx, querier, summary)
	result.Component = value(name, err)
	if err != nil {
		return result
	}
	result.Instance = value(instructions.InferPodComponentInstance(ctx, querier, name, factory))
	member, err := instructions.GetPodGroupingEffectiveComponent(ctx, querier, name, summary)
	if err != nil || member == nil {
		result.Member = value(any(nil), err)
		return result
	}
	result.Member = got{Value: []string{member.PodGroupName, member.EffectiveComponent}}
	result.Keys = value(querier.ExtractGroupKeys(ctx, member.MemberDefinition.GroupByKeyPaths))
	return result
}
