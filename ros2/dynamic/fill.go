// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FillError means that a text is not a value of a field, in the wording of ROS's command line. It wraps [ErrField],
// [ErrValue] or [ErrNotMapping].
type FillError struct {
	// Field is the path of the field, as in "pose.position.x", empty for the
	// message itself.
	Field string
	Text  string
	Err   error
}

// Error returns the text.
func (e *FillError) Error() string { return e.Text }

// Unwrap returns the kind of the error.
func (e *FillError) Unwrap() error { return e.Err }

func valuef(format string, args ...any) error {
	return &FillError{Text: fmt.Sprintf(format, args...), Err: ErrValue}
}

// maxNodes bounds the values of a text with expanded aliases.
const maxNodes = 1 << 22

// filler sets fields from YAML.
type filler struct {
	stamps []*Message
	nodes  int
}

// Fill sets fields of the message from a YAML mapping, as in "{linear: {x: 0.1}}"; other fields are unchanged. Values
// are converted to the field's type as by ROS's command line: a number becomes text for a string field, 1 becomes true
// for a boolean.
//
// A std_msgs/msg/Header given as "auto" and a builtin_interfaces/msg/Time given as "now" must be set to the time of
// publishing: stamps are the Time messages to set, see [SetTime]. An error is a [*FillError] or the YAML parser's; the
// message is then partly filled and must not be used.
func (m *Message) Fill(text string) (stamps []*Message, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &FillError{Text: "the value is not a YAML mapping", Err: ErrNotMapping}
	}
	var f filler
	err = f.message(m, doc.Content[0])
	return f.stamps, err
}

// SetTime sets a builtin_interfaces/msg/Time.
func SetTime(m *Message, sec int32, nanosec uint32) error {
	return errors.Join(m.Set("sec", int64(sec)), m.Set("nanosec", uint64(nanosec)))
}

// resolve resolves an alias and counts the values.
func (f *filler) resolve(n *yaml.Node) (*yaml.Node, error) {
	if f.nodes++; f.nodes > maxNodes {
		return nil, valuef("more than %d values", maxNodes)
	}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n, nil
}

// message sets the fields that a mapping names.
func (f *filler) message(m *Message, n *yaml.Node) error {
	n, err := f.resolve(n)
	if err != nil {
		return err
	}
	if n.Kind != yaml.MappingNode {
		return valuef("Value '%s' is expected to be a dictionary but is a %s", pyText(n), pyType(n))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		index := m.typ.Index(key)
		if index < 0 {
			return &FillError{Field: key, Err: ErrField,
				Text: fmt.Sprintf("'%s' object has no attribute '%s'", shortName(m.typ.Name), key)}
		}
		if err := f.field(m, index, n.Content[i+1]); err != nil {
			return under(key, err)
		}
	}
	return nil
}

// under prepends the name of a field to the path in an error.
func under(field string, err error) error {
	var fill *FillError
	if errors.As(err, &fill) && fill.Field == "" {
		fill.Field = field
	} else if fill != nil && fill.Field != field {
		fill.Field = field + "." + fill.Field
	}
	return err
}

// shortName returns the last part of a type's name.
func shortName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// field sets one field.
func (f *filler) field(m *Message, index int, n *yaml.Node) error {
	field := &m.typ.Fields[index]
	n, err := f.resolve(n)
	if err != nil {
		return err
	}
	if field.Container != Single {
		list, err := f.list(field, n)
		if err == nil {
			m.values[index] = list
		}
		return err
	}
	if field.Kind == Nested {
		nested, ok := m.values[index].(*Message)
		switch {
		case !ok:
			return valuef("the field is not a message")
		case nested.typ.Name == "std_msgs/msg/Header" && n.Value == "auto":
			return f.stamp(nested, "stamp")
		case nested.typ.Name == "builtin_interfaces/msg/Time" && n.Value == "now":
			f.stamps = append(f.stamps, nested)
			return nil
		}
		return f.message(nested, n)
	}
	v, err := field.scalar(n)
	if err == nil {
		m.values[index] = v
	}
	return err
}

// stamp records the time in a header.
func (f *filler) stamp(header *Message, field string) error {
	v, _ := header.Get(field)
	t, ok := v.(*Message)
	if !ok || t.typ.Name != "builtin_interfaces/msg/Time" {
		return valuef("the header has no time")
	}
	f.stamps = append(f.stamps, t)
	return nil
}

// list returns the elements of a sequence.
func (f *filler) list(field *Field, n *yaml.Node) (any, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, valuef("The '%s' field must be a set or sequence", field.Name)
	}
	if field.Container == Array && len(n.Content) != field.Size {
		if field.numeric() {
			return nil, valuef("The '%s' numpy.ndarray() must have a size of %d", field.Name, field.Size)
		}
		return nil, valuef("The '%s' field must be a sequence with exactly %d elements", field.Name, field.Size)
	}
	if field.Container == Bounded && len(n.Content) > field.Size {
		return nil, valuef("The '%s' field must be a sequence with at most %d elements", field.Name, field.Size)
	}
	octets, list := []byte{}, []any{}
	for _, e := range n.Content {
		e, err := f.resolve(e)
		if err != nil {
			return nil, err
		}
		v, err := f.element(field, e)
		if err != nil {
			return nil, err
		}
		if x, ok := v.(uint64); ok && field.Kind.octets() {
			octets = append(octets, byte(x))
			continue
		}
		list = append(list, v)
	}
	if field.Kind.octets() {
		return octets, nil
	}
	return list, nil
}

func (f *filler) element(field *Field, n *yaml.Node) (any, error) {
	if field.Kind != Nested {
		return field.scalar(n)
	}
	m := New(field.Type)
	return m, f.message(m, n)
}
