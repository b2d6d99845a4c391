// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// fill sets the fields of a message from the values of a golden line, which
// must name every field.
func fill(t testing.TB, m any, value map[string]any) {
	t.Helper()
	setStruct(t, reflect.ValueOf(m).Elem(), value)
}

// foldName is what child_frame_id and ChildFrameID have in common.
func foldName(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "_", ""))
}

func setStruct(t testing.TB, v reflect.Value, value map[string]any) {
	t.Helper()
	if len(value) != v.NumField() {
		t.Fatalf("%s has %d fields, the golden value %d", v.Type(), v.NumField(), len(value))
	}
	for name, x := range value {
		f := v.FieldByNameFunc(func(s string) bool { return foldName(s) == foldName(name) })
		if !f.IsValid() {
			t.Fatalf("%s has no field %s", v.Type(), name)
		}
		set(t, f, x)
	}
}

// set sets v from a JSON value. A byte may come as a one-character string.
func set(t testing.TB, v reflect.Value, x any) {
	t.Helper()
	switch x := x.(type) {
	case map[string]any:
		setStruct(t, v, x)
	case []any:
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), len(x), len(x)))
		}
		if v.Len() != len(x) {
			t.Fatalf("%s with %d elements", v.Type(), len(x))
		}
		for i := range x {
			set(t, v.Index(i), x[i])
		}
	case bool:
		v.SetBool(x)
	case json.Number:
		setNumber(t, v, x.String())
	case string:
		setString(t, v, x)
	default:
		t.Fatalf("cannot set %s from %T", v.Type(), x)
	}
}

func setString(t testing.TB, v reflect.Value, s string) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Uint8:
		if len([]rune(s)) != 1 {
			t.Fatalf("%q is not one byte", s)
		}
		v.SetUint(uint64([]rune(s)[0]))
	default:
		setNumber(t, v, s)
	}
}

// setNumber sets a number from its decimal form, "nan", "inf" or "-inf".
func setNumber(t testing.TB, v reflect.Value, s string) {
	t.Helper()
	var err error
	switch {
	case s == "nan" && v.Kind() == reflect.Float32:
		v.Set(reflect.ValueOf(math.Float32frombits(0x7fc00000))) // the NaN of C and Python
	case s == "nan":
		v.SetFloat(math.Float64frombits(0x7ff8000000000000))
	case v.CanFloat():
		var f float64
		f, err = strconv.ParseFloat(s, 64)
		v.SetFloat(f)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(s, 10, 64)
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(s, 10, 64)
		v.SetUint(n)
	default:
		t.Fatalf("cannot set %s from %q", v.Type(), s)
	}
	if err != nil {
		t.Fatal(err)
	}
}
