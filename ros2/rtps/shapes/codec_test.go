// SPDX-License-Identifier: Apache-2.0

package shapes_test

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// golden are shapes with the bytes they must have, worked out by hand from the rules of CDR.
var golden = []struct {
	name  string
	shape shapes.Shape
	rep   wire.DataRepresentation
	hex   string // spaces between header, length, colour, padding, x, y, size, count, bytes, padding
}{
	{"XCDR1", shapes.Shape{Color: "BLUE", X: 12, Y: 300, Size: 20}, wire.XCDR1,
		"00010000 05000000 424c554500 000000 0c000000 2c010000 14000000 00000000"},
	{"XCDR1 with bytes", shapes.Shape{Color: "RED", X: -1, Y: 0, Size: 1, Extra: []byte{255, 254, 253}}, wire.XCDR1,
		"00010001 04000000 52454400 ffffffff 00000000 01000000 03000000 fffefd 00"},
	{"XCDR2", shapes.Shape{Color: "BLUE", X: 12, Y: 300, Size: 20}, wire.XCDR2,
		"00090000 1c000000 05000000 424c554500 000000 0c000000 2c010000 14000000 00000000"},
	{"XCDR2 with bytes", shapes.Shape{Color: "GREEN1", X: 240, Y: 270, Size: 7, Extra: []byte{1, 2}}, wire.XCDR2,
		"00090002 1e000000 07000000 475245454e3100 00 f0000000 0e010000 07000000 02000000 0102 0000"},
	{"no colour", shapes.Shape{}, wire.XCDR1, "00010000 01000000 00 000000 00000000 00000000 00000000 00000000"},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGolden(t *testing.T) {
	for _, g := range golden {
		want := unhex(t, g.hex)
		if got := shapes.Append(nil, &g.shape, g.rep); !cmp.Equal(got, want) {
			t.Errorf("%s: encoded %x\nwant %x", g.name, got, want)
		}
		switch got, err := shapes.Decode(want); {
		case err != nil:
			t.Errorf("%s: %v", g.name, err)
		case !cmp.Equal(got, g.shape):
			t.Errorf("%s: %s", g.name, cmp.Diff(g.shape, got))
		}
	}
}

// TestForeign: encodings of other implementations.
func TestForeign(t *testing.T) {
	want := shapes.Shape{Color: "RED", X: 1, Y: 2, Size: 3}
	for name, h := range map[string]string{
		"XCDR1 big-endian":       "00000000 00000004 52454400 00000001 00000002 00000003 00000000",
		"XCDR2 plain":            "00070000 04000000 52454400 01000000 02000000 03000000 00000000",
		"XCDR2 big-endian":       "00080000 00000018 00000004 52454400 00000001 00000002 00000003 00000000",
		"longer version":         "00090000 1c000000 04000000 52454400 01000000 02000000 03000000 00000000 99999999",
		"shorter version":        "00090000 14000000 04000000 52454400 01000000 02000000 03000000",
		"shorter, XCDR1":         "00010000 04000000 52454400 01000000 02000000 03000000",
		"no NUL":                 "00010000 03000000 524544 00 01000000 02000000 03000000 00000000",
		"bytes after the sample": "00010000 04000000 52454400 01000000 02000000 03000000 00000000 00000000",
	} {
		if got, err := shapes.Decode(unhex(t, h)); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := shapes.Decode(unhex(t, "00090000 08000000 04000000 52454400")); err != nil || got.Color != "RED" || got.X != 0 {
		t.Errorf("colour only: %v, %v", got, err)
	}
}

func TestMalformed(t *testing.T) {
	for name, c := range map[string]struct {
		hex  string
		want error
	}{
		"nothing":            {"", shapes.ErrPayload},
		"header only":        {"00010000", shapes.ErrPayload},
		"parameter list":     {"00030000 01000000", shapes.ErrEncapsulation},
		"colour too long":    {"00010000 82000000" + strings.Repeat("41", 130), shapes.ErrPayload},
		"one byte too many":  {"00010000 81000000" + strings.Repeat("41", 129), shapes.ErrPayload},
		"colour cut off":     {"00010000 05000000 424c", shapes.ErrPayload},
		"colour huge":        {"00010000 ffffffff 00000000", shapes.ErrPayload},
		"no numbers":         {"00010000 04000000 52454400", shapes.ErrPayload},
		"too many bytes":     {"00010000 04000000 52454400 01000000 02000000 03000000 ffffff7f 00", shapes.ErrPayload},
		"length beyond":      {"00090000 20000000 04000000 52454400", shapes.ErrPayload},
		"length too short":   {"00090000 06000000 04000000 52454400", shapes.ErrPayload},
		"cut inside numbers": {"00090000 0a000000 04000000 52454400 0100", shapes.ErrPayload},
	} {
		if s, err := shapes.Decode(unhex(t, c.hex)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

func TestKey(t *testing.T) {
	for name, h := range map[string]string{
		"XCDR1":                   "00010003 05000000 424c554500 000000",
		"XCDR1 big-endian":        "00000000 00000005 424c554500",
		"XCDR2 with a length":     "00090003 09000000 05000000 424c554500 000000",
		"XCDR2 without a length":  "00090003 05000000 424c554500 000000",
		"XCDR2 plain":             "00070003 05000000 424c554500 000000",
		"the whole sample, XCDR1": golden[0].hex,
		"the whole sample, XCDR2": golden[2].hex,
	} {
		if got, err := shapes.DecodeKey(unhex(t, h)); err != nil || got != "BLUE" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got := hex.EncodeToString(shapes.AppendKey(nil, "BLUE", wire.XCDR1)); got != "0001000305000000424c554500000000" {
		t.Errorf("XCDR1 key %s", got)
	}
	if got := hex.EncodeToString(shapes.AppendKey(nil, "BLUE", wire.XCDR2)); got != "0009000305000000424c554500000000" {
		t.Errorf("XCDR2 key %s", got)
	}
	for _, h := range []string{"", "00030000", "00090000", "00090000 ffffffff ffffffff", "00010000 82000000"} {
		if got, err := shapes.DecodeKey(unhex(t, h)); err == nil {
			t.Errorf("%q read as %q", h, got)
		}
	}
}

// TestKeyHash: the hash of 00 00 00 05 "BLUE" 00, from md5sum.
func TestKeyHash(t *testing.T) {
	hash := shapes.KeyHash("BLUE")
	if got := hex.EncodeToString(hash[:]); got != "cac217c318363f8ef1160eeedef9e886" {
		t.Errorf("hash %s", got)
	}
	if shapes.KeyHash("BLUE1") == hash {
		t.Error("two colours with one hash")
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapes.Shape{
			Color: rapid.StringMatching(`[A-Za-z0-9]{0,128}`).Draw(t, "color"),
			X:     rapid.Int32().Draw(t, "x"), Y: rapid.Int32().Draw(t, "y"), Size: rapid.Int32().Draw(t, "size"),
			Extra: rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "extra"),
		}
		if len(s.Extra) == 0 {
			s.Extra = nil
		}
		rep := rapid.SampledFrom([]wire.DataRepresentation{wire.XCDR1, wire.XCDR2}).Draw(t, "representation")
		b := shapes.Append([]byte{1, 2, 3}, &s, rep)[3:]
		got, err := shapes.Decode(b)
		if err != nil || !cmp.Equal(got, s) {
			t.Fatalf("%v, %v from %x", got, err, b)
		}
		if key, err := shapes.DecodeKey(shapes.AppendKey(nil, s.Color, rep)); err != nil || key != s.Color {
			t.Fatalf("key %q, %v", key, err)
		}
		if len(b)%4 != 0 || int(b[3]) > 3 {
			t.Fatalf("padding of %x", b)
		}
	})
}

// FuzzDecode: Decode does not panic, and a decoded shape survives encoding and decoding.
func FuzzDecode(f *testing.F) {
	for _, g := range golden {
		f.Add(unhex(f, g.hex))
	}
	f.Add(shapes.AppendKey(nil, "BLUE", wire.XCDR2))
	f.Fuzz(func(t *testing.T, b []byte) {
		if key, err := shapes.DecodeKey(b); err == nil && len(key) > shapes.MaxColor {
			t.Errorf("key of %d bytes", len(key))
		}
		s, err := shapes.Decode(b)
		if err != nil {
			return
		}
		if len(s.Extra) > len(b) {
			t.Errorf("%d bytes out of %d", len(s.Extra), len(b))
		}
		for _, rep := range []wire.DataRepresentation{wire.XCDR1, wire.XCDR2} {
			if again, err := shapes.Decode(shapes.Append(nil, &s, rep)); err != nil || !cmp.Equal(again, s) {
				t.Errorf("%v, %v, want %v", again, err, s)
			}
		}
	})
}
