// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// parameterForm is the field of a rcl_interfaces/msg/ParameterValue for a type, and the text that introduces the value.
type parameterForm struct{ field, label string }

// parameterKind returns the form of a value, and whether its type is valid.
func parameterKind(v *dynamic.Message) (parameterForm, bool) {
	forms := map[ros2.ParameterType]parameterForm{
		ros2.ParameterNotSet:       {},
		ros2.ParameterBool:         {"bool_value", "Boolean value is:"},
		ros2.ParameterInteger:      {"integer_value", "Integer value is:"},
		ros2.ParameterDouble:       {"double_value", "Double value is:"},
		ros2.ParameterString:       {"string_value", "String value is:"},
		ros2.ParameterByteArray:    {"byte_array_value", "Byte values are:"},
		ros2.ParameterBoolArray:    {"bool_array_value", "Boolean values are:"},
		ros2.ParameterIntegerArray: {"integer_array_value", "Integer values are:"},
		ros2.ParameterDoubleArray:  {"double_array_value", "Double values are:"},
		ros2.ParameterStringArray:  {"string_array_value", "String values are:"},
	}
	f, ok := forms[ros2.ParameterType(numberOf(v, "type"))]
	return f, ok
}

// parameterTree returns a value as a tree for dynamic.WriteYAML.
func parameterTree(v *dynamic.Message) any {
	p, _ := parameterKind(v)
	value, ok := v.Get(p.field)
	if !ok {
		return nil
	}
	octets, ok := value.([]byte)
	if !ok {
		return value
	}
	list := []any{}
	for _, b := range octets {
		list = append(list, dynamic.Binary{b})
	}
	return list
}

// setParameterValue fills a rcl_interfaces/msg/ParameterValue from YAML; source is the text used for values of
// unsupported types.
func setParameterValue(m *dynamic.Message, value any, source string) error {
	set := func(t ros2.ParameterType, field string, v any) error {
		if err := m.Set("type", uint64(t)); err != nil {
			return err
		}
		return m.Set(field, v)
	}
	switch v := value.(type) {
	case bool:
		return set(ros2.ParameterBool, "bool_value", v)
	case int64:
		return set(ros2.ParameterInteger, "integer_value", v)
	case float64:
		return set(ros2.ParameterDouble, "double_value", v)
	case string:
		return set(ros2.ParameterString, "string_value", v)
	case []any:
		switch {
		case allOf[bool](v):
			return set(ros2.ParameterBoolArray, "bool_array_value", v)
		case allOf[int64](v):
			return set(ros2.ParameterIntegerArray, "integer_array_value", v)
		case allOf[float64](v):
			return set(ros2.ParameterDoubleArray, "double_array_value", v)
		case allOf[string](v):
			return set(ros2.ParameterStringArray, "string_array_value", v)
		}
	}
	return set(ros2.ParameterString, "string_value", source)
}

// allOf reports whether all elements are of a type; true for an empty list.
func allOf[E any](list []any) bool {
	for _, x := range list {
		if _, ok := x.(E); !ok {
			return false
		}
	}
	return true
}

// textOf, numberOf, messagesOf and shownOf return the value of a field, zero if it is
// of another type.
func textOf(m *dynamic.Message, field string) string {
	v, _ := m.Get(field)
	s, _ := v.(string)
	return s
}

func numberOf(m *dynamic.Message, field string) uint64 {
	v, _ := m.Get(field)
	n, _ := v.(uint64)
	return n
}

func messagesOf(m *dynamic.Message, field string) []*dynamic.Message {
	v, _ := m.Get(field)
	list, _ := v.([]any)
	var out []*dynamic.Message
	for _, x := range list {
		if c, ok := x.(*dynamic.Message); ok {
			out = append(out, c)
		}
	}
	return out
}

func shownOf(m *dynamic.Message, field string) string {
	f, ok := m.Field(field)
	if !ok {
		return ""
	}
	v, _ := m.Get(field)
	return f.Text(v)
}
