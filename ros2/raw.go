// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// rawScalar is a YAML scalar whose type is not yet determined.
type rawScalar struct {
	text   string
	quoted bool // in quotes or tagged !!str: always a string
}

// rawValue is the text of an override: a scalar or a list of scalars. The declaration of the parameter determines its
// type, see [Args].
type rawValue struct {
	items []rawScalar
	list  bool
}

// value returns the value with the type inferred by YAML's rules, for a parameter declared with dynamic typing. A list
// has the one type that fits all its elements; integers among doubles become doubles.
func (r rawValue) value() ParameterValue {
	if !r.list {
		return r.items[0].value()
	}
	t := ParameterNotSet
	for _, item := range r.items {
		switch it := item.value().kind; {
		case t == ParameterNotSet || t == it:
			t = it
		case t == ParameterInteger && it == ParameterDouble, t == ParameterDouble && it == ParameterInteger:
			t = ParameterDouble
		default:
			t = ParameterString
		}
	}
	arrays := map[ParameterType]ParameterType{
		ParameterBool:    ParameterBoolArray,
		ParameterInteger: ParameterIntegerArray,
		ParameterDouble:  ParameterDoubleArray,
	}
	v, ok := r.as(arrays[t])
	if !ok { // strings, or an integer among doubles that no double holds
		v, _ = r.as(ParameterStringArray)
	}
	return v
}

// as parses the value as type t; false if the text is not a value of that type.
func (r rawValue) as(t ParameterType) (ParameterValue, bool) {
	if r.list != t.isArray() {
		return ParameterValue{}, false
	}
	switch t {
	case ParameterByteArray:
		return rawList(r, t, func(s rawScalar) (byte, bool) {
			v, ok := s.integer()
			return byte(v), ok && v >= 0 && v <= math.MaxUint8
		})
	case ParameterBoolArray:
		return rawList(r, t, rawScalar.boolean)
	case ParameterIntegerArray:
		return rawList(r, t, rawScalar.integer)
	case ParameterDoubleArray:
		return rawList(r, t, rawScalar.double)
	case ParameterStringArray:
		return rawList(r, t, func(s rawScalar) (string, bool) { return s.text, true })
	}
	return r.items[0].as(t)
}

func rawList[E any](r rawValue, t ParameterType, read func(rawScalar) (E, bool)) (ParameterValue, bool) {
	list := make([]E, len(r.items))
	for i, item := range r.items {
		v, ok := read(item)
		if !ok {
			return ParameterValue{}, false
		}
		list[i] = v
	}
	return listValue(t, list), true
}

func (s rawScalar) value() ParameterValue {
	for _, t := range []ParameterType{ParameterBool, ParameterInteger, ParameterDouble} {
		if v, ok := s.as(t); ok {
			return v
		}
	}
	return StringValue(s.text)
}

func (s rawScalar) as(t ParameterType) (ParameterValue, bool) {
	switch t {
	case ParameterBool:
		v, ok := s.boolean()
		return BoolValue(v), ok
	case ParameterInteger:
		v, ok := s.integer()
		return IntegerValue(v), ok
	case ParameterDouble:
		v, ok := s.double()
		return DoubleValue(v), ok
	case ParameterString:
		return StringValue(s.text), true
	}
	return ParameterValue{}, false
}

// boolean parses the words of YAML 1.1, as ROS does.
func (s rawScalar) boolean() (v, ok bool) {
	if s.quoted {
		return false, false
	}
	switch s.text {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}

// integer reads decimal, 0x and leading-zero octal numbers.
func (s rawScalar) integer() (int64, bool) {
	if s.quoted || strings.Contains(s.text, "_") {
		return 0, false
	}
	v, err := strconv.ParseInt(s.text, 0, 64)
	return v, err == nil
}

// double reads decimal numbers, integers that a double holds exactly, and
// YAML's words for infinity and not-a-number.
func (s rawScalar) double() (float64, bool) {
	if s.quoted {
		return 0, false
	}
	switch strings.ToLower(strings.TrimPrefix(s.text, "+")) {
	case ".inf":
		return math.Inf(1), true
	case "-.inf":
		return math.Inf(-1), true
	case ".nan":
		return math.NaN(), true
	}
	if i, ok := s.integer(); ok {
		f := float64(i)
		return f, i >= -1<<53 && i <= 1<<53
	}
	if strings.ContainsAny(s.text, "_xXpPnN") { // hexadecimal, "inf", "nan"
		return 0, false
	}
	v, err := strconv.ParseFloat(s.text, 64)
	return v, err == nil
}

// String shows the value as it was written.
func (r rawValue) String() string {
	parts := make([]string, len(r.items))
	for i, item := range r.items {
		parts[i] = item.text
		if item.quoted {
			parts[i] = strconv.Quote(item.text)
		}
	}
	if !r.list {
		return parts[0]
	}
	return fmt.Sprintf("[%s]", strings.Join(parts, ", "))
}
