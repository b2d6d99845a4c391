// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"image/jpeg"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// FuzzEncode: whatever a frame holds, the file can be decoded and has its size; what can't be a frame is refused.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{0, 128, 255, 128}, 2, 1, 0, byte(80), false, false)
	f.Add(bytes.Repeat([]byte{255, 0, 0, 255}, 64), 16, 8, 0, byte(100), false, true)
	f.Add([]byte("seventeen pixels."), 17, 1, 1, byte(1), true, true)
	f.Fuzz(func(t *testing.T, data []byte, width, height, gap int, quality byte, isGrey, limited bool) {
		e, err := New(int(quality))
		if err != nil {
			return
		}
		s, r, bpp := YUYV, yuv.Full, 2
		if isGrey {
			s, bpp = Grey, 1
		}
		if limited {
			r = yuv.Limited
		}
		if width > 1000 || height > 1000 {
			return // memory for the decoder
		}
		if need := width * bpp * height; width > 0 && height > 0 && gap == 0 && len(data) > 0 && len(data) < need {
			data = bytes.Repeat(data, need/len(data)+1) // little input, large frames
		}
		file, err := e.Encode(nil, yuv.Picture{Data: data, Width: width, Height: height, Stride: width*bpp + gap}, s, r)
		if err != nil {
			return
		}
		im, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%d×%d at quality %d: %v", width, height, quality, err)
		}
		if b := im.Bounds(); b.Dx() != width || b.Dy() != height {
			t.Fatalf("%v, want %d×%d", b, width, height)
		}
	})
}

// FuzzComplete: no file from a camera, however damaged, does harm.
func FuzzComplete(f *testing.F) {
	file := encoded(f, 50, scene(32, 16, 2, 1), YUYV, yuv.Full)
	f.Add(file)
	f.Add(withoutTables(f, file))
	f.Add(file[:len(file)/2])
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xDB, 0, 1, 0xFF, 0xD9})
	f.Fuzz(func(t *testing.T, file []byte) {
		if out, err := AppendComplete(nil, file); err == nil {
			if again, err := AppendComplete(nil, out); err != nil || !bytes.Equal(again, out) {
				t.Fatalf("a completed file is changed again: %v", err)
			}
		}
		w, h, pixels, err := DecodeYUYV(nil, file, 1<<16)
		if err == nil && len(pixels) != 2*w*h {
			t.Fatalf("%d bytes for %d×%d", len(pixels), w, h)
		}
	})
}
