// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// pair is the structure { string name; float64[] values; bool ok }.
type pair struct {
	name   string
	values []float64
	ok     bool
}

func (p *pair) EncodeCDR(e *cdr.Encoder) {
	e.CheckBound("pair.values", len(p.values), 3)
	e.String(p.name)
	e.SeqLen(len(p.values))
	e.Float64s(p.values)
	e.Bool(p.ok)
}

func (p *pair) DecodeCDR(d *cdr.Decoder) {
	d.Field("pair.name")
	p.name = d.StringOf(p.name, 8)
	d.Field("pair.values")
	p.values = d.Float64Seq(p.values, 3)
	d.Field("pair.ok")
	p.ok = d.Bool()
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAppendAndUnmarshal(t *testing.T) {
	in := pair{"ab", []float64{1}, true}
	want := unhex(t, "00010000"+"0300000061620000"+"01000000"+"00000000"+"000000000000f03f"+"01")
	got := cdr.Append(nil, &in)
	if !bytes.Equal(got, want) {
		t.Fatalf("Append = %x, want %x", got, want)
	}
	var out pair
	if err := cdr.Unmarshal(append(got, 0, 0, 0), &out); err != nil {
		t.Fatal("trailing pad:", err)
	}
	if out.name != in.name || out.values[0] != 1 || !out.ok {
		t.Fatalf("Unmarshal = %+v", out)
	}
}

func TestAppendAlignsFromItsOwnHeader(t *testing.T) {
	in := pair{"x", []float64{1, 2}, false}
	prefix := []byte{9, 9, 9}
	got := cdr.Append(prefix, &in)
	if !bytes.Equal(got[3:], cdr.Append(nil, &in)) {
		t.Fatalf("message after a prefix differs: %x", got)
	}
}

func TestOverBoundAppendsNothing(t *testing.T) {
	in := pair{values: make([]float64, 4)}
	dst := []byte{1, 2}
	out, err := cdr.Marshal(dst, &in)
	if !errors.Is(err, cdr.ErrBound) || !bytes.Equal(out, dst) {
		t.Fatalf("Marshal = %x, %v", out, err)
	}
	if out := cdr.Append(dst, &in); !bytes.Equal(out, dst) {
		t.Fatalf("Append = %x", out)
	}
	if want := "pair.values: cdr: bound exceeded: 4, at most 3"; err.Error() != want {
		t.Fatalf("error %q, want %q", err, want)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	in := pair{"name", []float64{1, 2, 3}, true}
	var e cdr.Encoder
	buf := cdr.Append(nil, &in)
	if n := testing.AllocsPerRun(100, func() { buf, _ = e.Marshal(buf[:0], &in) }); n != 0 {
		t.Errorf("encode allocates %v times", n)
	}
	var d cdr.Decoder
	var out pair
	if err := d.Unmarshal(buf, &out); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = d.Unmarshal(buf, &out) }); n != 0 {
		t.Errorf("decode into the same value allocates %v times", n)
	}
}
