// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// TestMsgTextKeepsDefaults: viewers and bags parse the text as a .msg file: lists are in brackets with commas, texts in
// quotes. Parsing it yields the same type with the same defaults.
func TestMsgTextKeepsDefaults(t *testing.T) {
	for definition, want := range map[string]string{
		"bool a true":                        "bool a true\n",
		"bool a false":                       "bool a false\n",
		"byte a 7":                           "byte a 7\n",
		"int8 a -5":                          "int8 a -5\n",
		"uint64 a 18446744073709551615":      "uint64 a 18446744073709551615\n",
		"float64 a 0.1":                      "float64 a 0.1\n",
		"float64 a 1e300":                    "float64 a 1e+300\n",
		"string a \"it's # \\\"quoted\\\"\"": "string a \"it's # \\\"quoted\\\"\"\n",
		"string a ''":                        "string a \"\"\n",
		"float64[3] a [1, 2.5, -3]":          "float64[3] a [1.0, 2.5, -3.0]\n",
		"float32[] a [1, 2]":                 "float32[] a [1.0, 2.0]\n",
		"int16[<=4] a [1, -2]":               "int16[<=4] a [1, -2]\n",
		"uint8[2] a [1, 255]":                "uint8[2] a [1, 255]\n",
		"uint8[] a [1]":                      "uint8[] a [1]\n",
		"byte[2] a [1, 2]":                   "byte[2] a [1, 2]\n",
		"bool[2] a [true, false]":            "bool[2] a [true, false]\n",
		"string[] a [\"x, y\", 'z']":         "string[] a [\"x, y\", \"z\"]\n",
		"string<=3[<=2] a [abc]":             "string<=3[<=2] a [\"abc\"]\n",
		"int32[] a []":                       "int32[] a []\n",
	} {
		typ := one(t, definition)
		text := typ.MsgText()
		if text != want {
			t.Errorf("%s: %q, want %q", definition, text, want)
		}
		again, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": text}))
		if err != nil || again.Hash() != typ.Hash() || fmt.Sprint(again.Fields[0].Default) != fmt.Sprint(typ.Fields[0].Default) {
			t.Errorf("%s: %q reads back as %v: %v", definition, text, again, err)
		}
	}
}

// TestDefaultsAreNotShared: modifying one message's list does not affect another message.
func TestDefaultsAreNotShared(t *testing.T) {
	typ := one(t, "uint8[2] octets [1, 2]\nint16[] list [3]\nbool[2] none")
	a, b := dynamic.New(typ), dynamic.New(typ)
	octets, _ := a.Get("octets")
	octets.([]byte)[0] = 99
	list, _ := a.Get("list")
	list.([]any)[0] = int64(99)
	none, _ := a.Get("none")
	none.([]any)[0] = true
	for _, m := range []*dynamic.Message{b, dynamic.New(typ)} {
		if got := m.Flow(); got != "{octets: [1, 2], list: [3], none: [false, false]}" {
			t.Error(got)
		}
	}
}

// TestTypesOfFields: every container of every kind, in its text and in the description's number (REP 2016).
func TestTypesOfFields(t *testing.T) {
	for kind, id := range map[string]int{
		"int8": 2, "uint8": 3, "char": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9, "float32": 10,
		"float64": 11, "bool": 15, "byte": 16, "string": 17, "string<=5": 21,
	} {
		for suffix, offset := range map[string]int{"": 0, "[3]": 48, "[<=3]": 96, "[]": 144} {
			f := one(t, kind+suffix+" a").Fields[0]
			if f.TypeID() != id+offset || (f.Size == 3) != strings.Contains(suffix, "3") || (f.StringBound == 5) != (id == 21) {
				t.Errorf("%s%s: number %d, %+v", kind, suffix, f.TypeID(), f)
			}
		}
	}
}

