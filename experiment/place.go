// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/internal/textplace"
)

// Error texts of the YAML library, which name Go types.
var (
	lineText    = regexp.MustCompile(`^line (\d+): `)
	typeText    = regexp.MustCompile("^cannot unmarshal !!\\w+(?: `(.*)`)? into (\\S+)$")
	unknownText = regexp.MustCompile(`^field (\S+) not found in type `)
)

// fileError returns an error of a file in terms of its fields: "line 3:9: robots: \"many\" is not a whole number".
// text begins with the line if that is known.
func fileError(data []byte, root *yaml.Node, text string) error {
	line := 0
	if m := lineText.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits
		text = text[len(m[0]):]
	}
	if line == 0 {
		return fmt.Errorf("%w: %s", errFile, text)
	}
	if root == nil {
		return syntaxError(data, line, text)
	}
	switch m := typeText.FindStringSubmatch(text); {
	case m != nil:
		text, at := wrongType(root, line, m[1], m[2])
		return fmt.Errorf("%w: line %d:%d: %s", errFile, line, at, text)
	case unknownText.MatchString(text):
		name := unknownText.FindStringSubmatch(text)[1]
		text = fmt.Sprintf("field %s not found%s", name, suggest.DidYouMean(name, fields()))
	}
	return fmt.Errorf("%w: line %d:%d: %s", errFile, line, column(root, line, text), text)
}

// syntaxError returns the error of a text that is not YAML.
func syntaxError(data []byte, line int, text string) error {
	same := func(prefix []byte) bool {
		err := yaml.Unmarshal(prefix, new(yaml.Node))
		return err != nil && strings.HasSuffix(err.Error(), text)
	}
	if found, column := textplace.Find(data, same); found > 0 {
		return fmt.Errorf("%w: line %d:%d: %s", errFile, found, column, text)
	}
	return fmt.Errorf("%w: line %d: %s", errFile, line, text)
}

// fields returns the names of the fields of a file.
func fields() (names []string) {
	t := reflect.TypeFor[Experiment]()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("yaml"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// wrongType returns what a field must be instead of the value, which the library has truncated, and the value's
// column.
func wrongType(root *yaml.Node, line int, value, goType string) (text string, at int) {
	field, at := "", 1
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Line <= line {
			field, at = root.Content[i].Value, root.Content[i+1].Column
		}
	}
	start := strings.TrimSuffix(value, "...")
	each(root, line, func(n *yaml.Node) {
		if start != "" && strings.HasPrefix(n.Value, start) {
			value, at = n.Value, n.Column
		}
	})
	want := "text"
	switch {
	case strings.HasPrefix(goType, "map"), strings.HasPrefix(goType, "struct"):
		want = "mapping of names to values, such as {a: 1}"
	case strings.HasPrefix(goType, "["):
		want = "list, such as [1, 2]"
	case strings.HasPrefix(goType, "float"):
		want = "number"
	case strings.Contains(goType, "int"):
		want = "whole number"
	}
	if value == "" {
		return fmt.Sprintf("%s: want a %s", field, want), at
	}
	hint := ""
	if strings.HasSuffix(want, "number") {
		if _, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64); err == nil && strings.Contains(value, ",") {
			hint = "; numbers have a point: " + strings.Replace(value, ",", ".", 1)
		}
	}
	return fmt.Sprintf("%s: %q is not a %s%s", field, value, want, hint), at
}

// each calls f for the scalars of a line in the order of the file.
func each(n *yaml.Node, line int, f func(n *yaml.Node)) {
	if n.Kind == yaml.ScalarNode && n.Line == line {
		f(n)
	}
	for _, c := range n.Content {
		each(c, line, f)
	}
}

// column returns the column, from 1 on, of the last word of a line that the text of an error names, else of its first.
func column(root *yaml.Node, line int, text string) (found int) {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`:;,"'`, r) })
	each(root, line, func(n *yaml.Node) {
		is := false
		for _, w := range words {
			is = is || w == n.Value
		}
		if is || found == 0 {
			found = n.Column
		}
	})
	if found == 0 {
		return 1
	}
	return found
}
