package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/itchyny/gojq"
)

// The limits of the consumers' runner, with a shorter time: a comparison wants answers, not patience.
const (
	maxOutputs   = 1000
	queryTimeout = 2 * time.Second
)

type question struct {
	Program string `json:"program"`
	Input   any    `json:"input"`
}

type outcome struct {
	ParseError   string `json:"parse_error,omitempty"`
	CompileError string `json:"compile_error,omitempty"`
	Outputs      []any  `json:"outputs"`
	Error        string `json:"error,omitempty"`
	Limit        bool   `json:"limit,omitempty"`
}

// answerJq runs one program as the consumers' runner does: numbers of the input are float64, no environment, no
// modules, no variables.
func answerJq(line []byte) (any, error) {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		return nil, err
	}
	query, err := gojq.Parse(q.Program)
	if err != nil {
		return outcome{ParseError: err.Error()}, nil
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return outcome{CompileError: err.Error()}, nil
	}
	return run(code, q.Input), nil
}

func run(code *gojq.Code, input any) (result outcome) {
	result.Outputs = []any{}
	defer func() {
		if fault := recover(); fault != nil {
			result.Error = fmt.Sprint("panic: ", fault)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	outputs := code.RunWithContext(ctx, input)
	for {
		value, more := outputs.Next()
		if !more {
			return result
		}
		if err, failed := value.(error); failed {
			result.Error = err.Error()
			result.Limit = ctx.Err() != nil
			return result
		}
		if len(result.Outputs) == maxOutputs {
			result.Limit = true
			return result
		}
		result.Outputs = append(result.Outputs, plain(value))
	}
}

// plain replaces what JSON cannot say: not-a-number is null and infinities are the largest numbers, as gojq prints.
func plain(value any) any {
	switch v := value.(type) {
	case float64:
		if math.IsNaN(v) {
			return nil
		}
		return min(max(v, -math.MaxFloat64), math.MaxFloat64)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plain(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			object[key] = plain(item)
		}
		return object
	}
	return value
}
