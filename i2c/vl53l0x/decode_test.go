// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"errors"
	"math"
	"testing"
)

func TestDecode(t *testing.T) {
	block := func(status Status, mm uint16) []byte {
		b := []byte{0x80 | byte(status)<<3 | 0x05, 0, 0x10, 0x80, 0, 0, 0x01, 0x40, 0, 0x20, byte(mm >> 8), byte(mm)}
		return b
	}
	for _, c := range []struct {
		status Status
		mm     uint16
		want   float64
		err    error
	}{
		{statusValid, 0, 0, nil}, {statusValid, 123, 0.123, nil}, {statusValid, 8189, 8.189, nil},
		{statusValid, 8190, math.Inf(1), nil}, {statusValid, 0xFFFF, math.Inf(1), nil},
		{statusNoTarget, 20, math.Inf(1), nil}, {statusPhasePre, 8191, math.Inf(1), nil}, {statusPhaseFinal, 8191, math.Inf(1), nil},
		{statusTooNear, 20, math.Inf(-1), nil}, {statusClipped, 0, math.Inf(-1), nil},
		{statusVCSELContinuity, 100, math.NaN(), errHardware}, {statusVCSELWatchdog, 100, math.NaN(), errHardware},
		{statusNoVHV, 100, math.NaN(), errHardware},
		{0, 100, math.NaN(), errNoUpdate}, {5, 100, math.NaN(), errNoUpdate}, {7, 100, math.NaN(), errNoUpdate},
		{12, 100, math.NaN(), errNoUpdate}, {15, 100, math.NaN(), errNoUpdate},
	} {
		r, err := Decode(block(c.status, c.mm))
		if !errors.Is(err, c.err) || r.Distance != c.want && !(math.IsNaN(r.Distance) && math.IsNaN(c.want)) {
			t.Errorf("%v %d: %+v, %v; want %g, %v", c.status, c.mm, r, err, c.want, c.err)
		}
		if r.Status != c.status || r.SPADs != 16.5 || r.Signal != 2.5 || r.Ambient != 0.25 {
			t.Errorf("%v %d: %+v", c.status, c.mm, r)
		}
	}
	for _, n := range []int{0, 1, 11, 13} {
		if _, err := Decode(make([]byte, n)); !errors.Is(err, errLength) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestStatusNames(t *testing.T) {
	seen := map[string]bool{}
	for s := range Status(16) {
		if s.String() == "" {
			t.Errorf("status %d has no name", uint8(s))
		}
		seen[s.String()] = true
	}
	if len(seen) < 12 {
		t.Errorf("only %d different names", len(seen))
	}
}

// FuzzDecode: with any bytes there is either a distance in range, an infinity, or an error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x58, 0, 0x28, 0, 0, 0, 0x0D, 0x80, 0, 0x40, 1, 0x31})
	f.Add([]byte{0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0xFF})
	f.Add([]byte{0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode(b)
		if (err == nil) == math.IsNaN(r.Distance) {
			t.Errorf("% x: %+v with error %v", b, r, err)
		}
		if err == nil && !math.IsInf(r.Distance, 0) && (r.Distance < 0 || r.Distance >= 8.19) {
			t.Errorf("% x: %+v", b, r)
		}
		if r.Signal < 0 || r.Ambient < 0 || r.SPADs < 0 || r.SPADs >= 256 {
			t.Errorf("% x: %+v", b, r)
		}
	})
}
