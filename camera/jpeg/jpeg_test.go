// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

func encoded(t testing.TB, quality int, p yuv.Picture, s Sampling, r yuv.Range) []byte {
	t.Helper()
	e, err := New(quality)
	if err != nil {
		t.Fatal(err)
	}
	file, err := e.Encode(nil, p, s, r)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestQualityOfPictures: the picture that comes back is as near as libjpeg-turbo's own at each quality (its exact
// integer DCT gives 33.3, 39.2, 42.0, 45.6 and 58.5 dB for this picture), and a better one is a larger file.
func TestQualityOfPictures(t *testing.T) {
	p, last := scene(320, 240, 2, 1), 0
	for _, c := range []struct {
		quality int
		least   float64 // dB
	}{{10, 33.3}, {50, 39.1}, {80, 42}, {95, 45.5}, {100, 58.5}} {
		file := encoded(t, c.quality, p, YUYV, yuv.Full)
		if got := psnr(decoded(t, file).Data, p.Data); got < c.least {
			t.Errorf("quality %d: %.1f dB, want %.1f", c.quality, got, c.least)
		}
		if len(file) <= last {
			t.Errorf("quality %d: %d bytes, less than at lower quality", c.quality, len(file))
		}
		last = len(file)
	}
}

// TestEveryPixelAtFullQuality: at quality 100, for pictures of any size, stride and content, each sample comes back to
// within what rounding 64 coefficients and the decoder's own arithmetic allow.
func TestEveryPixelAtFullQuality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 24).Draw(t, "pairs"), rapid.IntRange(1, 20).Draw(t, "height")
		p := drawPicture(t, w, h, 2)
		e, err := New(100)
		if err != nil {
			t.Fatal(err)
		}
		file, err := e.Encode(nil, p, YUYV, yuv.Full)
		if err != nil {
			t.Fatal(err)
		}
		im, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		got := im.(*image.YCbCr)
		if got.Rect.Dx() != w || got.Rect.Dy() != h {
			t.Fatalf("%v, want %d×%d", got.Rect, w, h)
		}
		for y := range h {
			row := p.Data[y*p.Stride:]
			for x := range w {
				near(t, "Y", x, y, got.Y[y*got.YStride+x], row[2*x])
				near(t, "Cb", x, y, got.Cb[y*got.CStride+x/2], row[x/2*4+1])
				near(t, "Cr", x, y, got.Cr[y*got.CStride+x/2], row[x/2*4+3])
			}
		}
	})
}

func near(t *rapid.T, what string, x, y int, got, want byte) {
	if d := int(got) - int(want); d < -3 || d > 3 {
		t.Fatalf("%s of %d,%d is %d, was %d", what, x, y, got, want)
	}
}

// drawPicture draws smooth, rough and extreme pictures.
func drawPicture(t *rapid.T, w, h, bytesPerPixel int) yuv.Picture {
	stride := w*bytesPerPixel + rapid.IntRange(0, 7).Draw(t, "gap")
	n := stride*(h-1) + w*bytesPerPixel
	sample := rapid.SampledFrom([]*rapid.Generator[byte]{
		rapid.Byte(), rapid.ByteRange(100, 110), rapid.SampledFrom([]byte{0, 255}), rapid.Just(byte(0)), rapid.Just(byte(255)),
	}).Draw(t, "kind")
	return yuv.Picture{Data: rapid.SliceOfN(sample, n, n).Draw(t, "data"), Width: w, Height: h, Stride: stride}
}

func TestGrey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPicture(t, rapid.IntRange(1, 40).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height"), 1)
		e, _ := New(100)
		file, err := e.Encode(nil, p, Grey, yuv.Full)
		if err != nil {
			t.Fatal(err)
		}
		im, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		got := im.(*image.Gray)
		for y := range p.Height {
			for x := range p.Width {
				near(t, "Y", x, y, got.Pix[y*got.Stride+x], p.Data[y*p.Stride+x])
			}
		}
	})
}

