// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"encoding/base64"
	"strings"
)

// YAML returns the message as a YAML document in block style, ending with a newline, in the layout of ROS's command
// line.
func (m *Message) YAML(f Format) string {
	return WriteYAML(f.show(m), f.Flow)
}

// Map is a YAML mapping that keeps its order.
type Map []Entry

// Entry is a key and its value in a [Map].
type Entry struct {
	Key   string
	Value any
}

// Binary is octets that YAML encodes in base64.
type Binary []byte

// WriteYAML writes a tree of [Map], []any, string, [Binary], bool, int64, uint64,
// float64 and nil as a YAML 1.1 document in block style; flow writes lists in one line.
func WriteYAML(tree any, flow bool) string {
	w := yamlWriter{flowLists: flow}
	w.node(tree, 0, false)
	s := w.b.String()
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// yamlWriter writes the tree of [WriteYAML].
type yamlWriter struct {
	b         strings.Builder
	flowLists bool
}

// node writes a value at the given indentation. started means that a "- " precedes it on the line.
func (w *yamlWriter) node(v any, indent int, started bool) {
	if ps, ok := v.(Map); ok && len(ps) > 0 {
		for i, p := range ps {
			if i > 0 || !started {
				w.indent(indent)
			}
			w.b.WriteString(yamlScalar(p.Key, indent+2, false))
			w.b.WriteByte(':')
			w.entry(p.Value, indent)
		}
		return
	}
	if list, ok := v.([]any); ok && len(list) > 0 && !w.flowLists {
		for i, x := range list {
			if i > 0 || !started {
				w.indent(indent)
			}
			w.b.WriteString("- ")
			w.node(x, indent+2, true)
			w.endLine()
		}
		return
	}
	w.inline(v, indent, false)
}

// entry writes the value behind "key:" of a mapping at the given indentation.
func (w *yamlWriter) entry(v any, indent int) {
	ps, isMap := v.(Map)
	list, isList := v.([]any)
	switch {
	case isMap && len(ps) > 0:
		w.b.WriteByte('\n')
		w.node(v, indent+2, false)
	case isList && len(list) > 0 && !w.flowLists:
		w.b.WriteByte('\n')
		w.node(v, indent, false) // the dashes are aligned with the key
	default:
		w.b.WriteByte(' ')
		w.inline(v, indent+2, false)
		w.b.WriteByte('\n')
	}
}

// inline writes a value within a line. indent is that of continued lines.
func (w *yamlWriter) inline(v any, indent int, flow bool) {
	if ps, ok := v.(Map); ok {
		w.b.WriteByte('{')
		for i, p := range ps {
			w.comma(i)
			w.b.WriteString(yamlScalar(p.Key, indent+2, true))
			w.b.WriteString(": ")
			w.inline(p.Value, indent+2, true)
		}
		w.b.WriteByte('}')
		return
	}
	if list, ok := v.([]any); ok {
		w.b.WriteByte('[')
		for i, x := range list {
			w.comma(i)
			w.inline(x, indent+2, true)
		}
		w.b.WriteByte(']')
		return
	}
	w.b.WriteString(yamlValue(v, indent, flow))
}

func (w *yamlWriter) comma(i int) {
	if i > 0 {
		w.b.WriteString(", ")
	}
}

func (w *yamlWriter) indent(n int) {
	for range n {
		w.b.WriteByte(' ')
	}
}

func (w *yamlWriter) endLine() {
	if s := w.b.String(); !strings.HasSuffix(s, "\n") {
		w.b.WriteByte('\n')
	}
}

// yamlValue writes a scalar.
func yamlValue(v any, indent int, flow bool) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return yamlScalar(v, indent, flow)
	case Binary:
		text := base64.StdEncoding.EncodeToString(v)
		if flow {
			return `!!binary "` + text + `"`
		}
		return "!!binary |\n" + strings.Repeat(" ", indent) + text
	case bool:
		if v {
			return "true"
		}
		return "false"
	case float64:
		return yamlFloatText(v)
	}
	return scalarText(v)
}

// yamlFloatText formats a number so that YAML 1.1 parses it as a float.
func yamlFloatText(v float64) string {
	s := pyFloat(v)
	switch s {
	case "nan", "inf":
		return "." + s
	case "-inf":
		return "-.inf"
	}
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

// Flow returns the message as YAML in one line, as in "{x: 0.0, y: 0.0}".
func (m *Message) Flow() string {
	var w yamlWriter
	w.inline(Full().show(m), 0, true)
	return w.b.String()
}
