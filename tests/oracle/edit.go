package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/run-ai/karta/pkg/api/runai/v1alpha1"
	"github.com/run-ai/karta/pkg/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// edition asks for one edit. do is "suspend", "resume", "identity" (read the pods and write them back), "set" (change
// what was read) or "write" (fragments alone, without reading).
// component "" means all: suspend takes children last to first and then the root, the others the order of the file.
// instances nil means all; one that the object does not have is handed on all the same.
type edition struct {
	Definition v1alpha1.Karta `json:"definition"`
	Object     map[string]any `json:"object"`
	Do         string         `json:"do"`
	Component  string         `json:"component"`
	Instances  []string       `json:"instances"`
	Set        settings       `json:"set"`
}

type settings struct {
	SchedulerName string            `json:"schedulerName"`
	Labels        map[string]string `json:"labels"`
	Image         string            `json:"image"`
}

// edited is the object after the edit, also after one that failed half way.
type edited struct {
	Object any    `json:"object"`
	Error  string `json:"error,omitempty"`
}

func answerEdit(line []byte) (any, error) {
	var e edition
	if err := json.Unmarshal(line, &e); err != nil {
		return edited{Error: err.Error()}, nil
	}
	return e.made(), nil
}

func (e *edition) made() (result edited) {
	defer func() {
		if fault := recover(); fault != nil {
			result.Error = fmt.Sprint("panic: ", fault)
		}
	}()
	factory := resource.NewComponentFactoryFromObject(&e.Definition, &unstructured.Unstructured{Object: e.Object})
	failure := e.apply(context.Background(), factory)
	if failure != nil {
		result.Error = failure.Error()
	}
	made, err := factory.GetResource()
	if err != nil {
		result.Error += " " + err.Error()
		return result
	}
	result.Object = made.(*unstructured.Unstructured).Object
	return result
}

func (e *edition) apply(ctx context.Context, factory *resource.ComponentFactory) error {
	root, err := factory.GetRootComponent()
	if err != nil {
		return err
	}
	children, err := factory.GetChildComponents()
	if err != nil {
		return err
	}
	components := append([]*resource.Component{root}, children...)
	if e.Do == "suspend" {
		slices.Reverse(components)
	}
	for _, component := range components {
		if e.Component != "" && component.Name() != e.Component {
			continue
		}
		if err := e.edit(ctx, component); err != nil {
			return err
		}
	}
	return nil
}

func (e *edition) edit(ctx context.Context, c *resource.Component) error {
	switch e.Do {
	case "suspend":
		return c.Suspend(ctx)
	case "resume":
		return c.Resume(ctx)
	}
	if !c.HasPodDefinition() {
		return nil
	}
	if e.Do == "write" {
		ids, err := c.GetInstanceIds(ctx)
		if err != nil {
			return err
		}
		values := map[string]resource.FragmentedPodSpec{}
		for _, id := range ids {
			values[id] = e.Set.fragments(resource.FragmentedPodSpec{})
		}
		return c.UpdateFragmentedPodSpec(ctx, values)
	}
	if templates, err := c.GetPodTemplateSpec(ctx); err != nil {
		return err
	} else if templates != nil {
		return c.UpdatePodTemplateSpec(ctx, changed(e, templates, func(t corev1.PodTemplateSpec) corev1.PodTemplateSpec {
			t.Spec, t.Labels = e.Set.spec(t.Spec), e.Set.labels(t.Labels)
			return t
		}))
	}
	if specs, err := c.GetPodSpec(ctx); err != nil {
		return err
	} else if specs != nil {
		if err := c.UpdatePodSpec(ctx, changed(e, specs, e.Set.spec)); err != nil {
			return err
		}
		metadata, err := c.GetPodMetadata(ctx)
		if err != nil || metadata == nil {
			return err
		}
		return c.UpdatePodMetadata(ctx, changed(e, metadata, func(m metav1.ObjectMeta) metav1.ObjectMeta {
			m.Labels = e.Set.labels(m.Labels)
			return m
		}))
	}
	fragments, err := c.GetFragmentedPodSpec(ctx)
	if err != nil || fragments == nil {
		return err
	}
	return c.UpdateFragmentedPodSpec(ctx, changed(e, fragments, e.Set.fragments))
}

// changed gives the values to write: those of the instances that are meant are changed.
func changed[T any](e *edition, values map[string]T, change func(T) T) map[string]T {
	for id, value := range values {
		if e.Do == "set" && (e.Instances == nil || slices.Contains(e.Instances, id)) {
			values[id] = change(value)
		}
	}
	for _, id := range e.Instances {
		if _, known := values[id]; !known {
			values[id] = change(*new(T))
		}
	}
	return values
}

func (s settings) spec(spec corev1.PodSpec) corev1.PodSpec {
	if s.SchedulerName != "" {
		spec.SchedulerName = s.SchedulerName
	}
	if s.Image != "" && len(spec.Containers) == 1 {
		spec.Containers[0].Image = s.Image
	}
	return spec
}

func (s settings) labels(labels map[string]string) map[string]string {
	for key, value := range s.Labels {
		if labels == nil {
			labels = map[string]string{}
		}
		labels[key] = value
	}
	return labels
}

func (s settings) fragments(f resource.FragmentedPodSpec) resource.FragmentedPodSpec {
	if s.SchedulerName != "" {
		f.SchedulerName = s.SchedulerName
	}
	if s.Image != "" {
		f.Image = s.Image
	}
	f.Labels = s.labels(f.Labels)
	return f
}
