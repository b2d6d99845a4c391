// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

func BenchmarkEncodeFloat32s(b *testing.B) {
	v := make([]float32, 1000)
	var e cdr.Encoder
	var buf []byte
	b.SetBytes(int64(4 * len(v)))
	for b.Loop() {
		e.Reset(buf[:0])
		e.Float32s(v)
		buf = e.Bytes()
	}
}

func BenchmarkDecodeFloat32s(b *testing.B) {
	v := make([]float32, 1000)
	data := make([]byte, 4*len(v))
	var d cdr.Decoder
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		d.ResetBody(data, false)
		d.Float32s(v)
	}
}
