// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"strconv"
	"strings"
)

// Lookup returns the definition of an interface, as in "std_msgs/msg/Header", or of a service's request or response, as
// in "std_srvs/srv/Trigger_Request": the lines of its .msg file that are fields, with the full names of nested types.
// Package msgs has one for its types.
type Lookup func(rosType string) (definition string, ok bool)

// Resolve returns the type with the given name, with all types to which it refers. An error wraps [ErrUnknownType],
// [ErrDefinition] or [ErrUnsupported].
func Resolve(rosType string, lookup Lookup) (*Type, error) {
	b := builder{done: map[string]*Type{}, fields: func(name string) ([]rawField, error) {
		text, ok := lookup(name)
		if !ok {
			return nil, fmt.Errorf("%w: %s", ErrUnknownType, name)
		}
		return parseDefinition(text)
	}}
	return b.build(rosType, 0)
}

// FullName returns a type's name with the part in its middle, kind, which may be missing in short forms: with "msg",
// "std_msgs/String" is "std_msgs/msg/String". Other names are returned as they are.
func FullName(name, kind string) string {
	pkg, rest, ok := strings.Cut(name, "/")
	if !ok || strings.Contains(rest, "/") {
		return name
	}
	return pkg + "/" + kind + "/" + rest
}

// parseDefinition reads the lines "type name" and "type name default"; it ignores comments and the lines "type
// NAME=value".
func parseDefinition(text string) ([]rawField, error) {
	var fields []rawField
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		typ, rest, _ := strings.Cut(line, " ")
		name, def, _ := strings.Cut(strings.TrimSpace(rest), " ")
		def = strings.TrimSpace(def)
		if strings.Contains(name, "=") || strings.HasPrefix(def, "=") { // a constant is not part of the message
			continue
		}
		f, err := parseFieldType(typ)
		if err != nil {
			return nil, err
		}
		f.Name, f.def = name, def
		fields = append(fields, f)
	}
	return fields, nil
}

// parseFieldType reads "float64", "string<=10[]", "std_msgs/msg/Header[<=4]".
func parseFieldType(s string) (rawField, error) {
	var f rawField
	bad := func() (rawField, error) { return f, fmt.Errorf("%w: type %q", ErrDefinition, s) }
	element, suffix, list := strings.Cut(s, "[")
	if list {
		size, closed := strings.CutSuffix(suffix, "]")
		bound, bounded := strings.CutPrefix(size, "<=")
		switch {
		case !closed:
			return bad()
		case size == "":
			f.Container = Sequence
		case bounded:
			f.Container = Bounded
		default:
			f.Container = Array
		}
		if f.Container != Sequence {
			n, err := strconv.ParseUint(bound, 10, 31)
			if err != nil || n == 0 {
				return bad()
			}
			f.Size = int(n)
		}
	}
	name, bound, bounded := strings.Cut(element, "<=")
	kind, primitive := kindByName(name)
	if bounded {
		n, err := strconv.ParseUint(bound, 10, 31)
		if err != nil || n == 0 || kind != String {
			return bad()
		}
		f.StringBound = int(n)
	}
	switch {
	case primitive:
		f.Kind = kind
	case strings.HasPrefix(name, "wstring"):
		return f, fmt.Errorf("%w: wstring has no common encoding", ErrUnsupported)
	default:
		f.Kind, f.nested = Nested, name
	}
	return f, nil
}
