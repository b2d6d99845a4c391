// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"math"
	"testing"
)

func TestFrameCheck(t *testing.T) {
	data := make([]byte, 64)
	jpg := []byte{0xFF, 0xD8, 0xFF, 0xD9}
	for _, c := range []struct {
		name string
		f    Frame
		ok   bool
	}{
		{"YUYV", Frame{Data: data, Format: YUYV, Width: 8, Height: 4, Stride: 16}, true},
		{"with a gap", Frame{Data: data, Format: YUYV, Width: 6, Height: 4, Stride: 17}, true},
		{"last row without its gap", Frame{Data: data[:63], Format: GREY, Width: 15, Height: 4, Stride: 16}, true},
		{"JPEG", Frame{Data: jpg, Format: JPEG}, true},
		{"MJPEG", Frame{Data: jpg, Format: MJPEG, Width: 8, Height: 8}, true},
		{"one byte short", Frame{Data: data[:63], Format: YUYV, Width: 8, Height: 4, Stride: 16}, false},
		{"no data", Frame{Format: YUYV, Width: 8, Height: 4, Stride: 16}, false},
		{"odd", Frame{Data: data, Format: YUYV, Width: 7, Height: 4, Stride: 16}, false},
		{"stride", Frame{Data: data, Format: RGB24, Width: 4, Height: 4, Stride: 11}, false},
		{"no format", Frame{Data: data, Width: 4, Height: 4, Stride: 16}, false},
		{"no size", Frame{Data: data, Format: GREY, Stride: 16}, false},
		{"huge", Frame{Data: data, Format: GREY, Width: 65535, Height: 65535, Stride: 65535}, false},
		{"larger than an int", Frame{Data: data, Format: GREY, Width: 1, Height: 65535, Stride: 65535 * 8}, false},
		{"larger than all", Frame{Data: data, Format: GREY, Width: math.MaxInt32, Height: 2, Stride: math.MaxInt32}, false},
		{"JPEG that is none", Frame{Data: data, Format: JPEG}, false},
		{"empty JPEG", Frame{Format: MJPEG}, false},
	} {
		if err := c.f.Check(); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrFrame) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestNames(t *testing.T) {
	for f, want := range map[PixelFormat]string{YUYV: "YUYV", MJPEG: "MJPG", RGB24: "RGB3", GREY: "GREY", 0: "none", 0x20FF0041: "A.. "} {
		if f.String() != want {
			t.Errorf("%#x is %q, want %q", uint32(f), f, want)
		}
	}
	// The values of Linux's videodev2.h.
	if YUYV != 0x56595559 || JPEG != 0x4745504A || RGB24 != 0x33424752 || MJPEG != 0x47504A4D || GREY != 0x59455247 {
		t.Error("a FourCC is wrong")
	}
}
