// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/textplace"
)

// positionError is what is wrong at a place of a world file. It matches [ErrWorld].
type positionError struct {
	file         string // empty: the text is of no file
	line, column int    // from 1 on; 0 is unknown. A negative line is the number of a setting
	text         string // with the path of the field
}

// errorAt returns what is wrong with the field at a path, whose node is n.
func errorAt(n *yaml.Node, path []any, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if len(path) > 0 {
		text = pathString(path) + ": " + text
	}
	e := &positionError{text: text}
	if n != nil {
		e.line, e.column = n.Line, n.Column
	}
	return e
}

// syntaxError returns an error of the YAML library, whose text begins with its line where that is known.
func syntaxError(err error) error { return newSyntaxError(err) }

func newSyntaxError(err error) *positionError {
	e := &positionError{text: strings.TrimPrefix(err.Error(), "yaml: ")}
	if _, err := fmt.Sscanf(e.text, "line %d:", &e.line); err == nil {
		_, e.text, _ = strings.Cut(e.text, ": ")
	}
	return e
}

// syntaxErrorIn is syntaxError with the place in data, of which the library reports a line at most.
func syntaxErrorIn(data []byte, err error) error {
	e := newSyntaxError(err)
	line, column := textplace.Find(data, func(prefix []byte) bool {
		err := yaml.Unmarshal(prefix, new(yaml.Node))
		return err != nil && newSyntaxError(err).text == e.text
	})
	if line > 0 {
		e.line, e.column = line, column
	}
	return e
}

// Error says file:line:column, as editors understand it, and what is wrong there.
func (e *positionError) Error() string {
	var at []string
	file, line := e.file, e.line
	if line < 0 {
		file, line = settingsFile, -line
	}
	if file != "" {
		at = append(at, file)
	} else if line > 0 {
		at = append(at, "line")
	}
	for _, n := range []int{line, e.column} {
		if n > 0 {
			at = append(at, fmt.Sprint(n))
		}
	}
	where := strings.Replace(strings.Join(at, ":"), "line:", "line ", 1)
	if where == "" {
		return fmt.Sprintf("%v: %s", ErrWorld, e.text)
	}
	return fmt.Sprintf("%v: %s: %s", ErrWorld, where, e.text)
}

// Unwrap is [ErrWorld].
func (e *positionError) Unwrap() error { return ErrWorld }
