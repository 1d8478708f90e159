// Command oracle prints what the Go implementation makes of expressions, definitions and objects, for tests to
// compare with. It reads one JSON value a line on stdin and answers with one JSON value a line on stdout.
//
//	oracle jq     {"program": ".a", "input": {...}}
//	oracle read   {"definition": {...}, "objects": [{...}]}
//	oracle gang   {"definition": {...}, "object": {...}, "pods": [{...}]}
//	oracle edit   {"definition": {...}, "object": {...}, "do": "suspend"}
//	oracle bench  as read; answers nanoseconds per tree
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

type answer func(line []byte) (any, error)

func main() {
	modes := map[string]answer{"jq": answerJq, "read": answerRead, "gang": answerGang, "edit": answerEdit, "bench": answerBench}
	if len(os.Args) != 2 || modes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: oracle jq|read|gang|edit|bench < lines of JSON")
		os.Exit(2)
	}
	if err := serve(os.Stdin, os.Stdout, modes[os.Args[1]]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer, answer answer) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	writer := bufio.NewWriter(out)
	defer writer.Flush()
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 1 {
			value, failure := answer(line)
			if failure != nil {
				return failure
			}
			if failure := encoder.Encode(value); failure != nil {
				return failure
			}
			if failure := writer.Flush(); failure != nil {
				return failure
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
