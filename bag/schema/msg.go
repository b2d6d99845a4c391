// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
)

// section is one definition of a text.
type section struct {
	kind string // "MSG", "SRV", "ACTION" or "IDL"
	name string // full
	text string
	line int // of its first line in the whole text, from 1
}

// sections splits a text at lines of "=", each followed by a line as in "MSG: std_msgs/Header"; the first definition
// may be without one.
func sections(root, text string) ([]section, error) {
	current := section{kind: "MSG", name: root, line: 1}
	var out []section
	var body strings.Builder
	flush := func() {
		current.text = body.String()
		if strings.TrimSpace(current.text) != "" || len(out) > 0 || current.line > 1 {
			out = append(out, current)
		}
		body.Reset()
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if !isSeparator(lines[i]) {
			body.WriteString(lines[i] + "\n")
			continue
		}
		for i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "" {
			i++
		}
		if i+1 == len(lines) {
			break
		}
		kind, name, ok := strings.Cut(strings.TrimSpace(lines[i+1]), ":")
		if !ok {
			return nil, fmt.Errorf("%w: line %d: want a line as in MSG: package/Type, not %.60q", ErrSyntax, i+2, lines[i+1])
		}
		if name = strings.TrimSpace(name); len(name) > maxName {
			return nil, fmt.Errorf("%w: line %d: a name of %d bytes, the limit is %d: %.40q…", ErrSyntax, i+2, len(name), maxName, name)
		}
		flush()
		i++
		middle := map[string]string{"SRV": "srv", "ACTION": "action"}[kind]
		if middle == "" {
			middle = "msg"
		}
		current = section{kind: kind, name: fullName(name, middle), line: i + 2}
	}
	flush()
	if len(out) == 0 { // a type without fields
		out = []section{{kind: "MSG", name: root, line: 1}}
	}
	return out, nil
}

func isSeparator(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= separatorLength && strings.Trim(line, "=") == ""
}

// readMsg reads definitions in the syntax of .msg, .srv and .action files.
func (d definitions) readMsg(root, text string) error {
	list, err := sections(root, text)
	if err != nil {
		return err
	}
	names := map[string]bool{root: true}
	for _, s := range list {
		names[s.name] = true
	}
	size := 0
	for _, s := range list {
		parts, err := fieldsOf(s, names, &size)
		if err != nil {
			return err
		}
		d.add(s, parts)
	}
	if root != list[0].name && len(d[root]) == 0 && list[0].kind == "MSG" {
		d[root] = d[list[0].name] // the first definition is that of the type, whatever its line calls it
	}
	d["builtin_interfaces/msg/Time"] = firstOf(d["builtin_interfaces/msg/Time"], "int32 sec\nuint32 nanosec\n")
	d["builtin_interfaces/msg/Duration"] = firstOf(d["builtin_interfaces/msg/Duration"], "int32 sec\nuint32 nanosec\n")
	return nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// add adds what a section defines: a message, or the parts of a service or an action.
func (d definitions) add(s section, parts []string) {
	part := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch {
	case s.kind == "SRV" || s.kind == "MSG" && len(parts) == 2:
		d[s.name+"_Request"], d[s.name+"_Response"] = part(0), part(1)
		d[s.name+"_Event"] = fmt.Sprintf("service_msgs/msg/ServiceEventInfo info\n%[1]s_Request[<=1] request\n%[1]s_Response[<=1] response\n", s.name)
	case s.kind == "ACTION" || s.kind == "MSG" && len(parts) == 3:
		d[s.name+"_Goal"], d[s.name+"_Result"], d[s.name+"_Feedback"] = part(0), part(1), part(2)
	default:
		d[s.name] = part(0)
	}
}

// fieldsOf returns the fields of each part of a section, with full names of types, and adds their bytes to size.
func fieldsOf(s section, names map[string]bool, size *int) (parts []string, err error) {
	var part strings.Builder
	i := -1
	for line := range strings.SplitSeq(s.text, "\n") {
		i++
		if strings.TrimSpace(line) == "---" {
			parts = append(parts, part.String())
			part.Reset()
			continue
		}
		field, err := fieldOf(s.name, line, names)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrSyntax, s.line+i, err)
		}
		if *size += len(field); *size > maxFields {
			return nil, fmt.Errorf("%w: line %d: fields of %d bytes with full names, the limit is %d", ErrSyntax, s.line+i, *size, maxFields)
		}
		part.WriteString(field)
	}
	return append(parts, part.String()), nil
}

// fieldOf returns the field of a line; "" for a comment or a constant.
func fieldOf(in, line string, names map[string]bool) (string, error) {
	line = strings.TrimSpace(withoutComment(line))
	if line == "" {
		return "", nil
	}
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return "", fmt.Errorf("%.80q has no name", line)
	}
	rosType, rest := line[:i], strings.TrimSpace(line[i:])
	if strings.HasSuffix(rosType, "<=") || strings.HasPrefix(rest, "<=") {
		return "", fmt.Errorf("%.80q: a type contains no space", line)
	}
	name, value := rest, ""
	if j := strings.IndexAny(rest, " \t="); j >= 0 {
		name, value = rest[:j], strings.TrimSpace(rest[j:])
	}
	if strings.HasPrefix(value, "=") {
		return "", nil // a constant
	}
	if value != "" {
		value = " " + value
	}
	return typeIn(in, rosType, names) + " " + name + value + "\n", nil
}

// withoutComment removes a comment; a "#" in a text in quotes begins none.
func withoutComment(line string) string {
	quote, space := byte(0), false // space: what follows is not the type
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			space = true
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\'') && space:
			if strings.IndexByte(line[i+1:], c) >= 0 {
				quote = c
			}
		case quote == 0 && c == '#':
			return line[:i]
		}
	}
	return line
}

// typeIn returns the full name of a type that the definition of another one mentions.
func typeIn(in, rosType string, names map[string]bool) string {
	element, suffix := rosType, ""
	if i := strings.IndexAny(rosType, "[<"); i >= 0 {
		element, suffix = rosType[:i], rosType[i:]
	}
	switch element {
	case "bool", "byte", "char", "float32", "float64", "string", "wstring",
		"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64":
		return rosType
	case "time":
		return "builtin_interfaces/msg/Time" + suffix
	case "duration":
		return "builtin_interfaces/msg/Duration" + suffix
	case "Header":
		if own := packageOf(in) + "/msg/Header"; !names[own] {
			return "std_msgs/msg/Header" + suffix
		}
	}
	if !strings.Contains(element, "/") {
		element = packageOf(in) + "/" + element
	}
	for _, kind := range []string{"msg", "srv", "action"} {
		if full := fullName(element, kind); names[full] {
			return full + suffix
		}
	}
	return FullName(element) + suffix
}

func packageOf(name string) string {
	pkg, _, _ := strings.Cut(name, "/")
	return pkg
}
