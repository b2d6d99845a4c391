// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// scene is a picture with what pictures have: slopes, edges, a disc, stripes of all widths and, on top, a camera's
// noise.
func scene(w, h int, noise float64, seed uint64) yuv.Picture {
	rng := rand.New(rand.NewPCG(seed, 5))
	p := yuv.Picture{Data: make([]byte, 2*w*h), Width: w, Height: h, Stride: 2 * w}
	for y := range h {
		for x := range w {
			luma := 40 + 170*float64(x)/float64(w)
			cb, cr := 128+60*math.Sin(float64(x)/97), 128+50*math.Cos(float64(y)/71)
			switch {
			case math.Hypot(float64(x-w/3), float64(y-h/3)) < float64(h)/5:
				luma, cr = 210, 200
			case y > h*2/3 && x > w/2:
				luma = 128 + 100*math.Sin(float64((x-w/2)*(x-w/2))/float64(w))
			case y > h*3/4:
				luma, cb = float64(30+180*(x/32%2)), 90
			}
			p.Data[2*(y*w+x)] = held(luma + noise*rng.NormFloat64())
			c := cb
			if x%2 == 1 {
				c = cr
			}
			p.Data[2*(y*w+x)+1] = held(c + noise/2*rng.NormFloat64())
		}
	}
	return p
}

func held(v float64) byte { return byte(max(0, min(255, math.Round(v)))) }

// grey takes the luma of a YUYV picture.
func grey(p yuv.Picture) yuv.Picture {
	g := yuv.Picture{Data: make([]byte, p.Width*p.Height), Width: p.Width, Height: p.Height, Stride: p.Width}
	if err := yuv.Mono(g, p, yuv.Full); err != nil {
		panic(err)
	}
	return g
}

// decoded reads a 4:2:2 file back with the standard library, as YUYV.
func decoded(t testing.TB, file []byte) yuv.Picture {
	t.Helper()
	im, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("image/jpeg: %v", err)
	}
	ycc, ok := im.(*image.YCbCr)
	if !ok || ycc.SubsampleRatio != image.YCbCrSubsampleRatio422 {
		t.Fatalf("decoded to %T, not 4:2:2", im)
	}
	w, h := ycc.Rect.Dx(), ycc.Rect.Dy()
	p := yuv.Picture{Data: make([]byte, 2*w*h), Width: w, Height: h, Stride: 2 * w}
	for y := range h {
		for x := range w {
			p.Data[2*(y*w+x)] = ycc.Y[y*ycc.YStride+x]
			c := ycc.Cb
			if x%2 == 1 {
				c = ycc.Cr
			}
			p.Data[2*(y*w+x)+1] = c[y*ycc.CStride+x/2]
		}
	}
	return p
}

// psnr is the peak signal-to-noise ratio of all samples, in dB.
func psnr(a, b []byte) float64 {
	var sum float64
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(a))/sum)
}