// TestLimitedRange: a frame in limited range becomes the file of the same picture in full range.
func TestLimitedRange(t *testing.T) {
	full := scene(160, 120, 0, 3)
	limited := yuv.Picture{Data: make([]byte, len(full.Data)), Width: 160, Height: 120, Stride: 320}
	for i, v := range full.Data {
		scaled := 16 + float64(v)*219/255
		if i%2 == 1 {
			scaled = 128 + (float64(v)-128)*224/255
		}
		limited.Data[i] = held(scaled)
	}
	got := decoded(t, encoded(t, 100, limited, YUYV, yuv.Limited))
	if db := psnr(got.Data, full.Data); db < 54 {
		t.Errorf("%.1f dB", db)
	}
	if db := psnr(decoded(t, encoded(t, 100, limited, YUYV, yuv.Full)).Data, limited.Data); db < 54 {
		t.Errorf("taken as full range: %.1f dB", db)
	}
	// Values beyond black and white, at the quality where they are most steps away.
	for i := range limited.Data {
		limited.Data[i] = byte(i/32%2) * 255
	}
	white := decoded(t, encoded(t, 100, limited, YUYV, yuv.Limited))
	for i, v := range white.Data {
		if d := int(v) - int(limited.Data[i]); i%2 == 0 && (d < -9 || d > 9) {
			t.Fatalf("sample %d is %d, want %d", i, v, limited.Data[i])
		}
	}
}

// TestSameEncoderAgain: size, sampling, range and quality change from frame to frame, and each file is that of a new
// encoder.
func TestSameEncoderAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, _ := New(50)
		var buf []byte
		for range rapid.IntRange(1, 6).Draw(t, "frames") {
			quality := rapid.SampledFrom([]int{1, 30, 80, 100}).Draw(t, "quality")
			s := rapid.SampledFrom([]Sampling{YUYV, Grey}).Draw(t, "sampling")
			r := rapid.SampledFrom([]yuv.Range{yuv.Full, yuv.Limited}).Draw(t, "range")
			p := drawPicture(t, 2*rapid.IntRange(1, 12).Draw(t, "pairs"), rapid.IntRange(1, 12).Draw(t, "height"), 2-int(s))
			if err := e.SetQuality(quality); err != nil {
				t.Fatal(err)
			}
			var err error
			if buf, err = e.Encode(buf[:0], p, s, r); err != nil {
				t.Fatal(err)
			}
			fresh, _ := New(quality)
			if want, _ := fresh.Encode(nil, p, s, r); !bytes.Equal(buf, want) {
				t.Fatal("not the file of a new encoder")
			}
		}
	})
}

func TestNothingIsAllocated(t *testing.T) {
	p := scene(320, 240, 3, 2)
	g := grey(p)
	e, _ := New(80)
	buf, _ := e.Encode(nil, p, YUYV, yuv.Full)
	for name, run := range map[string]func(){
		"YUYV":    func() { buf, _ = e.Encode(buf[:0], p, YUYV, yuv.Full) },
		"limited": func() { buf, _ = e.Encode(buf[:0], p, YUYV, yuv.Limited) },
		"grey":    func() { buf, _ = e.Encode(buf[:0], g, Grey, yuv.Full) },
	} {
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%s: %v allocations a frame", name, n)
		}
	}
}

func TestBadInputRefused(t *testing.T) {
	for _, q := range []int{0, 101, -1, math.MaxInt32} {
		if _, err := New(q); !errors.Is(err, errQuality) {
			t.Errorf("quality %d: error %v", q, err)
		}
	}
	e, _ := New(80)
	if err := e.SetQuality(0); !errors.Is(err, errQuality) || e.Quality() != 80 {
		t.Errorf("error %v, quality now %d", err, e.Quality())
	}
	good := scene(32, 16, 0, 1)
	for name, c := range map[string]struct {
		p yuv.Picture
		s Sampling
	}{
		"nothing":          {yuv.Picture{}, YUYV},
		"short":            {yuv.Picture{Data: good.Data[1:], Width: 32, Height: 16, Stride: 64}, YUYV},
		"odd width":        {yuv.Picture{Data: good.Data, Width: 31, Height: 16, Stride: 64}, YUYV},
		"small stride":     {yuv.Picture{Data: good.Data, Width: 32, Height: 16, Stride: 63}, YUYV},
		"too high":         {yuv.Picture{Data: good.Data, Width: 2, Height: 65536, Stride: 4}, YUYV},
		"unknown sampling": {good, 7},
	} {
		dst := []byte("before")
		if got, err := e.Encode(dst, c.p, c.s, yuv.Full); !errors.Is(err, errSize) || string(got) != "before" {
			t.Errorf("%s: error %v, dst %q", name, err, got)
		}
	}
}