// TestBadDefinitions: each invalid type has its own error text.
func TestBadDefinitions(t *testing.T) {
	for definition, kind := range map[string]error{
		"bool[-1] a": dynamic.ErrDefinition, "bool[x] a": dynamic.ErrDefinition, "bool[<=] a": dynamic.ErrDefinition, "bool[<=0] a": dynamic.ErrDefinition,
		"bool[2147483648] a": dynamic.ErrDefinition, "bool]2[ a": dynamic.ErrDefinition, "bool[2]x a": dynamic.ErrDefinition,
		"string<=0 a": dynamic.ErrDefinition, "string<=x a": dynamic.ErrDefinition, "string<=2147483648 a": dynamic.ErrDefinition,
		"int8<=4[] a": dynamic.ErrDefinition, "wstring<=4 a": dynamic.ErrUnsupported, "wstring[] a": dynamic.ErrUnsupported,
		"bool 1a": dynamic.ErrDefinition, "bool a-b": dynamic.ErrDefinition, "bool ä": dynamic.ErrDefinition, "bool a\nint8 a": dynamic.ErrDefinition,
		"a b": dynamic.ErrUnknownType, "a/b/c/d e": dynamic.ErrDefinition, "/a b": dynamic.ErrDefinition, "a/ b": dynamic.ErrDefinition,
		"t/T t": dynamic.ErrDefinition, "bool a {": dynamic.ErrDefinition, "int8 a 1.5.2": dynamic.ErrDefinition, "uint8 a -1": dynamic.ErrDefinition,
		"string<=2 a abc": dynamic.ErrDefinition, "float32 a 1e40": dynamic.ErrDefinition, "int8[] a 5": dynamic.ErrDefinition,
		"bool a &x *x": dynamic.ErrDefinition, "uint8[4194305] a": dynamic.ErrUnsupported, "uint8[4194304] a\nbool b": dynamic.ErrUnsupported,
	} {
		typ, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": definition}))
		if typ != nil || err == nil || !errors.Is(err, kind) && !errors.Is(err, dynamic.ErrDefinition) {
			t.Errorf("%q: %v, %v; want %v", definition, typ, err, kind)
		}
	}
	for definition, want := range map[string]int{
		"": 0, "# a comment\n\n  \n": 0, "uint8 A=1\nuint8 B = 2\nstring C= # x\n": 0, "  bool   a  \r\n": 1, "bool a\nbool b": 2, "uint8[4194304] a": 1,
	} {
		typ, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": definition}))
		if err != nil || len(typ.Fields) != want {
			t.Errorf("%q: %+v, %v", definition, typ, err)
		}
	}
}

