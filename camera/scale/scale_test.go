// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

func whole(l Layout, w, h int) yuv.Picture {
	return yuv.Picture{Data: make([]byte, w*h*l.bytesPerPixel()), Width: w, Height: h, Stride: w * l.bytesPerPixel()}
}

// sampleAt returns the position of sample x of channel c in a row, by layout, independently of the code under test. ok
// is false beyond the last one.
func sampleAt(l Layout, c, x, width int) (at int, ok bool) {
	switch {
	case l == RGB:
		return 3*x + c, x < width
	case l == Mono:
		return x, x < width
	case c == 0:
		return 2 * x, x < width
	default:
		return 4*x + 2*c - 1, x < width/2
	}
}

func channels(l Layout) int {
	if l == Mono {
		return 1
	}
	return 3
}

// meanOf is the mean of what sample x, y of channel c covers, as a fraction of whole numbers: overlap of intervals,
// nothing of taps and reciprocals.
func meanOf(l Layout, src yuv.Picture, c, x, y, dstW, dstH int) (sum, area int64) {
	srcW := src.Width
	if l == YUYV && c > 0 {
		srcW, dstW = srcW/2, dstW/2
	}
	for sy := range src.Height {
		wy := overlap(sy*dstH, (sy+1)*dstH, y*src.Height, (y+1)*src.Height)
		for sx := 0; wy > 0 && sx < srcW; sx++ {
			if wx := overlap(sx*dstW, (sx+1)*dstW, x*srcW, (x+1)*srcW); wx > 0 {
				at, _ := sampleAt(l, c, sx, src.Width)
				sum += wx * wy * int64(src.Data[sy*src.Stride+at])
			}
		}
	}
	return sum, int64(srcW) * int64(src.Height)
}

func overlap(a0, a1, b0, b1 int) int64 { return max(0, int64(min(a1, b1)-max(a0, b0))) }

// TestExactMeans compares every sample of random pictures of any size, stride and ratio with its exact mean.
func TestExactMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom([]Layout{YUYV, RGB, Mono}).Draw(t, "layout")
		side := rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(1, 24))
		w, h, dw, dh := side.Draw(t, "w"), side.Draw(t, "h"), side.Draw(t, "dst w"), side.Draw(t, "dst h")
		if l == YUYV {
			w, dw = 2*w, 2*dw
		}
		if rapid.IntRange(0, 3).Draw(t, "half") == 0 {
			w, h = 2*dw, 2*dh
		}
		bpp := l.bytesPerPixel()
		src := yuv.Picture{Width: w, Height: h, Stride: w*bpp + rapid.IntRange(0, 5).Draw(t, "gap")}
		n := src.Stride*(h-1) + w*bpp
		src.Data = rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 127, 128, 254, 255}), n, n).Draw(t, "data")
		dst := yuv.Picture{Width: dw, Height: dh, Stride: dw*bpp + rapid.IntRange(0, 5).Draw(t, "dst gap")}
		dst.Data = make([]byte, dst.Stride*(dh-1)+dw*bpp)
		s, err := New(l, w, h, dw, dh)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time with what the first one left
			if err := s.Scale(dst, src); err != nil {
				t.Fatal(err)
			}
		}
		for y := range dh {
			for c := range channels(l) {
				for x := 0; ; x++ {
					at, ok := sampleAt(l, c, x, dw)
					if !ok {
						break
					}
					sum, area := meanOf(l, src, c, x, y, dw, dh)
					if got, want := int64(dst.Data[y*dst.Stride+at]), (2*sum+area)/(2*area); got != want {
						t.Fatalf("channel %d of pixel %d,%d: got %d, want %d", c, x, y, got, want)
					}
				}
			}
		}
	})
}

// TestGapsUntouched: bytes between rows stay.
func TestGapsUntouched(t *testing.T) {
	s, err := New(Mono, 4, 4, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	dst := yuv.Picture{Data: []byte{9, 9, 7, 9, 9}, Width: 2, Height: 2, Stride: 3}
	if err := s.Scale(dst, whole(Mono, 4, 4)); err != nil {
		t.Fatal(err)
	}
	if string(dst.Data) != string([]byte{0, 0, 7, 0, 0}) {
		t.Errorf("got %v", dst.Data)
	}
}

func TestSameSizeIsACopy(t *testing.T) {
	for _, l := range []Layout{YUYV, RGB, Mono} {
		src, dst := whole(l, 34, 21), whole(l, 34, 21)
		for i := range src.Data {
			src.Data[i] = byte(i * i)
		}
		s, err := New(l, 34, 21, 34, 21)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Scale(dst, src); err != nil || string(dst.Data) != string(src.Data) {
			t.Errorf("layout %d: %v, not the same", l, err)
		}
	}
}

func TestSizesRefused(t *testing.T) {
	for _, c := range []struct {
		l            Layout
		w, h, dw, dh int
	}{
		{YUYV, 639, 480, 320, 240}, {YUYV, 640, 480, 321, 240}, {Mono, 0, 1, 1, 1}, {Mono, 1, 1, 1, 0},
		{RGB, -4, 4, 2, 2}, {RGB, 4, 4, 1 << 13, 1 << 12}, {Mono, 1 << 30, 1 << 30, 1, 1}, {9, 4, 4, 2, 2},
		{Mono, math.MaxInt32, math.MaxInt32, 1, 1},
	} {
		if _, err := New(c.l, c.w, c.h, c.dw, c.dh); !errors.Is(err, errSize) {
			t.Errorf("%v: error %v, want ErrSize", c, err)
		}
	}
	s, err := New(YUYV, 8, 8, 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	good, from := whole(YUYV, 4, 4), whole(YUYV, 8, 8)
	for name, pair := range map[string][2]yuv.Picture{
		"other source":      {good, whole(YUYV, 8, 6)},
		"other destination": {whole(YUYV, 6, 4), from},
		"short source":      {good, {Data: from.Data[1:], Width: 8, Height: 8, Stride: 16}},
		"short destination": {{Data: good.Data[1:], Width: 4, Height: 4, Stride: 8}, from},
	} {
		if err := s.Scale(pair[0], pair[1]); !errors.Is(err, errSize) {
			t.Errorf("%s: error %v, want ErrSize", name, err)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, l := range []Layout{YUYV, RGB, Mono} {
		src, dst := whole(l, 64, 48), whole(l, 38, 29)
		s, err := New(l, 64, 48, 38, 29)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(10, func() { _ = s.Scale(dst, src) }); n != 0 {
			t.Errorf("layout %d: %v allocations", l, n)
		}
	}
}
