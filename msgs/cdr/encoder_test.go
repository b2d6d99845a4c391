// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// layout is a value, or a group of values, with its body in both byte orders.
type layout struct {
	name   string
	encode func(*cdr.Encoder)
	decode func(*cdr.Decoder) any
	want   any
	little string
	big    string
}

// layouts feed the encoder test, the decoder test and the fuzz seeds.
func layouts() []layout {
	return []layout{
		{"bool", func(e *cdr.Encoder) { e.Bool(true); e.Bool(false) },
			func(d *cdr.Decoder) any { return []bool{d.Bool(), d.Bool()} }, []bool{true, false}, "0100", "0100"},
		{"uint8", func(e *cdr.Encoder) { e.Uint8(0xfe) },
			func(d *cdr.Decoder) any { return d.Uint8() }, uint8(0xfe), "fe", "fe"},
		{"int8", func(e *cdr.Encoder) { e.Int8(-2) },
			func(d *cdr.Decoder) any { return d.Int8() }, int8(-2), "fe", "fe"},
		{"uint16", func(e *cdr.Encoder) { e.Uint16(0x0102) },
			func(d *cdr.Decoder) any { return d.Uint16() }, uint16(0x0102), "0201", "0102"},
		{"int16", func(e *cdr.Encoder) { e.Int16(-2) },
			func(d *cdr.Decoder) any { return d.Int16() }, int16(-2), "feff", "fffe"},
		{"uint32", func(e *cdr.Encoder) { e.Uint32(0x01020304) },
			func(d *cdr.Decoder) any { return d.Uint32() }, uint32(0x01020304), "04030201", "01020304"},
		{"int32", func(e *cdr.Encoder) { e.Int32(-2) },
			func(d *cdr.Decoder) any { return d.Int32() }, int32(-2), "feffffff", "fffffffe"},
		{"uint64", func(e *cdr.Encoder) { e.Uint64(0x0102030405060708) },
			func(d *cdr.Decoder) any { return d.Uint64() }, uint64(0x0102030405060708), "0807060504030201", "0102030405060708"},
		{"int64", func(e *cdr.Encoder) { e.Int64(-2) },
			func(d *cdr.Decoder) any { return d.Int64() }, int64(-2), "feffffffffffffff", "fffffffffffffffe"},
		{"float32", func(e *cdr.Encoder) { e.Float32(-2.5) },
			func(d *cdr.Decoder) any { return d.Float32() }, float32(-2.5), "000020c0", "c0200000"},
		{"float64", func(e *cdr.Encoder) { e.Float64(math.Inf(-1)) },
			func(d *cdr.Decoder) any { return d.Float64() }, math.Inf(-1), "000000000000f0ff", "fff0000000000000"},
		{"string", func(e *cdr.Encoder) { e.String("odom") },
			func(d *cdr.Decoder) any { return d.String() }, "odom", "050000006f646f6d00", "000000056f646f6d00"},
		{"empty string", func(e *cdr.Encoder) { e.String("") },
			func(d *cdr.Decoder) any { return d.String() }, "", "0100000000", "0000000100"},
		{"alignment", func(e *cdr.Encoder) {
			e.Uint8(1)
			e.Uint16(2)
			e.Uint8(3)
			e.Uint32(4)
			e.Uint8(5)
			e.Float64(0)
			e.Uint8(6)
		},
			func(d *cdr.Decoder) any {
				return []uint64{uint64(d.Uint8()), uint64(d.Uint16()), uint64(d.Uint8()), uint64(d.Uint32()), uint64(d.Uint8()), d.Uint64(), uint64(d.Uint8())}
			}, []uint64{1, 2, 3, 4, 5, 0, 6},
			"01000200" + "03000000" + "04000000" + "05000000" + "0000000000000000" + "06",
			"01000002" + "03000000" + "00000004" + "05000000" + "0000000000000000" + "06"},
		{"empty sequence of doubles adds no padding", func(e *cdr.Encoder) { e.SeqLen(0); e.Float64s(nil); e.Uint8(7) },
			func(d *cdr.Decoder) any { return []any{len(d.Float64Seq(nil, 0)), d.Uint8()} }, []any{0, uint8(7)},
			"0000000007", "0000000007"},
		{"sequence of doubles", func(e *cdr.Encoder) { e.SeqLen(1); e.Float64s([]float64{1}) },
			func(d *cdr.Decoder) any { return d.Float64Seq(nil, 0) }, []float64{1},
			"0100000000000000000000000000f03f", "00000001000000003ff0000000000000"},
		{"sequence of singles", func(e *cdr.Encoder) { e.SeqLen(2); e.Float32s([]float32{1, -1}) },
			func(d *cdr.Decoder) any { return d.Float32Seq(nil, 0) }, []float32{1, -1},
			"020000000000803f000080bf", "000000023f800000bf800000"},
		{"sequence of bytes", func(e *cdr.Encoder) { e.SeqLen(3); e.Uint8s([]byte{1, 2, 3}) },
			func(d *cdr.Decoder) any { return d.Uint8Seq(nil, 0) }, []byte{1, 2, 3}, "03000000010203", "00000003010203"},
		{"sequence of signed bytes", func(e *cdr.Encoder) { e.SeqLen(2); e.Int8s([]int8{-1, 100}) },
			func(d *cdr.Decoder) any { return d.Int8Seq(nil, 0) }, []int8{-1, 100}, "02000000ff64", "00000002ff64"},
		{"sequence of booleans", func(e *cdr.Encoder) { e.SeqLen(2); e.Bools([]bool{true, false}) },
			func(d *cdr.Decoder) any { return d.BoolSeq(nil, 0) }, []bool{true, false}, "020000000100", "000000020100"},
		{"sequence of uint16", func(e *cdr.Encoder) { e.SeqLen(1); e.Uint16s([]uint16{0x0102}) },
			func(d *cdr.Decoder) any { return d.Uint16Seq(nil, 0) }, []uint16{0x0102}, "010000000201", "000000010102"},
		{"sequence of int16", func(e *cdr.Encoder) { e.SeqLen(1); e.Int16s([]int16{-2}) },
			func(d *cdr.Decoder) any { return d.Int16Seq(nil, 0) }, []int16{-2}, "01000000feff", "00000001fffe"},
		{"sequence of uint32", func(e *cdr.Encoder) { e.SeqLen(1); e.Uint32s([]uint32{0x01020304}) },
			func(d *cdr.Decoder) any { return d.Uint32Seq(nil, 0) }, []uint32{0x01020304}, "0100000004030201", "0000000101020304"},
		{"sequence of int32", func(e *cdr.Encoder) { e.SeqLen(1); e.Int32s([]int32{-2}) },
			func(d *cdr.Decoder) any { return d.Int32Seq(nil, 0) }, []int32{-2}, "01000000feffffff", "00000001fffffffe"},
		{"sequence of uint64", func(e *cdr.Encoder) { e.SeqLen(1); e.Uint64s([]uint64{1}) },
			func(d *cdr.Decoder) any { return d.Uint64Seq(nil, 0) }, []uint64{1}, "01000000000000000100000000000000", "00000001000000000000000000000001"},
		{"sequence of int64", func(e *cdr.Encoder) { e.SeqLen(1); e.Int64s([]int64{-2}) },
			func(d *cdr.Decoder) any { return d.Int64Seq(nil, 0) }, []int64{-2}, "0100000000000000feffffffffffffff", "0000000100000000fffffffffffffffe"},
		{"sequence of strings", func(e *cdr.Encoder) { e.SeqLen(2); e.Strings([]string{"a", ""}) },
			func(d *cdr.Decoder) any { return d.StringSeq(nil, 0, 0) }, []string{"a", ""},
			"02000000" + "020000006100" + "0000" + "0100000000", "00000002" + "000000026100" + "0000" + "0000000100"},
		{"array of strings", func(e *cdr.Encoder) { e.Strings([]string{"a"}) },
			func(d *cdr.Decoder) any { var a [1]string; d.Strings(a[:], 0); return a }, [1]string{"a"},
			"020000006100", "000000026100"},
	}
}

