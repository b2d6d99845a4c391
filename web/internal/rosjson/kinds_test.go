// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// numbers is a type with one field of every kind of number, alone and as a list.
func numbers(t testing.TB) *dynamic.Type {
	t.Helper()
	var text strings.Builder
	for _, kind := range []string{"int8", "uint8", "byte", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"} {
		fmt.Fprintf(&text, "%s one_%s\n%s[] list_%s\n", kind, kind, kind, kind)
	}
	text.WriteString("bool one_bool\nbool[] list_bool\nstring one_string\nstring[] list_string\nuint16[2] pair\n")
	typ, err := dynamic.Resolve("x/msg/Numbers", func(string) (string, bool) { return text.String(), true })
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// TestBoundsOfKinds: the least and the greatest number of each kind are read, one further is not.
func TestBoundsOfKinds(t *testing.T) {
	typ := numbers(t)
	for kind, c := range map[string]struct{ least, below, greatest, above string }{
		"int8": {"-128", "-129", "127", "128"}, "uint8": {"0", "-1", "255", "256"}, "byte": {"0", "-1", "255", "256"},
		"int16": {"-32768", "-32769", "32767", "32768"}, "uint16": {"0", "-1", "65535", "65536"},
		"int32": {"-2147483648", "-2147483649", "2147483647", "2147483648"}, "uint32": {"0", "-1", "4294967295", "4294967296"},
		"int64":   {"-9223372036854775808", "-9223372036854775809", "9223372036854775807", "9223372036854775808"},
		"uint64":  {"0", "-1", "18446744073709551615", "18446744073709551616"},
		"float32": {"-3.4028235e+38", "-3.5e38", "3.4028235e+38", "3.5e38"},
		"float64": {"-1.7976931348623157e+308", "-1e309", "1.7976931348623157e+308", "1e309"},
	} {
		for _, form := range []string{`{"one_%s":%s}`, `{"list_%s":[%s]}`} {
			for _, good := range []string{c.least, c.greatest} {
				m, err := Decode(typ, fmt.Appendf(nil, form, kind, good))
				if err != nil {
					t.Errorf("%s %s: %v", kind, good, err)
					continue
				}
				v, _ := m.Get("one_" + kind)
				if strings.Contains(form, "one") && !strings.Contains(kind, "float") && fmt.Sprint(v) != good {
					t.Errorf("%s %s became %v", kind, good, v)
				}
			}
			for _, bad := range []string{c.below, c.above, `"1"`, "true", "{}"} {
				_, err := Decode(typ, fmt.Appendf(nil, form, kind, bad))
				where := "one_" + kind
				if strings.Contains(form, "list") {
					where = "list_" + kind + "[0]"
				}
				if !errors.Is(err, ErrJSON) || !strings.Contains(err.Error(), where) {
					t.Errorf("%s %s: %v, want an error that names %s", kind, bad, err, where)
				}
			}
		}
	}
}

// TestWholeNumbers: 1.0 and 1e2 are whole in JSON, and large ones do not lose their last digits on the way.
func TestWholeNumbers(t *testing.T) {
	typ := numbers(t)
	for text, want := range map[string]int64{
		"1.0": 1, "1e2": 100, "-0": 0, "-0.0": 0, "100e-2": 1, "9007199254740993": 9007199254740993, "-9007199254740993": -9007199254740993,
	} {
		m, err := Decode(typ, fmt.Appendf(nil, `{"one_int64":%s}`, text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if v, _ := m.Get("one_int64"); v != want {
			t.Errorf("%s became %v", text, v)
		}
	}
	for _, text := range []string{"0.5", "1e400", "9007199254740993.0", "1e-5"} {
		if _, err := Decode(typ, fmt.Appendf(nil, `{"one_int64":%s}`, text)); !errors.Is(err, ErrJSON) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestOneFieldTwice: secs is another name of sec; both are refused, or it would be chance which is taken.
func TestOneFieldTwice(t *testing.T) {
	for range 20 { // maps of Go are walked in any order
		for _, text := range []string{`{"sec":1,"secs":2}`, `{"nsecs":1,"nanosec":2}`} {
			if m, err := Decode(typ(t, "builtin_interfaces/msg/Time"), []byte(text)); !errors.Is(err, ErrJSON) || !strings.Contains(err.Error(), "are one field") {
				t.Fatal(text, m, err)
			}
		}
	}
	if _, err := Decode(typ(t, "std_msgs/msg/Int32"), []byte(`{"secs":1}`)); err == nil {
		t.Error("secs is no field of a number")
	}
}

// TestPathsOfErrors: the field is named with the way to it.
func TestPathsOfErrors(t *testing.T) {
	for _, c := range []struct{ typ, in, want string }{
		{"geometry_msgs/msg/TwistStamped", `{"twist":{"linear":{"x":true}}}`, "twist.linear.x wants a float64"},
		{"geometry_msgs/msg/TwistStamped", `{"twist":{"linear":7}}`, "twist.linear wants a"},
		{"geometry_msgs/msg/TwistStamped", `{"twist":{"linear":null}}`, "twist.linear wants a"},
		{"geometry_msgs/msg/TwistStamped", `{"twist":{"up":1}}`, `no field "twist.up"`},
		{"tf2_msgs/msg/TFMessage", `{"transforms":[{},{"transform":{"rotation":{"w":"1"}}}]}`, "transforms[1].transform.rotation.w"},
		{"tf2_msgs/msg/TFMessage", `{"transforms":[null]}`, "transforms[0] wants a"},
		{"tf2_msgs/msg/TFMessage", `{"transforms":{}}`, "transforms wants a list"},
		{"tf2_msgs/msg/TFMessage", `{"transforms":"AA=="}`, "transforms wants a list"},
		{"sensor_msgs/msg/JointState", `{"name":["a",null]}`, "name[1] wants a string"},
		{"std_msgs/msg/String", `null`, "wants an object"},
		{"std_msgs/msg/String", `"x"`, "wants an object"},
		{"std_msgs/msg/String", ``, "EOF"},
		{"std_msgs/msg/String", `{"data":"x"} {}`, "behind"},
		{"std_msgs/msg/String", `{"data":"x"} x`, "behind"},
	} {
		m, err := Decode(typ(t, c.typ), []byte(c.in))
		if m != nil || !errors.Is(err, ErrJSON) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.in, err, c.want)
		}
	}
}

// TestListsOfAFixedLength want just so many.
func TestListsOfAFixedLength(t *testing.T) {
	typ := numbers(t)
	for text, good := range map[string]bool{`[1,2]`: true, `[]`: false, `[1]`: false, `[1,2,3]`: false} {
		_, err := Decode(typ, fmt.Appendf(nil, `{"pair":%s}`, text))
		if good != (err == nil) || !good && !strings.Contains(err.Error(), "pair") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestDeepText: brackets without end are an error of package json, not a stack without end.
func TestDeepText(t *testing.T) {
	if _, err := Decode(typ(t, "std_msgs/msg/String"), bytes.Repeat([]byte(`{"data":`), 1<<20)); !errors.Is(err, ErrJSON) {
		t.Error(err)
	}
}

// TestTextThatIsNoUTF8: of a ROS string any octets may come; JSON and CBOR texts must be UTF-8 (RFC 8259, 8.1; RFC
// 8949, 3.1).
func TestTextThatIsNoUTF8(t *testing.T) {
	m := dynamic.New(numbers(t))
	if err := errors.Join(m.Set("one_string", "a\xffb"), m.Set("list_string", []any{"\xc3"})); err != nil {
		t.Fatal(err)
	}
	var fromJSON, fromCBOR map[string]any
	if err := json.Unmarshal(Append(nil, m), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := cbor.Unmarshal(encoded(t, CBORTree(m)), &fromCBOR); err != nil { // refuses texts that are no UTF-8
		t.Fatal(err)
	}
	for name, tree := range map[string]map[string]any{"JSON": fromJSON, "CBOR": fromCBOR} {
		if tree["one_string"] != "a\ufffdb" || fmt.Sprint(tree["list_string"]) != "[\ufffd]" {
			t.Errorf("%s: %q, %q", name, tree["one_string"], tree["list_string"])
		}
	}
}

// encoded returns a value as rosbridge sends it.
func encoded(t interface {
	Helper()
	Fatal(args ...any)
}, v any) []byte {
	t.Helper()
	mode, err := CBORMode()
	if err != nil {
		t.Fatal(err)
	}
	data, err := mode.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCBORNumbers holds examples of RFC 8949, appendix A: floating-point numbers keep their 64 bits, NaN too.
func TestCBORNumbers(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{uint64(1000), "1903e8"}, {uint64(math.MaxUint64), "1bffffffffffffffff"}, {int64(-1000), "3903e7"}, {int64(math.MinInt64), "3b7fffffffffffffff"},
		{1.1, "fb3ff199999999999a"}, {1.5, "fb3ff8000000000000"}, {math.NaN(), "fb7ff8000000000001"}, {math.Inf(-1), "fbfff0000000000000"},
		{false, "f4"}, {true, "f5"}, {"", "60"}, {"水", "63e6b0b4"}, {nil, "f6"}, {[]byte{1, 2}, "420102"},
	} {
		if got := hex.EncodeToString(encoded(t, cborScalar(c.v))); got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
}

// TestTypedArrays: tags and bytes of RFC 8746, table 1, little-endian.
func TestTypedArrays(t *testing.T) {
	for kind, c := range map[string]struct {
		values any
		want   string
	}{
		"uint8": {[]byte{1, 255}, "42" + "01ff"}, "byte": {[]byte{7}, "41" + "07"},
		"int8":    {[]any{int64(-1)}, "d848" + "41" + "ff"},
		"uint16":  {[]any{uint64(0x0102)}, "d845" + "42" + "0201"},
		"int16":   {[]any{int64(-2)}, "d84d" + "42" + "feff"},
		"uint32":  {[]any{uint64(0x01020304)}, "d846" + "44" + "04030201"},
		"int32":   {[]any{int64(-2)}, "d84e" + "44" + "feffffff"},
		"uint64":  {[]any{uint64(1)}, "d847" + "48" + "0100000000000000"},
		"int64":   {[]any{int64(math.MinInt64)}, "d84f" + "48" + "0000000000000080"},
		"float32": {[]any{1.5}, "d855" + "44" + "0000c03f"},
		"float64": {[]any{1.5}, "d856" + "48" + "000000000000f83f"},
		"bool":    {[]any{true, false}, "82" + "f5f4"},
		"string":  {[]any{"a"}, "81" + "6161"},
	} {
		m := dynamic.New(numbers(t))
		if err := m.Set("list_"+kind, c.values); err != nil {
			t.Error(err)
			continue
		}
		f, _ := m.Field("list_" + kind)
		v, _ := m.Get("list_" + kind)
		if got := hex.EncodeToString(encoded(t, cborValue(f, v))); got != c.want {
			t.Errorf("%s: %s, want %s", kind, got, c.want)
		}
	}
}

// TestNumbersThatJSONDoesNotHave come as null and go back as not-a-number.
func TestNumbersThatJSONDoesNotHave(t *testing.T) {
	m := dynamic.New(numbers(t))
	odd := []any{math.NaN(), math.Inf(1), math.Inf(-1), 0.0}
	if err := errors.Join(m.Set("list_float64", odd), m.Set("list_float32", odd)); err != nil {
		t.Fatal(err)
	}
	text := Append(nil, m)
	if !bytes.Contains(text, []byte(`"list_float64":[null,null,null,0]`)) || !bytes.Contains(text, []byte(`"list_float32":[null,null,null,0]`)) {
		t.Errorf("%s", text)
	}
	again, err := Decode(m.Type(), text)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := again.Get("list_float64")
	if x := v.([]any)[1].(float64); !math.IsNaN(x) {
		t.Error(x)
	}
}

// TestRoundTrip draws messages: JSON gives back every number, text and octet, and CBOR has the same fields.
func TestRoundTrip(t *testing.T) {
	typ := numbers(t)
	rapid.Check(t, func(t *rapid.T) {
		m := dynamic.New(typ)
		set := func(name string, v any) {
			if err := m.Set(name, v); err != nil {
				t.Fatal(err)
			}
		}
		finite := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
		set("one_int64", rapid.Int64().Draw(t, "int64"))
		set("one_uint64", rapid.Uint64().Draw(t, "uint64"))
		set("one_float32", float64(rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32).Draw(t, "float32")))
		set("one_float64", finite.Draw(t, "float64"))
		set("one_string", rapid.String().Draw(t, "string"))
		set("list_byte", rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		set("list_int16", rapid.SliceOf(rapid.Map(rapid.Int16(), func(v int16) any { return int64(v) })).Draw(t, "int16"))
		set("list_float64", rapid.SliceOf(rapid.Map(finite, func(v float64) any { return v })).Draw(t, "float64s"))
		text := Append(nil, m)
		again, err := Decode(typ, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var tree map[string]any
		if err := cbor.Unmarshal(encoded(t, CBORTree(m)), &tree); err != nil {
			t.Fatal(err)
		}
		for _, f := range typ.Fields {
			was, _ := m.Get(f.Name)
			now, _ := again.Get(f.Name)
			if _, has := tree[f.Name]; !has || fmt.Sprint(was) != fmt.Sprint(now) {
				t.Fatalf("%s: %v became %v", f.Name, was, now)
			}
		}
	})
}

// TestAppendKeepsWhatIsThere: Append appends.
func TestAppendKeepsWhatIsThere(t *testing.T) {
	m := dynamic.New(typ(t, "std_msgs/msg/Bool"))
	if got := string(Append([]byte("x"), m)); got != `x{"data":false}` {
		t.Error(got)
	}
}
