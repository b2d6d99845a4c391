// SPDX-License-Identifier: Apache-2.0

package yuv

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// conversions are all there are, with the bytes a pixel of destination and source.
var conversions = []struct {
	name     string
	dst, src int
	run      func(dst, src Picture) error
}{
	{"RGB", 3, 2, func(d, s Picture) error { return RGB(d, s, Full) }},
	{"BGR", 3, 2, func(d, s Picture) error { return BGR(d, s, Limited) }},
	{"Mono", 1, 2, func(d, s Picture) error { return Mono(d, s, Limited) }},
	{"Grey", 1, 1, func(d, s Picture) error { return Grey(d, s, Limited) }},
	{"GreyRGB", 3, 1, func(d, s Picture) error { return GreyRGB(d, s, Full) }},
	{"GreyYUYV", 2, 1, GreyYUYV},
	{"FromRGB", 2, 3, FromRGB},
	{"FromBGR", 2, 3, FromBGR},
	{"Luma", 1, 3, Luma},
	{"LumaBGR", 1, 3, LumaBGR},
	{"Swap", 3, 3, Swap},
}

func whole(w, h, bytesPerPixel int) Picture {
	return Picture{make([]byte, w*h*bytesPerPixel), w, h, w * bytesPerPixel}
}

func TestBadPicturesRefused(t *testing.T) {
	for _, c := range conversions {
		good, from := whole(8, 4, c.dst), whole(8, 4, c.src)
		if err := c.run(good, from); err != nil {
			t.Errorf("%s refuses a good pair: %v", c.name, err)
		}
		bad := map[string][2]Picture{
			"no source":          {good, {}},
			"no destination":     {{}, from},
			"short source":       {good, {from.Data[:len(from.Data)-1], 8, 4, from.Stride}},
			"short destination":  {{good.Data[:len(good.Data)-1], 8, 4, good.Stride}, from},
			"stride too small":   {good, {from.Data, 8, 4, from.Stride - 1}},
			"stride far too big": {good, {from.Data, 8, 4, math.MaxInt32 / 2}},
			"another width":      {whole(6, 4, c.dst), from},
			"another height":     {whole(8, 3, c.dst), from},
			"negative":           {good, {from.Data, -8, 4, from.Stride}},
			"huge":               {good, {from.Data, math.MaxInt32, math.MaxInt32, math.MaxInt32}},
		}
		if c.dst == 2 || c.src == 2 {
			bad["odd width"] = [2]Picture{whole(7, 4, c.dst), whole(7, 4, c.src)}
		}
		for name, pair := range bad {
			if err := c.run(pair[0], pair[1]); !errors.Is(err, errSize) {
				t.Errorf("%s, %s: error %v, want ErrSize", c.name, name, err)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, c := range conversions {
		dst, src := whole(64, 8, c.dst), whole(64, 8, c.src)
		if n := testing.AllocsPerRun(10, func() { _ = c.run(dst, src) }); n != 0 {
			t.Errorf("%s allocates %v times", c.name, n)
		}
	}
}

// TestRoundTrip: YUYV made of RGB gives that RGB again where both pixels of a pair are alike, to within rounding.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		px := rapid.SliceOfN(rapid.Byte(), 3, 3).Draw(t, "pixel")
		src := append(append([]byte(nil), px...), px...)
		var yuyv [4]byte
		var back [6]byte
		if err := FromRGB(Picture{yuyv[:], 2, 1, 4}, Picture{src, 2, 1, 6}); err != nil {
			t.Fatal(err)
		}
		if err := RGB(Picture{back[:], 2, 1, 6}, Picture{yuyv[:], 2, 1, 4}, Full); err != nil {
			t.Fatal(err)
		}
		for i := range src {
			if d := int(src[i]) - int(back[i]); d < -2 || d > 2 {
				t.Fatalf("%v came back as %v (YUYV %v)", src, back, yuyv)
			}
		}
	})
}

func TestFromRGBAgainstFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 9).Draw(t, "pairs"), rapid.IntRange(1, 4).Draw(t, "height")
		src, dst := picture(t, "src", w, h, 3), picture(t, "dst", w, h, 2)
		if err := FromRGB(dst, src); err != nil {
			t.Fatal(err)
		}
		for y := range h {
			for x := range w {
				p := src.Data[y*src.Stride+3*x:]
				luma := 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])
				if got := float64(dst.Data[y*dst.Stride+2*x]); math.Abs(got-luma) > 0.51 {
					t.Fatalf("luma of %v is %v, want %.2f", p[:3], got, luma)
				}
			}
			for x := 0; x < w; x += 2 {
				p, to := src.Data[y*src.Stride+3*x:], dst.Data[y*dst.Stride+2*x:]
				r, g, b := mean(p[0], p[3]), mean(p[1], p[4]), mean(p[2], p[5])
				cb, cr := 128-0.168736*r-0.331264*g+0.5*b, 128+0.5*r-0.418688*g-0.081312*b
				if math.Abs(float64(to[1])-math.Min(cb, 255)) > 0.52 || math.Abs(float64(to[3])-math.Min(cr, 255)) > 0.52 {
					t.Fatalf("colour of %v is %d %d, want %.2f %.2f", p[:6], to[1], to[3], cb, cr)
				}
			}
		}
	})
}

func mean(a, b byte) float64 { return (float64(a) + float64(b)) / 2 }

func TestBGRIsRGBBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 9).Draw(t, "pairs"), rapid.IntRange(1, 4).Draw(t, "height")
		rgb := picture(t, "rgb", w, h, 3)
		bgr := whole(w, h, 3)
		if err := Swap(bgr, rgb); err != nil {
			t.Fatal(err)
		}
		one, two := whole(w, h, 2), whole(w, h, 2)
		if FromRGB(one, rgb) != nil || FromBGR(two, bgr) != nil || string(one.Data) != string(two.Data) {
			t.Fatalf("FromRGB and FromBGR differ: %v, %v", one.Data, two.Data)
		}
		a, b := whole(w, h, 1), whole(w, h, 1)
		if Luma(a, rgb) != nil || LumaBGR(b, bgr) != nil || string(a.Data) != string(b.Data) {
			t.Fatalf("Luma and LumaBGR differ: %v, %v", a.Data, b.Data)
		}
		for i := range a.Data {
			if a.Data[i] != one.Data[2*i] {
				t.Fatalf("luma %v is not that of YUYV %v", a.Data, one.Data)
			}
		}
	})
}

func TestRangeNames(t *testing.T) {
	for r, want := range map[Range]string{Full: "full", Limited: "limited", Unspecified: "unspecified", 9: "unspecified"} {
		if r.String() != want {
			t.Errorf("Range(%d) is %q, want %q", r, r, want)
		}
	}
}
