// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"math"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestValueAccessors(t *testing.T) {
	list := []int64{1, 2}
	v := IntegerArrayValue(list)
	list[0] = 9
	v.IntegerArray()[1] = 9
	if got := v.String(); got != "[1, 2]" {
		t.Errorf("the value shares its list: %s", got)
	}
	if v.Integer() != 0 || v.Bool() || v.Double() != 0 || v.Str() != "" || v.DoubleArray() != nil {
		t.Error("an accessor of another type returns something")
	}
	if IntegerValue(1).Bool() || BoolValue(true).Integer() != 0 || DoubleValue(1).Integer() != 0 {
		t.Error("a value is read as another type")
	}
	if b, l, s := ByteArrayValue([]byte{7}).ByteArray(), BoolArrayValue([]bool{true}).BoolArray(), StringArrayValue([]string{"s"}).StringArray(); b[0] != 7 || !l[0] || s[0] != "s" {
		t.Error("an array is not what it was made of")
	}
	if got := ParameterNotSet.String() + ", " + ParameterDoubleArray.String() + ", " + ParameterType(77).String(); got != "not set, double array, unknown" {
		t.Error(got)
	}
}

func TestValueText(t *testing.T) {
	for want, v := range map[string]ParameterValue{
		"null": {}, "true": BoolValue(true), "-3": IntegerValue(-3), "20.0": DoubleValue(20),
		"1e+30": DoubleValue(1e30), ".nan": DoubleValue(math.NaN()), "-.inf": DoubleValue(math.Inf(-1)),
		`"a\"b\\\n\t\u0007é"`: StringValue("a\"b\\\n\t\aé"), "[]": StringArrayValue(nil),
		"[1, 255]": ByteArrayValue([]byte{1, 255}), "[false]": BoolArrayValue([]bool{false}),
		"[0.5, .inf]": DoubleArrayValue([]float64{0.5, math.Inf(1)}), `["a", "b"]`: StringArrayValue([]string{"a", "b"}),
	} {
		if got := v.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// genValue draws a value of any type but byte arrays, whose text is that of
// integers.
func genValue() *rapid.Generator[ParameterValue] {
	str := rapid.StringOf(rapid.Rune())
	return rapid.OneOf(
		rapid.Map(rapid.Bool(), BoolValue), rapid.Map(rapid.Int64(), IntegerValue),
		rapid.Map(rapid.Float64(), DoubleValue), rapid.Map(str, StringValue),
		rapid.Map(rapid.SliceOf(rapid.Bool()), BoolArrayValue), rapid.Map(rapid.SliceOf(rapid.Int64()), IntegerArrayValue),
		rapid.Map(rapid.SliceOf(rapid.Float64()), DoubleArrayValue), rapid.Map(rapid.SliceOf(str), StringArrayValue),
	)
}

// A value's text, parsed as YAML, is the same value.
func TestValueTextProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := genValue().Draw(t, "value")
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(v.String()), &doc); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		raw, err := rawFromYAML(doc.Content[0])
		if err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		got, ok := raw.as(v.Type())
		if !ok || !got.Equal(v) {
			t.Fatalf("%s reads back as %s", v, got)
		}
		if !v.Type().isArray() && raw.value().Type() != v.Type() {
			t.Fatalf("%s by itself is of type %v, want %v", v, raw.value().Type(), v.Type())
		}
	})
}

func TestValueEqual(t *testing.T) {
	values := []ParameterValue{
		{}, BoolValue(false), BoolValue(true), IntegerValue(0), IntegerValue(1), DoubleValue(0), DoubleValue(1),
		DoubleValue(math.NaN()), StringValue(""), StringValue("a"), ByteArrayValue([]byte{1}), BoolArrayValue([]bool{true}),
		IntegerArrayValue([]int64{1}), DoubleArrayValue([]float64{1}), DoubleArrayValue([]float64{math.NaN()}),
		StringArrayValue([]string{"a"}), StringArrayValue(nil), IntegerArrayValue(nil),
	}
	for i, a := range values {
		for j, b := range values {
			if a.Equal(b) != (i == j) {
				t.Errorf("%v %v equals %v %v: %v", a.Type(), a, b.Type(), b, a.Equal(b))
			}
		}
	}
	if !DoubleValue(0).Equal(DoubleValue(math.Copysign(0, -1))) || !StringArrayValue(nil).Equal(StringArrayValue([]string{})) {
		t.Error("-0 differs from 0, or no list from an empty one")
	}
}
