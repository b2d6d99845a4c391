// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// TestEveryConversion: a picture of one colour has that colour in every format and size, from every format and range,
// with whatever stride.
func TestEveryConversion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]PixelFormat{YUYV, RGB24, BGR24, GREY}).Draw(t, "from")
		to := rapid.SampledFrom([]PixelFormat{YUYV, RGB24, BGR24, GREY}).Draw(t, "to")
		limited := rapid.Bool().Draw(t, "limited")
		grey := rapid.Bool().Draw(t, "grey") || from == GREY || to == GREY
		colour := [3]float64{200, 120, 40}
		if grey {
			colour = [3]float64{90, 90, 90}
		}
		w, h := 2*rapid.IntRange(1, 20).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")
		f := filled(from, w, h, rapid.IntRange(0, 5).Draw(t, "gap"), colour, limited)
		out := target{2 * rapid.IntRange(1, 20).Draw(t, "out w"), rapid.IntRange(1, 20).Draw(t, "out h"), to}
		var c converter
		got, err := c.convert([]byte("kept"), &f, out)
		if err != nil || string(got[:4]) != "kept" || len(got)-4 != out.width*out.height*to.BytesPerPixel() {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		want := filled(to, out.width, out.height, 0, colour, limited && (from == YUYV || from == GREY) && to == YUYV)
		for i, v := range got[4:] {
			if d := int(v) - int(want.Data[i]); d < -2 || d > 2 {
				t.Fatalf("byte %d is %d, want %d", i, v, want.Data[i])
			}
		}
	})
}

// filled is a frame of one colour (red, green, blue, full range).
func filled(format PixelFormat, w, h, gap int, colour [3]float64, limited bool) Frame {
	f := Frame{Format: format, Width: w, Height: h, Stride: w*format.BytesPerPixel() + gap, Range: yuv.Full}
	luma := 0.299*colour[0] + 0.587*colour[1] + 0.114*colour[2]
	cb, cr := (colour[2]-luma)/1.772, (colour[0]-luma)/1.402
	if limited {
		f.Range = yuv.Limited
		luma, cb, cr = 16+luma*219/255, cb*224/255, cr*224/255
	}
	pixel := map[PixelFormat][]float64{YUYV: {luma, 128 + cb, luma, 128 + cr}, RGB24: {colour[0], colour[1], colour[2]},
		BGR24: {colour[2], colour[1], colour[0]}, GREY: {luma}}[format]
	f.Data = make([]byte, f.Stride*h)
	for i := range f.Data {
		if x := i % f.Stride; x < f.Stride-gap {
			f.Data[i] = byte(pixel[x%len(pixel)] + 0.5)
		}
	}
	return f
}

func TestCPUEncoderRefuses(t *testing.T) {
	for _, q := range []int{0, 101} {
		if _, err := newCPUEncoder(q); !errors.Is(err, ErrSetting) {
			t.Errorf("quality %d: %v", q, err)
		}
	}
	e, err := newCPUEncoder(50)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetQuality(0); !errors.Is(err, ErrSetting) {
		t.Errorf("quality 0: %v", err)
	}
	for name, f := range map[string]Frame{
		"JPEG":  {Data: []byte{0xFF, 0xD8, 0xFF, 0xD9}, Format: JPEG, Width: 8, Height: 8},
		"short": {Data: make([]byte, 10), Format: YUYV, Width: 8, Height: 8, Stride: 16},
	} {
		if out, err := e.Encode([]byte("kept"), &f); !errors.Is(err, ErrFrame) || string(out) != "kept" {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
	if err := e.Close(); err != nil || e.Name() != "CPU" {
		t.Errorf("%v, %s", err, e.Name())
	}
}
