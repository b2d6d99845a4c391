// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Copying elements from memory, with their bytes swapped on machines of the other byte order, equals encoding them one
// by one.
func TestFixedIsElementwise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOf(rapid.Uint32()).Draw(t, "v")
		var all, each Encoder
		all.ResetBody(nil)
		each.ResetBody(nil)
		all.Bool(true) // padding follows
		each.Bool(true)
		all.Uint32s(v)
		for _, x := range v {
			each.Uint32(x)
		}
		if !bytes.Equal(all.Bytes(), each.Bytes()) {
			t.Fatalf("%x, want %x", all.Bytes(), each.Bytes())
		}
	})
}

func TestFixedInBothOrders(t *testing.T) {
	floats := []float64{0, -1.5, math.Inf(1), math.SmallestNonzeroFloat64}
	var e Encoder
	e.Reset(nil)
	e.Float64s(floats)
	little := slices.Clone(e.Bytes())
	big := slices.Clone(little)
	big[1] = 0
	swap(big[HeaderSize:], 8)
	for _, data := range [][]byte{little, big} {
		var d Decoder
		if err := d.Reset(data); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(floats))
		d.Float64s(got)
		if d.Err() != nil || !slices.Equal(got, floats) {
			t.Errorf("%x: %v, %v", data, got, d.Err())
		}
		var short [9]float64
		d.Float64s(short[:])
		if d.Err() == nil || short != [9]float64{} {
			t.Error("read beyond the end")
		}
	}
}

func TestSwap(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	swap(b, 2)
	if want := []byte{2, 1, 4, 3, 6, 5, 8, 7}; !bytes.Equal(b, want) {
		t.Errorf("%v", b)
	}
	swap(b[:0], 4)
	if len(memory([]int16(nil))) != 0 || len(memory([]float32{1, 2})) != 8 {
		t.Error("memory")
	}
}
