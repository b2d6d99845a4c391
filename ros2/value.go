// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"math"
	"slices"
)

// ParameterType is the type of a parameter's value, numbered as in
// rcl_interfaces/msg/ParameterType.
type ParameterType uint8

// Types of parameters.
const (
	ParameterNotSet ParameterType = iota
	ParameterBool
	ParameterInteger
	ParameterDouble
	ParameterString
	ParameterByteArray
	ParameterBoolArray
	ParameterIntegerArray
	ParameterDoubleArray
	ParameterStringArray
)

// String returns the name that the ros2 command prints, as in "double array".
func (t ParameterType) String() string {
	return pick(int(t), "not set", "boolean", "integer", "double", "string",
		"byte array", "boolean array", "integer array", "double array", "string array")
}

// isArray reports whether values of the type are lists.
func (t ParameterType) isArray() bool { return t >= ParameterByteArray && t <= ParameterStringArray }

// ParameterValue is an immutable value of one of the parameter types. The zero value is "not set". The method named
// like its type returns the value; for a value of another type it returns the zero value, so check
// [ParameterValue.Type] if the type is not known from the declaration.
type ParameterValue struct {
	kind ParameterType
	num  uint64 // bool, integer and the bits of a double
	str  string
	list any // []byte, []bool, []int64, []float64 or []string, never shared
}

// BoolValue returns v as a boolean.
func BoolValue(v bool) ParameterValue {
	p := ParameterValue{kind: ParameterBool}
	if v {
		p.num = 1
	}
	return p
}

// IntegerValue returns v as an integer.
func IntegerValue(v int64) ParameterValue {
	return ParameterValue{kind: ParameterInteger, num: uint64(v)}
}

// DoubleValue returns v as a double.
func DoubleValue(v float64) ParameterValue {
	return ParameterValue{kind: ParameterDouble, num: math.Float64bits(v)}
}

// StringValue returns v as a string.
func StringValue(v string) ParameterValue { return ParameterValue{kind: ParameterString, str: v} }

// ByteArrayValue returns a copy of v as a byte array.
func ByteArrayValue(v []byte) ParameterValue { return listValue(ParameterByteArray, v) }

// BoolArrayValue returns a copy of v as a boolean array.
func BoolArrayValue(v []bool) ParameterValue { return listValue(ParameterBoolArray, v) }

// IntegerArrayValue returns a copy of v as an integer array.
func IntegerArrayValue(v []int64) ParameterValue { return listValue(ParameterIntegerArray, v) }

// DoubleArrayValue returns a copy of v as a double array.
func DoubleArrayValue(v []float64) ParameterValue { return listValue(ParameterDoubleArray, v) }

// StringArrayValue returns a copy of v as a string array.
func StringArrayValue(v []string) ParameterValue { return listValue(ParameterStringArray, v) }

func listValue[E any](t ParameterType, v []E) ParameterValue {
	return ParameterValue{kind: t, list: slices.Clone(v)}
}

// Type returns the type of the value.
func (p ParameterValue) Type() ParameterType { return p.kind }

// Bool returns a boolean's value.
func (p ParameterValue) Bool() bool { return p.kind == ParameterBool && p.num != 0 }

// Integer returns an integer's value.
func (p ParameterValue) Integer() int64 {
	if p.kind != ParameterInteger {
		return 0
	}
	return int64(p.num)
}

// Double returns a double's value.
func (p ParameterValue) Double() float64 {
	if p.kind != ParameterDouble {
		return 0
	}
	return math.Float64frombits(p.num)
}

// Str returns a string's value. (String is the method of [fmt.Stringer].)
func (p ParameterValue) Str() string { return p.str }

// ByteArray returns a copy of a byte array's elements.
func (p ParameterValue) ByteArray() []byte { return elements[byte](p) }

// BoolArray returns a copy of a boolean array's elements.
func (p ParameterValue) BoolArray() []bool { return elements[bool](p) }

// IntegerArray returns a copy of an integer array's elements.
func (p ParameterValue) IntegerArray() []int64 { return elements[int64](p) }

// DoubleArray returns a copy of a double array's elements.
func (p ParameterValue) DoubleArray() []float64 { return elements[float64](p) }

// StringArray returns a copy of a string array's elements.
func (p ParameterValue) StringArray() []string { return elements[string](p) }

func elements[E any](p ParameterValue) []E {
	list, _ := p.list.([]E)
	return slices.Clone(list)
}

// Equal reports whether both have the same type and value. NaN equals NaN.
func (p ParameterValue) Equal(q ParameterValue) bool {
	if p.kind != q.kind || p.str != q.str {
		return false
	}
	switch a := p.list.(type) {
	case []byte:
		b, ok := q.list.([]byte)
		return ok && slices.Equal(a, b)
	case []bool:
		b, ok := q.list.([]bool)
		return ok && slices.Equal(a, b)
	case []int64:
		b, ok := q.list.([]int64)
		return ok && slices.Equal(a, b)
	case []string:
		b, ok := q.list.([]string)
		return ok && slices.Equal(a, b)
	case []float64:
		b, ok := q.list.([]float64)
		return ok && slices.EqualFunc(a, b, sameDouble)
	}
	if p.kind == ParameterDouble {
		return sameDouble(p.Double(), q.Double())
	}
	return p.num == q.num
}

func sameDouble(a, b float64) bool { return a == b || (a != a && b != b) }