// TestSetRejectsOtherValues: for every kind the smallest and the largest value, one beyond, and a value of each other
// Go type.
func TestSetRejectsOtherValues(t *testing.T) {
	nested := dynamic.New(one(t, "bool a"))
	goTypes := map[string]any{
		"bool": true, "int64": int64(1), "uint64": uint64(1), "float64": 1.0, "string": "x", "message": nested, "bytes": []byte{1}, "list": []any{true},
		"int": 1, "nil": nil, "nil message": (*dynamic.Message)(nil),
	}
	for kind, c := range map[string]struct {
		goType   string
		in, over []any
	}{
		"bool":    {"bool", []any{true, false}, nil},
		"int8":    {"int64", []any{int64(-128), int64(127)}, []any{int64(-129), int64(128), int64(math.MinInt64)}},
		"int16":   {"int64", []any{int64(-32768), int64(32767)}, []any{int64(-32769), int64(32768)}},
		"int32":   {"int64", []any{int64(math.MinInt32), int64(math.MaxInt32)}, []any{int64(math.MinInt32 - 1), int64(math.MaxInt32 + 1)}},
		"int64":   {"int64", []any{int64(math.MinInt64), int64(math.MaxInt64)}, nil},
		"uint8":   {"uint64", []any{uint64(0), uint64(255)}, []any{uint64(256), uint64(math.MaxUint64)}},
		"byte":    {"uint64", []any{uint64(0), uint64(255)}, []any{uint64(256)}},
		"uint16":  {"uint64", []any{uint64(65535)}, []any{uint64(65536)}},
		"uint32":  {"uint64", []any{uint64(math.MaxUint32)}, []any{uint64(math.MaxUint32 + 1)}},
		"uint64":  {"uint64", []any{uint64(math.MaxUint64)}, nil},
		"float32": {"float64", []any{math.MaxFloat32, -math.MaxFloat32, math.Inf(1), math.NaN()}, []any{math.MaxFloat64, math.Nextafter(math.MaxFloat32, 1e300)}},
		"float64": {"float64", []any{math.MaxFloat64, math.Inf(-1), math.NaN()}, nil},
		"string":  {"string", []any{"", "a\x00b"}, nil},
	} {
		for _, list := range []bool{false, true} {
			definition := kind + " a"
			if list {
				definition = kind + "[] a"
			}
			m := dynamic.New(one(t, definition))
			wrap := func(v any) any {
				u, octet := v.(uint64)
				switch {
				case !list:
					return v
				case (kind == "uint8" || kind == "byte") && octet && u < 256:
					return []byte{byte(u)}
				}
				return []any{v}
			}
			for _, v := range c.in {
				if err := m.Set("a", wrap(v)); err != nil {
					t.Errorf("%s = %v: %v", definition, v, err)
				}
				if _, err := cdr.Marshal(nil, m); err != nil {
					t.Errorf("%s = %v: %v", definition, v, err)
				}
			}
			before := m.Flow()
			wrong := slices.Clone(c.over)
			for name, v := range goTypes {
				if name != c.goType {
					wrong = append(wrong, v)
				}
			}
			for _, v := range wrong {
				if err := m.Set("a", wrap(v)); !errors.Is(err, dynamic.ErrValue) || !strings.Contains(err.Error(), "t/T.a") {
					t.Errorf("%s = %T %v: %v", definition, v, v, err)
				}
			}
			if m.Flow() != before {
				t.Errorf("%s: a value that was refused is there", definition)
			}
		}
	}
	// A message of another type, even with the same name, is not accepted.
	typ, err := dynamic.Resolve("t/O", definitions(map[string]string{"t/O": "t/T t", "t/T": "bool a"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := dynamic.New(typ).Set("t", nested); !errors.Is(err, dynamic.ErrValue) {
		t.Error(err)
	}
}

// TestDataCutOffAtEveryByte: truncated data cause an error that names the field in which they end.
func TestDataCutOffAtEveryByte(t *testing.T) {
	typ, err := dynamic.Resolve("t/T", definitions(map[string]string{
		"t/T": "bool first\nfloat64 number\nstring text\nint16[3] array\nt/U[2] pair\nt/U[<=3] few\nuint8[] octets\nstring[] texts\n",
		"t/U": "uint32 n\nbyte b\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	m := dynamic.New(typ)
	if _, err := m.Fill("{first: true, number: 1.5, text: abc, array: [1, 2, 3], pair: [{n: 1}, {n: 2}], few: [{n: 3, b: 4}], octets: [1, 2, 3], texts: [a, bc]}"); err != nil {
		t.Fatal(err)
	}
	whole, err := cdr.Marshal(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for n := range whole {
		got, err := dynamic.Decode(typ, whole[:n])
		var decode *cdr.DecodeError
		if err == nil {
			if n < len(whole)-3 { // the end may be padding
				t.Fatalf("%d of %d bytes: %s", n, len(whole), got.Flow())
			}
			continue
		}
		if !errors.As(err, &decode) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		names[decode.Field] = true
	}
	for _, field := range []string{"t/T.first", "t/T.number", "t/T.text", "t/T.array", "t/U.n", "t/U.b", "t/T.few", "t/T.octets", "t/T.texts"} {
		if !names[field] {
			t.Errorf("no truncation in %s: %v", field, names)
		}
	}
	again, err := dynamic.Decode(typ, whole)
	if err != nil || again.Flow() != m.Flow() {
		t.Error(again, err)
	}
}

// TestFalseLengthsAllocateNothing: a length beyond the data allocates no memory, however large it is.
func TestFalseLengthsAllocateNothing(t *testing.T) {
	for _, definition := range []string{"float64[] a", "uint8[] a", "string[] a", "t/T2[] a", "string a", "bool[<=2147483647] a"} {
		typ, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": definition, "t/T2": "string s"}))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []uint32{100, 1 << 20, math.MaxInt32, math.MaxUint32} {
			data := binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, n)
			data = append(data, 1, 2, 3, 4)
			if m, err := dynamic.Decode(typ, data); err == nil {
				t.Errorf("%s of %d: %s", definition, n, m.Flow()[:20])
			}
			if allocated := testing.AllocsPerRun(1, func() { _, _ = dynamic.Decode(typ, data) }); allocated > 100 {
				t.Errorf("%s of %d: %g allocations", definition, n, allocated)
			}
		}
	}
}
