// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"bytes"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// step reads one value by an opcode and writes it to the encoder.
func step(op byte, d *cdr.Decoder, e *cdr.Encoder) {
	switch op % 12 {
	case 0:
		e.Bool(d.Bool())
	case 1:
		e.Uint8(d.Uint8())
	case 2:
		e.Int16(d.Int16())
	case 3:
		e.Uint32(d.Uint32())
	case 4:
		e.Int64(d.Int64())
	case 5:
		e.Float32(d.Float32())
	case 6:
		e.String(d.StringOf("", 20))
	case 7:
		s := d.Float64Seq(nil, 4)
		e.SeqLen(len(s))
		e.Float64s(s)
	case 8:
		s := d.BoolSeq(nil, cdr.Unbounded)
		e.SeqLen(len(s))
		e.Bools(s)
	case 9:
		s := d.StringSeq(nil, 4, 4)
		e.SeqLen(len(s))
		e.Strings(s)
	case 10:
		s := d.Int8Seq(nil, cdr.Unbounded)
		e.SeqLen(len(s))
		e.Int8s(s)
	case 11:
		s := d.Uint16Seq(nil, cdr.Unbounded)
		e.SeqLen(len(s))
		e.Uint16s(s)
	}
}

// run reads the values of a program from data and returns them encoded.
func run(program, data []byte) ([]byte, error) {
	var d cdr.Decoder
	var e cdr.Encoder
	e.Reset(nil)
	if err := d.Reset(data); err != nil {
		return nil, err
	}
	for _, op := range program {
		step(op, &d, &e)
	}
	return e.Bytes(), d.Err()
}

// FuzzDecoder decodes any data with any sequence of types. Decoded values survive encoding and decoding.
func FuzzDecoder(f *testing.F) {
	all := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	f.Add(all, make([]byte, 80))
	f.Add(all, append([]byte{0, 1, 0, 0}, make([]byte, 80)...))
	for i, c := range layouts() {
		f.Add(all[i%len(all):], append([]byte{0, 1, 0, 0}, unhex(f, c.little)...))
		f.Add(all[i%len(all):], append([]byte{0, 0, 0, 0}, unhex(f, c.big)...))
	}
	f.Fuzz(func(t *testing.T, program, data []byte) {
		if len(program) > 64 {
			return
		}
		first, err := run(program, data)
		if err != nil {
			return
		}
		second, err := run(program, first)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("program %v: %x decodes and encodes as %x (%v)", program, first, second, err)
		}
	})
}
