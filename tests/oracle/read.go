package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/run-ai/karta/pkg/api/runai/v1alpha1"
	"github.com/run-ai/karta/pkg/resource"
	"github.com/run-ai/karta/pkg/tree"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type reading struct {
	Definition v1alpha1.Karta   `json:"definition"`
	Objects    []map[string]any `json:"objects"`
}

// got is a value or the reason there is none; both are absent where the definition does not ask for it.
type got struct {
	Value any    `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

type componentReading struct {
	Ids        got  `json:"ids"`
	Templates  got  `json:"templates"`
	PodSpecs   got  `json:"podSpecs"`
	Fragments  got  `json:"fragments"`
	Metadata   got  `json:"metadata"`
	Scale      got  `json:"scale"`
	Status     got  `json:"status"`
	BearsPods  bool `json:"bearsPods"`
	Suspending bool `json:"suspending"`
}

type objectReading struct {
	Components map[string]componentReading `json:"components"`
	Tree       got                         `json:"tree"`
	Error      string                      `json:"error,omitempty"`
}

type readingAnswer struct {
	Valid   bool            `json:"valid"`
	Verdict string          `json:"verdict"`
	Objects []objectReading `json:"objects"`
	Error   string          `json:"error,omitempty"`
}

func answerRead(line []byte) (any, error) {
	var r reading
	if err := json.Unmarshal(line, &r); err != nil {
		return readingAnswer{Error: err.Error(), Objects: []objectReading{}}, nil
	}
	answer := readingAnswer{Valid: true, Objects: []objectReading{}}
	if err := v1alpha1.NewKartaValidator(&r.Definition).Validate(); err != nil {
		answer.Valid, answer.Verdict = false, err.Error()
	}
	for _, object := range r.Objects {
		answer.Objects = append(answer.Objects, readObject(&r.Definition, object))
	}
	return answer, nil
}

func readObject(definition *v1alpha1.Karta, object map[string]any) (result objectReading) {
	result.Components = map[string]componentReading{}
	defer func() {
		if fault := recover(); fault != nil {
			result.Error = fmt.Sprint("panic: ", fault)
		}
	}()
	ctx := context.Background()
	factory := resource.NewComponentFactoryFromObject(definition, &unstructured.Unstructured{Object: object})
	root, err := factory.GetRootComponent()
	if err != nil {
		result.Error = err.Error()
		return result
	}
	children, err := factory.GetChildComponents()
	if err != nil {
		result.Error = err.Error()
		return result
	}
	for _, component := range append([]*resource.Component{root}, children...) {
		result.Components[component.Name()] = readComponent(ctx, component)
	}
	result.Tree = value(tree.Build(ctx, factory))
	return result
}

func readComponent(ctx context.Context, c *resource.Component) componentReading {
	return componentReading{
		Ids:        value(c.GetInstanceIds(ctx)),
		Templates:  value(c.GetPodTemplateSpec(ctx)),
		PodSpecs:   value(c.GetPodSpec(ctx)),
		Fragments:  value(c.GetFragmentedPodSpec(ctx)),
		Metadata:   value(c.GetPodMetadata(ctx)),
		Scale:      value(c.GetScale(ctx)),
		Status:     value(c.GetStatus(ctx)),
		BearsPods:  c.HasPodDefinition(),
		Suspending: c.HasSuspendDefinition(),
	}
}

func value[T any](v T, err error) got {
	if err != nil {
		return got{Error: err.Error()}
	}
	return got{Value: v}
}

type benchAnswer struct {
	Nanoseconds int64  `json:"nanoseconds"`
	Error       string `json:"error,omitempty"`
}

// answerBench times what a consumer does for one object: a factory and its tree. The first object counts.
func answerBench(line []byte) (any, error) {
	var r reading
	if err := json.Unmarshal(line, &r); err != nil || len(r.Objects) == 0 {
		return benchAnswer{Error: fmt.Sprint("bad line: ", err)}, nil
	}
	ctx := context.Background()
	object := &unstructured.Unstructured{Object: r.Objects[0]}
	var failure error
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			if _, err := tree.Build(ctx, resource.NewComponentFactoryFromObject(&r.Definition, object)); err != nil {
				failure = err
			}
		}
	})
	if failure != nil {
		return benchAnswer{Error: failure.Error()}, nil
	}
	return benchAnswer{Nanoseconds: result.NsPerOp()}, nil
}
