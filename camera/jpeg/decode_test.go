// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// TestDecodeYUYV: what was encoded comes back, of files in 4:2:2 and in grey, of any width.
func TestDecodeYUYV(t *testing.T) {
	p := scene(96, 50, 2, 1)
	w, h, got, err := DecodeYUYV([]byte("before"), encoded(t, 95, p, YUYV, yuv.Full), 1<<20)
	if err != nil || w != 96 || h != 50 || string(got[:6]) != "before" {
		t.Fatalf("%d×%d, %v", w, h, err)
	}
	if db := psnr(got[6:], p.Data); db < 44 {
		t.Errorf("%.1f dB", db)
	}
	g := yuv.Picture{Data: bytes.Repeat([]byte{90}, 7*5), Width: 7, Height: 5, Stride: 7}
	w, h, got, err = DecodeYUYV(nil, encoded(t, 95, g, Grey, yuv.Full), 1<<20)
	if err != nil || w != 6 || h != 5 || !bytes.Equal(got, bytes.Repeat([]byte{90, 128}, 6*5)) {
		t.Errorf("grey: %d×%d, %v, %v", w, h, got, err)
	}
}

// TestDecodeOtherSamplings: most cameras send 4:2:0 or 4:4:4.
func TestDecodeOtherSamplings(t *testing.T) {
	im := image.NewRGBA(image.Rect(0, 0, 33, 17))
	for i := range im.Pix {
		im.Pix[i] = []byte{200, 120, 40, 255}[i%4]
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, im, &jpeg.Options{Quality: 95}); err != nil { // 4:2:0
		t.Fatal(err)
	}
	w, h, got, err := DecodeYUYV(nil, file.Bytes(), 1<<20)
	if err != nil || w != 32 || h != 17 {
		t.Fatalf("%d×%d, %v", w, h, err)
	}
	want := [4]byte{135, 74, 135, 174}
	for i, v := range got {
		if d := int(v) - int(want[i%4]); d < -2 || d > 2 {
			t.Fatalf("byte %d is %d, want %d", i, v, want[i%4])
		}
	}
}
