// SPDX-License-Identifier: Apache-2.0

package yuv

import (
	"testing"

	"pgregory.net/rapid"
)

func TestMonoAgainstFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 20).Draw(t, "pairs"), rapid.IntRange(1, 8).Draw(t, "height")
		r := rapid.SampledFrom([]Range{Unspecified, Full, Limited}).Draw(t, "range")
		src, dst := picture(t, "src", w, h, 2), picture(t, "dst", w, h, 1)
		if err := Mono(dst, src, r); err != nil {
			t.Fatal(err)
		}
		for y := range h {
			for x := range w {
				want, _, _ := exact(src.Data[y*src.Stride+2*x], 128, 128, r)
				if got := dst.Data[y*dst.Stride+x]; got != want {
					t.Fatalf("pixel %d,%d: got %d, want %d", x, y, got, want)
				}
			}
		}
	})
}

func TestGreyPictures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 20).Draw(t, "pairs"), rapid.IntRange(1, 8).Draw(t, "height")
		r := rapid.SampledFrom([]Range{Full, Limited}).Draw(t, "range")
		src := picture(t, "src", w, h, 1)
		grey, rgb, yuyv, mono := whole(w, h, 1), whole(w, h, 3), whole(w, h, 2), whole(w, h, 1)
		if Grey(grey, src, r) != nil || GreyRGB(rgb, src, r) != nil || GreyYUYV(yuyv, src) != nil || Mono(mono, yuyv, r) != nil {
			t.Fatal("refused")
		}
		if string(grey.Data) != string(mono.Data) {
			t.Fatalf("Grey %v, by way of YUYV %v", grey.Data, mono.Data)
		}
		fromYUYV := whole(w, h, 3)
		if err := RGB(fromYUYV, yuyv, r); err != nil || string(fromYUYV.Data) != string(rgb.Data) {
			t.Fatalf("GreyRGB %v, by way of YUYV %v, %v", rgb.Data, fromYUYV.Data, err)
		}
		if err := Grey(src, src, Full); err != nil {
			t.Fatalf("in place: %v", err)
		}
	})
}
