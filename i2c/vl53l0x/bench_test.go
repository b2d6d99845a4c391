// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "testing"

// BenchmarkPollVirtual is one measurement with the virtual chip and bus.
func BenchmarkPollVirtual(b *testing.B) {
	g := newRig(b, 1, nil)
	g.until(60)
	b.ReportAllocs()
	for b.Loop() {
		g.poll()
	}
}

// BenchmarkDecode is the decoding of a result block.
func BenchmarkDecode(b *testing.B) {
	block := []byte{0x58, 0, 0x28, 0, 0, 0, 0x0D, 0x80, 0, 0x40, 1, 0x31}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(block); err != nil {
			b.Fatal(err)
		}
	}
}
