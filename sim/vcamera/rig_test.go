// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// checks is how many pictures a property is tried on, unless -rapid.checks says so: under the race detector one takes
// long.
const checks = "30"

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == f.DefValue {
		_ = f.Value.Set(checks)
	}
	suite.VerifyNoLeaks(m)
}

// keep writes the pictures of the tests there, to look at.
var keep = flag.String("keep", "", "folder for the pictures that the tests draw")

// Colours that are easy to distinguish.
var (
	red   = vcamera.RGB{R: 220}
	green = vcamera.RGB{G: 220}
	blue  = vcamera.RGB{B: 220}
)

// picture is a frame to ask.
type picture []byte

// draw renders a scene.
func draw(t testing.TB, s *vcamera.Scene, pose geom.Pose, d vcamera.Development) picture {
	t.Helper()
	p := make(picture, vcamera.FrameSize)
	vcamera.NewRenderer().Render(p, s, pose, d)
	if *keep != "" {
		f, err := os.Create(filepath.Join(*keep, fmt.Sprintf("%s-%08x.png", filepath.Base(t.Name()), p.hash())))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, p.image()); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p picture) hash() uint32 {
	h := fnv.New32a()
	_, _ = h.Write(p)
	return h.Sum32()
}

// image shares nothing with the frame.
func (p picture) image() image.Image {
	m := image.NewYCbCr(image.Rect(0, 0, vcamera.Width, vcamera.Height), image.YCbCrSubsampleRatio422)
	for i := 0; i < len(p); i += 4 {
		m.Y[i/2], m.Y[i/2+1], m.Cb[i/4], m.Cr[i/4] = p[i], p[i+2], p[i+1], p[i+3]
	}
	return m
}

// at returns Y, U and V of a pixel.
func (p picture) at(x, y int) (luma, u, v int) {
	i := y*vcamera.Stride + x/2*4
	return int(p[i+x%2*2]), int(p[i+1]), int(p[i+3])
}

// is reports which of the three colours, or else none, a pixel has.
func (p picture) is(x, y int) vcamera.RGB {
	switch _, u, v := p.at(x, y); {
	case v > 165 && u < 125:
		return red
	case u < 105 && v < 105:
		return green
	case u > 165 && v < 125:
		return blue
	}
	return vcamera.RGB{}
}

// box returns the rectangle of all pixels of a colour, and their number.
func (p picture) box(c vcamera.RGB) (r image.Rectangle, n int) {
	r = image.Rectangle{Min: image.Pt(vcamera.Width, vcamera.Height), Max: image.Pt(-1, -1)}
	for y := range vcamera.Height {
		for x := range vcamera.Width {
			if p.is(x, y) != c {
				continue
			}
			n++
			r.Min.X, r.Min.Y = min(r.Min.X, x), min(r.Min.Y, y)
			r.Max.X, r.Max.Y = max(r.Max.X, x), max(r.Max.Y, y)
		}
	}
	return r, n
}

// project returns the pixel of a point of the world: an own reading of the facts, by package math.
func project(pose geom.Pose, x, y, z float64) (u, v float64) {
	sin, cos := math.Sincos(pose.Theta)
	dx, dy := x-pose.X, y-pose.Y
	ahead, left := cos*dx+sin*dy-0.030, cos*dy-sin*dx
	return 320.06 - 940.83*left/ahead, 223.64 - 942.66*(z-0.028)/ahead
}

func nearly(t testing.TB, what string, got int, want, tolerance float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > tolerance {
		t.Errorf("%s: %d, want %.1f ± %g", what, got, want, tolerance)
	}
}
