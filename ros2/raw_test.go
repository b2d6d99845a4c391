// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"math"
	"testing"
)

func TestRawScalarByDeclaredType(t *testing.T) {
	type reading struct {
		typ  ParameterType
		want string // text of the value; empty where it is none
	}
	for _, c := range []struct {
		text   string
		quoted bool
		alone  ParameterType // the type of the text by itself
		as     []reading
	}{
		{"20", false, ParameterInteger, []reading{{ParameterInteger, "20"}, {ParameterDouble, "20.0"}, {ParameterString, `"20"`}, {ParameterBool, ""}}},
		{"20.0", false, ParameterDouble, []reading{{ParameterInteger, ""}, {ParameterDouble, "20.0"}, {ParameterString, `"20.0"`}}},
		{"20", true, ParameterString, []reading{{ParameterInteger, ""}, {ParameterDouble, ""}, {ParameterString, `"20"`}}},
		{"yes", false, ParameterBool, []reading{{ParameterBool, "true"}, {ParameterString, `"yes"`}, {ParameterInteger, ""}}},
		{"yes", true, ParameterString, []reading{{ParameterBool, ""}}},
		{"OFF", false, ParameterBool, []reading{{ParameterBool, "false"}}},
		{"inf", false, ParameterString, []reading{{ParameterDouble, ""}, {ParameterString, `"inf"`}}},
		{"-.inf", false, ParameterDouble, []reading{{ParameterDouble, "-.inf"}}},
		{"+.INF", false, ParameterDouble, []reading{{ParameterDouble, ".inf"}}},
		{".NaN", false, ParameterDouble, []reading{{ParameterDouble, ".nan"}}},
		{"0x1F", false, ParameterInteger, []reading{{ParameterInteger, "31"}}},
		{"9007199254740993", false, ParameterInteger, []reading{{ParameterDouble, ""}}}, // 2^53+1
		{"99999999999999999999", false, ParameterDouble, []reading{{ParameterInteger, ""}}},
		{"1e400", false, ParameterString, []reading{{ParameterDouble, ""}}},
		{"0x1p4", false, ParameterString, []reading{{ParameterDouble, ""}}},
		{"auto", false, ParameterString, []reading{{ParameterByteArray, ""}, {ParameterStringArray, ""}, {ParameterNotSet, ""}}},
	} {
		raw := rawValue{items: []rawScalar{{c.text, c.quoted}}}
		if got := raw.value().Type(); got != c.alone {
			t.Errorf("%s by itself is of type %v, want %v", raw, got, c.alone)
		}
		for _, r := range c.as {
			v, ok := raw.as(r.typ)
			if ok != (r.want != "") || (ok && v.String() != r.want) {
				t.Errorf("%s as %v: %v %v, want %q", raw, r.typ, v, ok, r.want)
			}
		}
	}
}

func TestRawList(t *testing.T) {
	list := func(texts ...string) rawValue {
		r := rawValue{list: true}
		for _, s := range texts {
			r.items = append(r.items, rawScalar{text: s})
		}
		return r
	}
	for _, c := range []struct {
		raw  rawValue
		typ  ParameterType
		want string
	}{
		{list("1", "2"), ParameterIntegerArray, "[1, 2]"},
		{list("1", "2"), ParameterDoubleArray, "[1.0, 2.0]"},
		{list("1", "2"), ParameterByteArray, "[1, 2]"},
		{list("1", "256"), ParameterByteArray, ""},
		{list("1", "-1"), ParameterByteArray, ""},
		{list("1", "2"), ParameterStringArray, `["1", "2"]`},
		{list("1", "x"), ParameterIntegerArray, ""},
		{list("yes", "no"), ParameterBoolArray, "[true, false]"},
		{list(), ParameterDoubleArray, "[]"},
		{list("1"), ParameterInteger, ""},
		{rawValue{items: []rawScalar{{text: "1"}}}, ParameterIntegerArray, ""},
	} {
		v, ok := c.raw.as(c.typ)
		if ok != (c.want != "") || (ok && v.String() != c.want) {
			t.Errorf("%v as %v: %v %v, want %q", c.raw, c.typ, v, ok, c.want)
		}
	}
	for _, c := range []struct {
		raw  rawValue
		want ParameterType
	}{
		{list("1", "2.5", "3"), ParameterDoubleArray}, {list("2.5", "1"), ParameterDoubleArray},
		{list("1", "true"), ParameterStringArray}, {list("true"), ParameterBoolArray}, {list("a", "1"), ParameterStringArray},
		{list(), ParameterStringArray}, {list("1"), ParameterIntegerArray},
		// An integer that no double holds keeps the list from becoming doubles.
		{list("9007199254740993", "0.5"), ParameterStringArray},
	} {
		if got := c.raw.value(); got.Type() != c.want {
			t.Errorf("%v by itself is of type %v, want %v", c.raw, got.Type(), c.want)
		}
	}
}

func TestDescriptorCheck(t *testing.T) {
	float := ParameterDescriptor{Name: "f", Type: ParameterDouble, FloatRange: &FloatRange{From: -1, To: 1.05, Step: 0.1}}
	floats := ParameterDescriptor{Name: "fs", Type: ParameterDoubleArray, FloatRange: FloatBetween(0, 1)}
	integer := ParameterDescriptor{Name: "i", Type: ParameterInteger, IntegerRange: &IntegerRange{From: math.MinInt64, To: 100, Step: 3}}
	integers := ParameterDescriptor{Name: "is", Type: ParameterIntegerArray, IntegerRange: IntegerBetween(0, 9)}
	word := ParameterDescriptor{Name: "s", Type: ParameterString, OneOf: []string{"inf", "nan"}}
	dynamic := ParameterDescriptor{Name: "d", Type: ParameterString, DynamicTyping: true}
	for _, c := range []struct {
		d    ParameterDescriptor
		v    ParameterValue
		good bool
	}{
		{float, DoubleValue(-1), true}, {float, DoubleValue(0.3), true}, {float, DoubleValue(1.05), true},
		{float, DoubleValue(0.35), false}, {float, DoubleValue(1.1), false}, {float, DoubleValue(math.NaN()), false},
		{float, IntegerValue(0), false}, {float, ParameterValue{}, false},
		{floats, DoubleArrayValue([]float64{0, 1}), true}, {floats, DoubleArrayValue([]float64{0, 1.5}), false},
		{integer, IntegerValue(math.MinInt64), true}, {integer, IntegerValue(math.MinInt64 + 3), true},
		{integer, IntegerValue(math.MinInt64 + 1), false}, {integer, IntegerValue(100), true}, {integer, IntegerValue(101), false},
		{integers, IntegerArrayValue(nil), true}, {integers, IntegerArrayValue([]int64{3, -1}), false},
		{word, StringValue("nan"), true}, {word, StringValue("zero"), false},
		{dynamic, IntegerValue(1), true},
	} {
		if err := c.d.Check(c.v); (err == nil) != c.good {
			t.Errorf("%s = %v %v: %v", c.d.Name, c.v.Type(), c.v, err)
		}
	}
}
