// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"testing"
)

func TestLux(t *testing.T) {
	for _, c := range []struct {
		counts uint16
		want   float64
	}{{4095, 120}, {0, 240}, {2048, 120 + 120*2047.0/4095}, {65535, 120}} {
		if got, _ := Lux(c.counts); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Lux(%d) = %v, want %v", c.counts, got, c.want)
		}
	}
}

// The old driver published the converter's number, which falls when it gets brighter.
func TestOldDriverDefectBrighterIsMoreLux(t *testing.T) {
	last := 0.0
	for c := darkCounts; c >= 0; c-- {
		lux, variance := Lux(uint16(c))
		if lux <= last {
			t.Fatalf("Lux(%d) = %v is not above %v", c, lux, last)
		}
		if variance <= 0 || variance > 4 {
			t.Fatalf("variance %v lx² at %d counts", variance, c)
		}
		last = lux
	}
}
