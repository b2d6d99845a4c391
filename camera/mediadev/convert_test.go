// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera"
)

func TestPack(t *testing.T) {
	ycc := image.NewYCbCr(image.Rect(0, 0, 4, 2), image.YCbCrSubsampleRatio422)
	copy(ycc.Y, []byte{1, 2, 3, 4, 5, 6, 7, 8})
	copy(ycc.Cb, []byte{10, 11, 12, 13})
	copy(ycc.Cr, []byte{20, 21, 22, 23})
	ycc420 := image.NewYCbCr(image.Rect(0, 0, 4, 2), image.YCbCrSubsampleRatio420)
	copy(ycc420.Y, ycc.Y)
	copy(ycc420.Cb, []byte{10, 11})
	copy(ycc420.Cr, []byte{20, 21})
	gray := &image.Gray{Pix: []byte{1, 2, 9, 3, 4, 9}, Stride: 3, Rect: image.Rect(0, 0, 2, 2)}
	gray16 := image.NewGray16(image.Rect(0, 0, 1, 2))
	gray16.SetGray16(0, 1, color.Gray16{Y: 0x1234})
	rgba := image.NewRGBA(image.Rect(5, 5, 7, 6)) // its corner need not be at 0,0
	rgba.Set(5, 5, color.RGBA{1, 2, 3, 255})
	rgba.Set(6, 5, color.RGBA{4, 5, 6, 255})
	nrgba := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	nrgba.Set(0, 0, color.NRGBA{7, 8, 9, 255})
	for _, c := range []struct {
		name   string
		m      image.Image
		format camera.PixelFormat
		want   []byte
	}{
		{"4:2:2", ycc, camera.YUYV, []byte{1, 10, 2, 20, 3, 11, 4, 21, 5, 12, 6, 22, 7, 13, 8, 23}},
		{"4:2:0", ycc420, camera.YUYV, []byte{1, 10, 2, 20, 3, 11, 4, 21, 5, 10, 6, 20, 7, 11, 8, 21}},
		{"part of 4:2:2", ycc.SubImage(image.Rect(2, 1, 4, 2)), camera.YUYV, []byte{7, 13, 8, 23}},
		{"gray", gray, camera.GREY, []byte{1, 2, 3, 4}},
		{"gray16", gray16, camera.GREY, []byte{0, 0x12}},
		{"rgba", rgba, camera.RGB24, []byte{1, 2, 3, 4, 5, 6}},
		{"any other", nrgba, camera.RGB24, []byte{7, 8, 9}},
	} {
		got, err := pack([]byte{99}, c.m, c.format)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	odd := image.NewYCbCr(image.Rect(0, 0, 3, 2), image.YCbCrSubsampleRatio444)
	for _, m := range []image.Image{odd, gray} {
		if _, err := pack(nil, m, camera.YUYV); !errors.Is(err, camera.ErrFrame) {
			t.Error(err)
		}
	}
}

// TestRoundTrip: frame to image to frame is the same, whatever the size, and rows may have gaps.
func TestRoundTrip(t *testing.T) {
	var old image.Image
	rapid.Check(t, func(t *rapid.T) {
		f := camera.Frame{
			Format: rapid.SampledFrom([]camera.PixelFormat{camera.YUYV, camera.GREY, camera.RGB24}).Draw(t, "format"),
			Width:  2 * rapid.IntRange(1, 20).Draw(t, "width/2"), Height: rapid.IntRange(1, 20).Draw(t, "height"),
		}
		row := f.Width * f.Format.BytesPerPixel()
		f.Stride = row + rapid.IntRange(0, 8).Draw(t, "gap")
		f.Data = rapid.SliceOfN(rapid.Byte(), f.Stride*f.Height, f.Stride*f.Height).Draw(t, "data")
		m, err := unpack(old, &f)
		if err != nil {
			t.Fatal(err)
		}
		old = m
		got, err := pack(nil, m, f.Format)
		if err != nil {
			t.Fatal(err)
		}
		for y := range f.Height {
			if !bytes.Equal(got[y*row:(y+1)*row], f.Data[y*f.Stride:y*f.Stride+row]) {
				t.Fatalf("row %d is %v, was %v", y, got[y*row:(y+1)*row], f.Data[y*f.Stride:][:row])
			}
		}
	})
}

func TestUnpack(t *testing.T) {
	bgr := camera.Frame{Format: camera.BGR24, Width: 2, Height: 1, Stride: 6, Data: []byte{1, 2, 3, 4, 5, 6}}
	m, err := unpack(nil, &bgr)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.At(0, 0); got != (color.RGBA{3, 2, 1, 255}) {
		t.Errorf("%v", got)
	}
	again, err := unpack(m, &bgr)
	if err != nil || again != m {
		t.Errorf("the image is not used again: %v", err)
	}
	for _, f := range []camera.Frame{{Format: camera.YUYV, Width: 2, Height: 1, Stride: 4}, {Format: camera.JPEG, Data: []byte{0xFF, 0xD8, 0, 0}}} {
		if _, err := unpack(nil, &f); !errors.Is(err, camera.ErrFrame) {
			t.Error(err)
		}
	}
}