func TestEncoder(t *testing.T) {
	for _, c := range layouts() {
		var e cdr.Encoder
		e.Reset(nil)
		c.encode(&e)
		if want := unhex(t, "00010000"+c.little); !bytes.Equal(e.Bytes(), want) || e.Err() != nil {
			t.Errorf("%s: %x (%v), want %x", c.name, e.Bytes(), e.Err(), want)
		}
	}
}

// A body may be appended to any buffer; alignment counts from its start.
func TestEncoderBody(t *testing.T) {
	for _, c := range layouts() {
		var e cdr.Encoder
		e.ResetBody([]byte("abc"))
		c.encode(&e)
		if want := append([]byte("abc"), unhex(t, c.little)...); !bytes.Equal(e.Bytes(), want) {
			t.Errorf("%s: %x, want %x", c.name, e.Bytes(), want)
		}
	}
}

func TestEncoderForgetsAnError(t *testing.T) {
	var e cdr.Encoder
	e.Reset(nil)
	e.CheckBound("f", 2, 1)
	first := e.Err()
	e.CheckBound("g", 2, 1)
	if first == nil || e.Err() != first {
		t.Errorf("the first error does not stay: %v, %v", first, e.Err())
	}
	if e.Reset(nil); e.Err() != nil {
		t.Errorf("after Reset: %v", e.Err())
	}
	if e.CheckBound("f", 1, 1); e.Err() != nil {
		t.Errorf("at the bound: %v", e.Err())
	}
}
