// SPDX-License-Identifier: Apache-2.0

package parameters

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

type value = rcl_interfaces.ParameterValue

func TestTreeOfEveryType(t *testing.T) {
	for _, c := range []struct {
		v          value
		json, hint string
	}{
		{value{}, `null`, ""},
		{value{Type: 200}, `null`, ""},
		{value{Type: rcl_interfaces.ParameterTypeBool, BoolValue: true}, `true`, ""},
		{value{Type: rcl_interfaces.ParameterTypeInteger, IntegerValue: -7}, `-7`, ""},
		{value{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 2}, `2`, HintFloat},
		{value{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: math.NaN()}, `null`, HintFloat},
		{value{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: math.Inf(-1)}, `null`, HintFloat},
		{value{Type: rcl_interfaces.ParameterTypeString, StringValue: "a\"b"}, `"a\"b"`, ""},
		{value{Type: rcl_interfaces.ParameterTypeByteArray, ByteArrayValue: []byte{0, 255, 16}}, `"AP8Q"`, HintBytes},
		{value{Type: rcl_interfaces.ParameterTypeByteArray}, `""`, HintBytes},
		{value{Type: rcl_interfaces.ParameterTypeBoolArray, BoolArrayValue: []bool{true, false}}, `[true,false]`, ""},
		{value{Type: rcl_interfaces.ParameterTypeBoolArray}, `[]`, ""},
		{value{Type: rcl_interfaces.ParameterTypeIntegerArray, IntegerArrayValue: []int64{1, 2}}, `[1,2]`, ""},
		{value{Type: rcl_interfaces.ParameterTypeIntegerArray}, `[]`, ""},
		{value{Type: rcl_interfaces.ParameterTypeDoubleArray, DoubleArrayValue: []float64{.5, math.Inf(1)}}, `[0.5,null]`, HintFloats},
		{value{Type: rcl_interfaces.ParameterTypeDoubleArray}, `[]`, HintFloats},
		{value{Type: rcl_interfaces.ParameterTypeStringArray, StringArrayValue: []string{"", "x"}}, `["","x"]`, ""},
		{value{Type: rcl_interfaces.ParameterTypeStringArray}, `[]`, ""},
	} {
		tree, hint := Tree(&c.v)
		text, err := json.Marshal(tree)
		if err != nil || string(text) != c.json || hint != c.hint {
			t.Errorf("type %d: %s with hint %q (%v), want %s with %q", c.v.Type, text, hint, err, c.json, c.hint)
		}
	}
}

func TestTypeOfWhatIsNotSetYet(t *testing.T) {
	for _, c := range []struct {
		json, hint string
		want       uint8
	}{
		{`true`, "", rcl_interfaces.ParameterTypeBool},
		{`3`, "", rcl_interfaces.ParameterTypeInteger},
		{`3`, HintFloat, rcl_interfaces.ParameterTypeDouble},
		{`3.5`, "", rcl_interfaces.ParameterTypeDouble},
		{`"AP8Q"`, "", rcl_interfaces.ParameterTypeString},
		{`"AP8Q"`, HintBytes, rcl_interfaces.ParameterTypeByteArray},
		{`[true]`, "", rcl_interfaces.ParameterTypeBoolArray},
		{`[1,2]`, "", rcl_interfaces.ParameterTypeIntegerArray},
		{`[1,2]`, HintFloats, rcl_interfaces.ParameterTypeDoubleArray},
		{`[1,2.5]`, "", rcl_interfaces.ParameterTypeDoubleArray},
		{`["a"]`, "", rcl_interfaces.ParameterTypeStringArray},
	} {
		v, err := FromJSON([]byte(c.json), c.hint, rcl_interfaces.ParameterTypeNotSet)
		if err != nil || v.Type != c.want {
			t.Errorf("%s with hint %q is of type %d (%v), want %d", c.json, c.hint, v.Type, err, c.want)
		}
	}
}

// The current type decides: a page that sends 3 for a double must not make it an integer.
func TestTypeStaysWhatItIs(t *testing.T) {
	for _, c := range []struct {
		json string
		want value
	}{
		{`3`, value{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 3}},
		{`3.0`, value{Type: rcl_interfaces.ParameterTypeInteger, IntegerValue: 3}},
		{`-9007199254740993`, value{Type: rcl_interfaces.ParameterTypeInteger, IntegerValue: -9007199254740993}},
		{`[1]`, value{Type: rcl_interfaces.ParameterTypeDoubleArray, DoubleArrayValue: []float64{1}}},
		{`"AA=="`, value{Type: rcl_interfaces.ParameterTypeByteArray, ByteArrayValue: []byte{0}}},
		{`"AA=="`, value{Type: rcl_interfaces.ParameterTypeString, StringValue: "AA=="}},
		{`[]`, value{Type: rcl_interfaces.ParameterTypeStringArray, StringArrayValue: []string{}}},
	} {
		v, err := FromJSON([]byte(c.json), "", c.want.Type)
		if err != nil || !reflect.DeepEqual(v, c.want) {
			t.Errorf("%s as type %d: %+v, %v", c.json, c.want.Type, v, err)
		}
	}
}

func TestValuesThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		json string
		was  uint8
	}{
		{`null`, rcl_interfaces.ParameterTypeNotSet},
		{`{}`, rcl_interfaces.ParameterTypeNotSet},
		{`[1,"a"]`, rcl_interfaces.ParameterTypeNotSet},
		{``, rcl_interfaces.ParameterTypeNotSet},
		{`1`, 200},
		{`1`, rcl_interfaces.ParameterTypeBool},
		{`1.5`, rcl_interfaces.ParameterTypeInteger},
		{`9007199254740993.0`, rcl_interfaces.ParameterTypeInteger},
		{`"1"`, rcl_interfaces.ParameterTypeInteger},
		{`"1"`, rcl_interfaces.ParameterTypeDouble},
		{`1`, rcl_interfaces.ParameterTypeString},
		{`"*"`, rcl_interfaces.ParameterTypeByteArray},
		{`[1]`, rcl_interfaces.ParameterTypeBoolArray},
		{`[1.5]`, rcl_interfaces.ParameterTypeIntegerArray},
		{`["a"]`, rcl_interfaces.ParameterTypeDoubleArray},
		{`[1]`, rcl_interfaces.ParameterTypeStringArray},
		{`true false`, rcl_interfaces.ParameterTypeBool},
	} {
		if v, err := FromJSON([]byte(c.json), "", c.was); !errors.Is(err, ErrValue) {
			t.Errorf("%s as type %d: %+v, %v", c.json, c.was, v, err)
		}
	}
}

// drawValue draws a value of any type that JSON can carry.
func drawValue(t *rapid.T) value {
	finite := rapid.Float64().Filter(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) })
	v := value{Type: rapid.Uint8Range(1, 9).Draw(t, "type")}
	switch v.Type {
	case rcl_interfaces.ParameterTypeBool:
		v.BoolValue = rapid.Bool().Draw(t, "bool")
	case rcl_interfaces.ParameterTypeInteger:
		v.IntegerValue = rapid.Int64().Draw(t, "integer")
	case rcl_interfaces.ParameterTypeDouble:
		v.DoubleValue = finite.Draw(t, "double")
	case rcl_interfaces.ParameterTypeString:
		v.StringValue = rapid.String().Draw(t, "string")
	case rcl_interfaces.ParameterTypeByteArray:
		v.ByteArrayValue = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	case rcl_interfaces.ParameterTypeBoolArray:
		v.BoolArrayValue = rapid.SliceOf(rapid.Bool()).Draw(t, "bools")
	case rcl_interfaces.ParameterTypeIntegerArray:
		v.IntegerArrayValue = rapid.SliceOf(rapid.Int64()).Draw(t, "integers")
	case rcl_interfaces.ParameterTypeDoubleArray:
		v.DoubleArrayValue = rapid.SliceOf(finite).Draw(t, "doubles")
	case rcl_interfaces.ParameterTypeStringArray:
		v.StringArrayValue = rapid.SliceOf(rapid.String()).Draw(t, "strings")
	}
	return v
}

// A value sent to a page and back is unchanged, whether its type is known or given by the hint.
func TestValuesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t)
		tree, hint := Tree(&v)
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		back, err := FromJSON(text, hint, v.Type)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, _ := Tree(&back)
		if !reflect.DeepEqual(again, tree) {
			t.Fatalf("%v came back as %v", tree, again)
		}
		if string(text) == "[]" { // without an element there is no hint
			return
		}
		if guessed, err := FromJSON(text, hint, rcl_interfaces.ParameterTypeNotSet); err != nil || guessed.Type != v.Type {
			t.Fatalf("%s with hint %q is of type %d (%v), want %d", text, hint, guessed.Type, err, v.Type)
		}
	})
}

func FuzzFromJSON(f *testing.F) {
	for _, s := range []string{`1`, `1.5`, `"AP8Q"`, `[1,2.5]`, `[]`, `null`, `{"a":1}`, `[true]`, `1e400`} {
		f.Add([]byte(s), HintFloat, uint8(0))
		f.Add([]byte(s), "", uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, hint string, was uint8) {
		v, err := FromJSON(data, hint, was)
		if err != nil {
			if !errors.Is(err, ErrValue) {
				t.Fatal(err)
			}
			return
		}
		if was != rcl_interfaces.ParameterTypeNotSet && v.Type != was {
			t.Fatalf("type %d became %d", was, v.Type)
		}
		tree, _ := Tree(&v)
		if _, err := json.Marshal(tree); err != nil {
			t.Fatal(err)
		}
	})
}
