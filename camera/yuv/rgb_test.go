// SPDX-License-Identifier: Apache-2.0

package yuv

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// exact is BT.601 in fractions of whole numbers, written down apart from the tables: black at (0, 128, 128) or (16,
// 128, 128). Halves round up.
func exact(y, cb, cr byte, r Range) (red, green, blue byte) {
	// In units of 1/one, common to all terms.
	const one = 587 * 1000 * 219 * 224
	fy, fb, fr := int64(y)*one, (int64(cb)-128)*one, (int64(cr)-128)*one
	if r == Limited {
		fy, fb, fr = (int64(y)-16)*one/219*255, fb/224*255, fr/224*255
	}
	red = nearest(fy+fr/1000*1402, one)
	green = nearest(fy-fb/587000*114*1772-fr/587000*299*1402, one)
	blue = nearest(fy+fb/1000*1772, one)
	return red, green, blue
}

func nearest(v, one int64) byte { return byte(min(255, max(0, (2*v+one)/(2*one)))) }

// TestRGBEveryColour converts all 2²⁴ colours in both ranges; in short mode (the emulated robot) every 51st luma.
func TestRGBEveryColour(t *testing.T) {
	step := 1
	if !suite.Long {
		step = 51
	}
	src, dst := make([]byte, 512), make([]byte, 768)
	for _, r := range []Range{Full, Limited} {
		for c := range 256 * 256 {
			for y := 0; y < 256; y += step {
				src[2*y], src[2*y+1] = byte(y), byte(c>>(8*(y&1)))
			}
			// Of a pair the first gives Cb, the second Cr: set them whole.
			for i := 0; i < len(src); i += 4 {
				src[i+1], src[i+3] = byte(c), byte(c>>8)
			}
			if err := RGB(Picture{dst, 256, 1, 768}, Picture{src, 256, 1, 512}, r); err != nil {
				t.Fatal(err)
			}
			for y := 0; y < 256; y += step {
				red, green, blue := exact(byte(y), byte(c), byte(c>>8), r)
				if got := dst[3*y : 3*y+3]; got[0] != red || got[1] != green || got[2] != blue {
					t.Fatalf("%v Y %d Cb %d Cr %d: got %v, want %d %d %d", r, y, byte(c), byte(c>>8), got, red, green, blue)
				}
			}
		}
	}
}

func TestKnownColours(t *testing.T) {
	for _, c := range []struct {
		name      string
		r         Range
		y, cb, cr byte
		want      [3]byte
	}{
		{"black", Full, 0, 128, 128, [3]byte{0, 0, 0}},
		{"white", Full, 255, 128, 128, [3]byte{255, 255, 255}},
		{"red", Full, 76, 85, 255, [3]byte{254, 0, 0}},
		{"blue", Full, 29, 255, 107, [3]byte{0, 0, 254}},
		{"black, limited", Limited, 16, 128, 128, [3]byte{0, 0, 0}},
		{"white, limited", Limited, 235, 128, 128, [3]byte{255, 255, 255}},
		{"below black, limited", Limited, 0, 128, 128, [3]byte{0, 0, 0}},
		{"above white, limited", Limited, 255, 128, 128, [3]byte{255, 255, 255}},
		{"red, limited", Limited, 81, 90, 240, [3]byte{254, 0, 0}},
		{"unspecified is full", Unspecified, 16, 128, 128, [3]byte{16, 16, 16}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := []byte{c.y, c.cb, c.y, c.cr}
			var rgb, bgr [6]byte
			if err := RGB(Picture{rgb[:], 2, 1, 6}, Picture{src, 2, 1, 4}, c.r); err != nil {
				t.Fatal(err)
			}
			if err := BGR(Picture{bgr[:], 2, 1, 6}, Picture{src, 2, 1, 4}, c.r); err != nil {
				t.Fatal(err)
			}
			if got := [3]byte(rgb[:3]); got != c.want || [3]byte(rgb[3:]) != c.want {
				t.Errorf("RGB: got %v, want twice %v", rgb, c.want)
			}
			if bgr != [6]byte{rgb[2], rgb[1], rgb[0], rgb[5], rgb[4], rgb[3]} {
				t.Errorf("BGR %v is not RGB %v backwards", bgr, rgb)
			}
		})
	}
}

// picture draws a picture of random bytes with a random stride.
func picture(t *rapid.T, label string, width, height, bytesPerPixel int) Picture {
	stride := width*bytesPerPixel + rapid.IntRange(0, 9).Draw(t, label+" gap")
	size := stride*(height-1) + width*bytesPerPixel
	return Picture{rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, label), width, height, stride}
}

// TestRGBAnyShape: each pixel of pictures of any size and stride, and nothing between the rows is touched.
func TestRGBAnyShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 20).Draw(t, "pairs"), rapid.IntRange(1, 8).Draw(t, "height")
		r := rapid.SampledFrom([]Range{Full, Limited}).Draw(t, "range")
		src, dst := picture(t, "src", w, h, 2), picture(t, "dst", w, h, 3)
		before := append([]byte(nil), dst.Data...)
		if err := RGB(dst, src, r); err != nil {
			t.Fatal(err)
		}
		for y := range h {
			for x := range w {
				pair := src.Data[y*src.Stride+x/2*4:]
				red, green, blue := exact(src.Data[y*src.Stride+2*x], pair[1], pair[3], r)
				at := y*dst.Stride + 3*x
				if got := dst.Data[at : at+3]; got[0] != red || got[1] != green || got[2] != blue {
					t.Fatalf("pixel %d,%d: got %v, want %d %d %d", x, y, got, red, green, blue)
				}
				copy(before[at:at+3], dst.Data[at:])
			}
		}
		if string(before) != string(dst.Data) {
			t.Fatal("bytes between the rows were written")
		}
	})
}
