// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// cases are used by the decoder's test and the fuzz target. Bytes are written register by register, with spaces.
var cases = []struct {
	name  string
	bytes string
	want  Reading
	err   error
	says  string
}{
	{
		name: "white floor", bytes: "0384 0385 0386 0010 0011 0012",
		want: Reading{Reflected: [3]uint16{900, 901, 902}, Ambient: [3]uint16{16, 17, 18}},
	},
	{
		name: "with cliff sensors", bytes: "0001 0002 03FF 0010 0011 0012 05 0101 0202 0103 0204",
		want: Reading{
			Reflected: [3]uint16{1, 2, 1023}, Ambient: [3]uint16{16, 17, 18}, Cliff: true,
			CliffReflected: [2]uint16{0x202, 0x101}, CliffAmbient: [2]uint16{0x204, 0x103},
		},
	},
	{name: "black and dark but one", bytes: "0000 0000 0000 0000 0001 0000", want: Reading{Ambient: [3]uint16{0, 1, 0}}},
	{name: "idle bus", bytes: strings.Repeat("FF", 12), err: errImplausible, says: "register 0x00 is 65535"},
	{name: "over an edge in the dark", bytes: strings.Repeat("00", 12), want: Reading{}},
	{name: "eleven bits", bytes: "0001 0002 0003 0004 0400 0006", err: errImplausible, says: "register 0x08 is 1024"},
	{name: "tail of 0xFF", bytes: "0001 0002 0003 0004 0005 FFFF", err: errImplausible, says: "register 0x0a is 65535"},
	{name: "cliff of 0xFF", bytes: "0001 0002 0003 0004 0005 0006 05" + strings.Repeat("FF", 8), err: errImplausible, says: "cliff register 0x0d"},
	{name: "empty", bytes: "", err: errLength, says: "0 bytes"},
	{name: "one too few", bytes: strings.Repeat("00", 20), err: errLength, says: "20 bytes"},
}

func unhex(t testing.TB, s string) []byte {
	p, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDecode(t *testing.T) {
	for _, c := range cases {
		got, err := Decode(unhex(t, c.bytes))
		if !errors.Is(err, c.err) || (err != nil && !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.err, c.says)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range cases {
		f.Add(unhex(f, c.bytes))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		in := bytes.Clone(p)
		r, err := Decode(p)
		if !bytes.Equal(in, p) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if r != (Reading{}) || !errors.Is(err, errLength) && !errors.Is(err, errImplausible) {
				t.Fatalf("%+v %v", r, err)
			}
			return
		}
		for i := range 3 {
			if r.Reflected[i] > MaxCount || r.Ambient[i] > MaxCount {
				t.Fatalf("%+v", r)
			}
			if h := (Model{}).Height(r.Reflected[i]); !(h >= robot.MinGroundRange && h <= robot.MaxGroundRange) && !math.IsInf(h, 1) {
				t.Fatalf("height %v of %d", h, r.Reflected[i])
			}
		}
		if r.Cliff != (len(p) == fullSize) {
			t.Fatalf("%d bytes, cliff %v", len(p), r.Cliff)
		}
	})
}

func TestHeight(t *testing.T) {
	for _, c := range []struct {
		m      Model
		counts uint16
		want   float64
	}{
		{Model{}, 1000, 0}, {Model{}, 1023, 0}, {Model{}, 650, 0.008}, {Model{}, 300, 0.016},
		{Model{}, 299, math.Inf(1)}, {Model{}, 0, math.Inf(1)},
		{Model{Near: 800, Far: 400}, 600, 0.008}, {Model{Near: 800}, 550, 0.008}, {Model{Far: 100}, 550, 0.008},
		{Model{Near: 300, Far: 300}, 300, math.Inf(1)}, // no model
	} {
		if got := c.m.Height(c.counts); math.Abs(got-c.want) > 1e-12 && !(math.IsInf(got, 1) && math.IsInf(c.want, 1)) {
			t.Errorf("%+v of %d counts: %v m, want %v", c.m, c.counts, got, c.want)
		}
	}
}

// TestHeightFalls: more light never means a larger distance.
func TestHeightFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint16Range(0, MaxCount).Draw(t, "a"), rapid.Uint16Range(0, MaxCount).Draw(t, "b")
		m := Model{Near: rapid.Float64Range(500, 1023).Draw(t, "near"), Far: rapid.Float64Range(1, 499).Draw(t, "far")}
		if m.Height(min(a, b)) < m.Height(max(a, b)) {
			t.Fatalf("%+v: %v, %v", m, m.Height(a), m.Height(b))
		}
	})
}

// TestHasCliff: the end of a full burst on boards without cliff sensors.
func TestHasCliff(t *testing.T) {
	for rest, want := range map[string]bool{
		strings.Repeat("FF", 8): false, strings.Repeat("00", 8): false, "0101 0202 0103 0204": true,
		"0101 0202 0103 04FF": false, "0000 0000 0000 0001": true,
	} {
		if got := hasCliff(append(make([]byte, probeSize), unhex(t, rest)...)); got != want {
			t.Errorf("%s: %v", rest, got)
		}
	}
}
