// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestReadMessage(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want string
		err  error
	}{
		"getVersion":      {"00000006 0200", "0200", nil},
		"empty":           {"00000004", "", nil},
		"end":             {"", "", io.EOF},
		"half a length":   {"0000", "", wire.ErrShort},
		"half a message":  {"00000006 02", "", wire.ErrShort},
		"too short":       {"00000003", "", wire.ErrLength},
		"negative":        {"ffffffff", "", wire.ErrLength},
		"two gigabytes":   {"7fffffff 0200", "", wire.ErrLength},
		"just too long":   {"00400001", "", wire.ErrLength},
		"long, then ends": {"00400000 0200", "", wire.ErrShort},
	} {
		got, err := wire.ReadMessage(bytes.NewReader(unhex(t, c.in)))
		if !errors.Is(err, c.err) || !bytes.Equal(got, unhex(t, c.want)) {
			t.Errorf("%s: %x, %v", name, got, err)
		}
	}
}

func TestNext(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		id   byte
		body string
		rest string
		err  error
	}{
		"short":            {"02 00", 0, "", "", nil},
		"two":              {"06 03 00000001 02 7f", 3, "00000001", "027f", nil},
		"long form":        {"00 0000000a 03 00000001", 3, "00000001", "", nil},
		"nothing":          {"", 0, "", "", wire.ErrShort},
		"no id":            {"02", 0, "", "", wire.ErrShort},
		"length 1":         {"01 00", 0, "", "", wire.ErrLength},
		"length 5, long":   {"00 00000005 03", 0, "", "", wire.ErrLength},
		"negative, long":   {"00 80000000 03", 0, "", "", wire.ErrLength},
		"half a head":      {"00 0000", 0, "", "", wire.ErrShort},
		"longer than that": {"ff 03 00", 0, "", "", wire.ErrShort},
	} {
		got, rest, err := wire.Next(unhex(t, c.in))
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
			continue
		}
		if err == nil && (got.ID != c.id || !bytes.Equal(got.Body, unhex(t, c.body)) || !bytes.Equal(rest, unhex(t, c.rest))) {
			t.Errorf("%s: %+v, rest %x", name, got, rest)
		}
	}
}

// The bytes are those that SUMO 1.15 and its Python client exchange.
func TestGoldenStatus(t *testing.T) {
	for want, got := range map[string][]byte{
		"07 00 00 00000000": wire.AppendStatus(nil, 0, wire.OK, ""),
		"26 77 01 0000001f" + hex.EncodeToString([]byte("Command not implemented in sumo")): wire.AppendStatus(nil, 0x77, wire.NotImplemented, "Command not implemented in sumo"),
		"23 a4 ff 0000001c" + hex.EncodeToString([]byte("Vehicle 'nope' is not known.")):    wire.AppendStatus(nil, 0xa4, wire.Failed, "Vehicle 'nope' is not known."),
		"1a b4 42 00000002 7630 01 3ff0000000000000 c000000000000000": wire.AppendCommand(nil, 0xb4,
			wire.TypePoint(wire.AppendString([]byte{0x42}, "v0"), wire.Point{1, -2}), false),
		"00 0000000a eb 00000000": wire.AppendCommand(nil, 0xeb, wire.AppendString(nil, ""), true),
	} {
		if !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%x, want %s", got, want)
		}
	}
}

// A status of any length is read as what was written: in the long form where SUMO 1.15 would end.
func TestStatusOfAnyLength(t *testing.T) {
	for _, n := range []int{0, 1, 247, 248, 249, 300, 70000} {
		text := strings.Repeat("x", n)
		c, rest, err := wire.Next(wire.AppendStatus(nil, 0xa4, wire.Failed, text))
		r := wire.NewReader(c.Body)
		if err != nil || len(rest) > 0 || r.Byte() != wire.Failed || r.String() != text || r.Err() != nil || c.ID != 0xa4 {
			t.Errorf("%d bytes: %v, %v", n, err, r.Err())
		}
	}
}

func TestValuesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := int(rapid.Int32().Draw(t, "int"))
		d := rapid.Float64().Draw(t, "double")
		s := rapid.String().Draw(t, "string")
		list := rapid.SliceOf(rapid.String()).Draw(t, "list")
		shape := make([]wire.Point, rapid.IntRange(1, 600).Draw(t, "corners"))
		for k := range shape {
			shape[k] = wire.Point{float64(k), d}
		}
		colour := wire.Colour(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "colour"))
		b := wire.TypeCompound(nil, 7)
		b = wire.TypeDouble(wire.TypeInt(b, i), d)
		b = wire.TypeStrings(wire.TypeString(b, s), list)
		b = wire.TypeColour(wire.TypePolygon(b, shape), colour)
		b = wire.TypePoint3(b, wire.Point{1, 2}, 3)
		skipped := wire.NewReader(b)
		skipped.Skip()
		if skipped.Err() != nil || skipped.Left() != 0 {
			t.Fatalf("skipped: %v, %d left", skipped.Err(), skipped.Left())
		}
		r := wire.NewReader(b)
		if n := r.TypedCompound(); n != 7 {
			t.Fatalf("%d items", n)
		}
		if got := r.TypedInt(); got != i {
			t.Fatalf("int %d, want %d", got, i)
		}
		if got := r.TypedDouble(); math.Float64bits(got) != math.Float64bits(d) {
			t.Fatalf("double %g, want %g", got, d)
		}
		if got := r.TypedString(); got != s {
			t.Fatalf("string %q, want %q", got, s)
		}
		if got := r.TypedStrings(); !slices.Equal(got, list) {
			t.Fatalf("list %q, want %q", got, list)
		}
		if got := r.TypedPolygon(); !slices.Equal(got, shape) {
			t.Fatalf("%d corners, want %d", len(got), len(shape))
		}
		if got := r.TypedColour(); got != colour {
			t.Fatalf("colour %v, want %v", got, colour)
		}
		if r.Skip(); r.Err() != nil || r.Left() != 0 {
			t.Fatalf("%v, %d left", r.Err(), r.Left())
		}
	})
}

// What is wrong is reported, and nothing is read after it.
func TestReaderReportsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		read func(r *wire.Reader)
		want error
	}{
		"short int":        {"09 000000", func(r *wire.Reader) { r.TypedInt() }, wire.ErrShort},
		"short double":     {"0b 00000000", func(r *wire.Reader) { r.TypedDouble() }, wire.ErrShort},
		"another type":     {"09 00000001", func(r *wire.Reader) { r.TypedDouble() }, wire.ErrType},
		"string too long":  {"0c 00000005 61", func(r *wire.Reader) { _ = r.TypedString() }, wire.ErrLength},
		"negative string":  {"0c ffffffff 61", func(r *wire.Reader) { _ = r.TypedString() }, wire.ErrLength},
		"list of too many": {"0e 7fffffff 00000000", func(r *wire.Reader) { r.TypedStrings() }, wire.ErrLength},
		"polygon too long": {"06 ff 0000", func(r *wire.Reader) { r.TypedPolygon() }, wire.ErrLength},
		"long polygon":     {"06 00 7fffffff", func(r *wire.Reader) { r.TypedPolygon() }, wire.ErrLength},
		"unknown type":     {"77", func(r *wire.Reader) { r.Skip() }, wire.ErrType},
		"nothing to skip":  {"", func(r *wire.Reader) { r.Skip() }, wire.ErrShort},
		"deep":             {strings.Repeat("0f00000001", 10) + "0700", func(r *wire.Reader) { r.Skip() }, wire.ErrLength},
	} {
		r := wire.NewReader(unhex(t, c.in))
		c.read(r)
		if !errors.Is(r.Err(), c.want) {
			t.Errorf("%s: %v, want %v", name, r.Err(), c.want)
		}
		if r.Left() != 0 || r.Byte() != 0 || r.String() != "" || len(r.Strings()) != 0 {
			t.Errorf("%s: something is read after the error", name)
		}
	}
}

// FuzzDecode: no bytes make the decoder panic, hang or take much memory.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"00000006 0200", "0000000a 06 03 00000001", "00000012 0e c4 45 00000002 7630 11 ff0000ff",
		"00000020 1c d4 c1d0000000000000 c1d0000000000000 00000002 7630 03 42 43 40",
		"00000016 12 c4 40 00000002 7630 0b 4008000000000000", "0000000f 00 0000000b a4 00 00000000",
		"00000024 20 c4 14 00000002 7630 0f 00000002 0b 3ff0000000000000 0b 4000000000000000", "7fffffff", "00000004",
		"0000000d 09 a4 06 00 7fffffff",
	} {
		f.Add(unhex(f, seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		message, err := wire.ReadMessage(bytes.NewReader(b))
		for err == nil && len(message) > 0 {
			var c wire.Command
			if c, message, err = wire.Next(message); err != nil {
				break
			}
			again, rest, err := wire.Next(wire.AppendCommand(nil, c.ID, c.Body, false))
			if err != nil || len(rest) > 0 || again.ID != c.ID || !bytes.Equal(again.Body, c.Body) {
				t.Fatalf("%+v comes back as %+v, %v", c, again, err)
			}
			for r := wire.NewReader(c.Body); r.Left() > 0; {
				r.Skip()
			}
			for _, read := range []func(r *wire.Reader){
				func(r *wire.Reader) { r.TypedPolygon() }, func(r *wire.Reader) { r.TypedStrings() },
				func(r *wire.Reader) { _ = r.TypedString() }, func(r *wire.Reader) { r.TypedColour() },
				func(r *wire.Reader) { r.TypedPoint() }, func(r *wire.Reader) { r.TypedCompound() },
			} {
				read(wire.NewReader(c.Body))
			}
		}
	})
}
