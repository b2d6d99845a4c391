// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// octet draws a byte; one of them is a line break as a character, see odd.
var octet = rapid.Byte().Filter(func(b byte) bool { return b != 0x85 })

// draw fills a message with random values.
func draw(t *rapid.T, typ *dynamic.Type) *dynamic.Message {
	m := dynamic.New(typ)
	for i := range typ.Fields {
		f := &typ.Fields[i]
		if err := m.Set(f.Name, drawField(t, f)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func drawField(t *rapid.T, f *dynamic.Field) any {
	n := f.Size
	switch f.Container {
	case dynamic.Single:
		return drawValue(t, f)
	case dynamic.Bounded:
		n = rapid.IntRange(0, min(f.Size, 4)).Draw(t, f.Name)
	case dynamic.Sequence:
		n = rapid.IntRange(0, 4).Draw(t, f.Name)
	}
	if f.Kind == dynamic.Uint8 || f.Kind == dynamic.Byte {
		return rapid.SliceOfN(octet, n, n).Draw(t, f.Name)
	}
	list := make([]any, n)
	for i := range list {
		list[i] = drawValue(t, f)
	}
	return list
}

func drawValue(t *rapid.T, f *dynamic.Field) any {
	switch k := f.Kind; k {
	case dynamic.Nested:
		return draw(t, f.Type)
	case dynamic.Bool:
		return rapid.Bool().Draw(t, f.Name)
	case dynamic.String:
		bound := 20
		if f.StringBound > 0 {
			bound = min(bound, f.StringBound)
		}
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(odd, r) {
				return '\n'
			}
			return r
		}, rapid.StringN(0, bound, bound).Draw(t, f.Name))
	case dynamic.Float32:
		return float64(math.Float32frombits(rapid.Uint32().Draw(t, f.Name)))
	case dynamic.Float64:
		return math.Float64frombits(rapid.Uint64().Draw(t, f.Name))
	case dynamic.Int8, dynamic.Int16, dynamic.Int32, dynamic.Int64:
		bits := map[dynamic.Kind]int{dynamic.Int8: 8, dynamic.Int16: 16, dynamic.Int32: 32, dynamic.Int64: 64}[k]
		return rapid.Int64().Draw(t, f.Name) >> (64 - bits)
	case dynamic.Byte:
		return uint64(octet.Draw(t, f.Name))
	default:
		bits := map[dynamic.Kind]int{dynamic.Uint8: 8, dynamic.Uint16: 16, dynamic.Uint32: 32, dynamic.Uint64: 64}[k]
		return rapid.Uint64().Draw(t, f.Name) >> (64 - bits)
	}
}

// For every type, the generated struct decodes and encodes the bytes unchanged, and the message survives YAML.
func TestEveryTypeRoundTrips(t *testing.T) {
	for _, name := range msgs.Names() {
		typ := resolve(t, name)
		newMessage, ok := msgs.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		t.Run(strings.ReplaceAll(name, "/", "."), func(t *testing.T) {
			messages := rapid.Custom(func(t *rapid.T) *dynamic.Message {
				rapid.Bool().Draw(t, "used") // an empty message draws nothing
				return draw(t, typ)
			})
			for seed := range 4 {
				roundTrip(t, messages.Example(seed), newMessage())
			}
		})
	}
}

func roundTrip(t rapid.TB, m *dynamic.Message, generated msgs.Message) {
	data, err := cdr.Marshal(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := cdr.Unmarshal(data, generated); err != nil {
		t.Fatalf("generated type: %v", err)
	}
	if again, err := cdr.Marshal(nil, generated); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("generated type: %v\n%x\n%x", err, data, again)
	}
	decoded, err := dynamic.Decode(m.Type(), data)
	if err != nil {
		t.Fatal(err)
	}
	text := decoded.YAML(dynamic.Full())
	filled := dynamic.New(m.Type())
	if _, err := filled.Fill(text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// Not a number has many forms in bytes and one in text, so texts are compared.
	if again := filled.YAML(dynamic.Full()); again != text {
		t.Fatalf("from YAML\n%s\nwas\n%s", again, text)
	}
	if flow := decoded.YAML(dynamic.Format{Truncate: -1, Flow: true}); !filledAs(t, m.Type(), flow, text) {
		t.Fatalf("flow style reads otherwise:\n%s", flow)
	}
}

// filledAs reports whether text fills a message that is shown as want.
func filledAs(t rapid.TB, typ *dynamic.Type, text, want string) bool {
	m := dynamic.New(typ)
	if _, err := m.Fill(text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m.YAML(dynamic.Full()) == want
}

// A new message has the defaults that generated ones have in ROS.
func TestDefaults(t *testing.T) {
	m := dynamic.New(resolve(t, "geometry_msgs/msg/Quaternion"))
	if w, _ := m.Get("w"); w != 1.0 {
		t.Errorf("w = %v", w)
	}
	typ := one(t, "int32[2] a [1, -2]\nstring s \"x y\"\nbool[] b [true, false]\nuint8[] u [1, 2]\nfloat32 f -.5\n")
	a, b := dynamic.New(typ), dynamic.New(typ)
	if got := a.YAML(dynamic.Format{Truncate: -1, Flow: true}); got != "a: [1, -2]\ns: x y\nb: [true, false]\nu: [1, 2]\nf: -0.5\n" {
		t.Error(got)
	}
	list, _ := a.Get("a")
	list.([]any)[0] = int64(9)
	if b.YAML(dynamic.Full()) != dynamic.New(typ).YAML(dynamic.Full()) {
		t.Error("two messages share a default")
	}
}
