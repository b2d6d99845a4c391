// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// mixed holds a sequence of every element type, at changing alignments.
type mixed struct {
	lead []byte
	u8   []uint8
	i8   []int8
	b    []bool
	u16  []uint16
	i16  []int16
	u32  []uint32
	i32  []int32
	u64  []uint64
	i64  []int64
	f32  []float32
	f64  []float64
	s    []string
}

func (m *mixed) EncodeCDR(e *cdr.Encoder) {
	e.SeqLen(len(m.lead))
	e.Uint8s(m.lead)
	for _, f := range []struct {
		n   int
		put func()
	}{
		{len(m.u8), func() { e.Uint8s(m.u8) }}, {len(m.i8), func() { e.Int8s(m.i8) }},
		{len(m.b), func() { e.Bools(m.b) }}, {len(m.u16), func() { e.Uint16s(m.u16) }},
		{len(m.i16), func() { e.Int16s(m.i16) }}, {len(m.u32), func() { e.Uint32s(m.u32) }},
		{len(m.i32), func() { e.Int32s(m.i32) }}, {len(m.u64), func() { e.Uint64s(m.u64) }},
		{len(m.i64), func() { e.Int64s(m.i64) }}, {len(m.f32), func() { e.Float32s(m.f32) }},
		{len(m.f64), func() { e.Float64s(m.f64) }}, {len(m.s), func() { e.Strings(m.s) }},
	} {
		e.SeqLen(f.n)
		f.put()
	}
}

func (m *mixed) DecodeCDR(d *cdr.Decoder) {
	m.lead = d.Uint8Seq(m.lead, cdr.Unbounded)
	m.u8 = d.Uint8Seq(m.u8, cdr.Unbounded)
	m.i8 = d.Int8Seq(m.i8, cdr.Unbounded)
	m.b = d.BoolSeq(m.b, cdr.Unbounded)
	m.u16 = d.Uint16Seq(m.u16, cdr.Unbounded)
	m.i16 = d.Int16Seq(m.i16, cdr.Unbounded)
	m.u32 = d.Uint32Seq(m.u32, cdr.Unbounded)
	m.i32 = d.Int32Seq(m.i32, cdr.Unbounded)
	m.u64 = d.Uint64Seq(m.u64, cdr.Unbounded)
	m.i64 = d.Int64Seq(m.i64, cdr.Unbounded)
	m.f32 = d.Float32Seq(m.f32, cdr.Unbounded)
	m.f64 = d.Float64Seq(m.f64, cdr.Unbounded)
	m.s = d.StringSeq(m.s, cdr.Unbounded, cdr.Unbounded)
}

func drawMixed(t *rapid.T) *mixed {
	return &mixed{
		rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "lead"), rapid.SliceOf(rapid.Uint8()).Draw(t, "u8"),
		rapid.SliceOf(rapid.Int8()).Draw(t, "i8"), rapid.SliceOf(rapid.Bool()).Draw(t, "b"),
		rapid.SliceOf(rapid.Uint16()).Draw(t, "u16"), rapid.SliceOf(rapid.Int16()).Draw(t, "i16"),
		rapid.SliceOf(rapid.Uint32()).Draw(t, "u32"), rapid.SliceOf(rapid.Int32()).Draw(t, "i32"),
		rapid.SliceOf(rapid.Uint64()).Draw(t, "u64"), rapid.SliceOf(rapid.Int64()).Draw(t, "i64"),
		rapid.SliceOf(rapid.Float32()).Draw(t, "f32"), rapid.SliceOf(rapid.Float64()).Draw(t, "f64"),
		rapid.SliceOf(rapid.String()).Draw(t, "s"),
	}
}

// Sequences that refer to the data have the same values as copies, whatever their alignment and byte order.
func TestSequencesInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out, want := drawMixed(t), drawMixed(t), new(mixed)
		shift := rapid.IntRange(0, 8).Draw(t, "shift")
		data := cdr.Append(make([]byte, shift), in)[shift:]
		if rapid.Bool().Draw(t, "big") {
			data[1] = 0
		}
		var d cdr.Decoder
		for range 2 { // the second time over slices that refer to data
			before := slices.Clone(data)
			refers, err := d.UnmarshalInPlace(data, out)
			if wantErr := cdr.Unmarshal(data, want); (err == nil) != (wantErr == nil) || !bytes.Equal(before, data) {
				t.Fatalf("%v, want %v", err, wantErr)
			}
			if err != nil {
				return
			}
			if a, b := cdr.Append(nil, out), cdr.Append(nil, want); !bytes.Equal(a, b) {
				t.Fatalf("%x, want %x", a, b)
			}
			if len(in.u8) > 0 && !refers {
				t.Fatal("the bytes are copies")
			}
		}
	})
}

func TestSequencesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out := drawMixed(t), drawMixed(t) // out is overwritten
		data := cdr.Append(nil, in)
		if err := cdr.Unmarshal(data, out); err != nil {
			t.Fatal(err)
		}
		a, b := reflect.ValueOf(*in), reflect.ValueOf(*out)
		for i := range a.NumField() {
			if a.Field(i).Len() != b.Field(i).Len() {
				t.Fatalf("%s: %d elements, want %d", a.Type().Field(i).Name, b.Field(i).Len(), a.Field(i).Len())
			}
			for j := range a.Field(i).Len() {
				if x, y := a.Field(i).Index(j), b.Field(i).Index(j); !x.Equal(y) && !(x.CanFloat() && math.IsNaN(x.Float()) && math.IsNaN(y.Float())) {
					t.Fatalf("%s[%d] = %v, want %v", a.Type().Field(i).Name, j, y, x)
				}
			}
		}
		for n := range data {
			if err := cdr.Unmarshal(data[:n], new(mixed)); err == nil {
				t.Fatalf("%d of %d bytes decode", n, len(data))
			}
		}
	})
}

// The bits of a NaN are preserved.
func TestNaNBitsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint64().Draw(t, "bits") | 0x7ff0000000000000
		var e cdr.Encoder
		e.ResetBody(nil)
		e.Float64s([]float64{math.Float64frombits(bits)})
		var d cdr.Decoder
		d.ResetBody(e.Bytes(), false)
		if got := math.Float64bits(d.Float64()); got != bits {
			t.Fatalf("%016x, want %016x", got, bits)
		}
	})
}
