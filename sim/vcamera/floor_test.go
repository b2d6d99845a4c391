// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// floorScene is an open floor.
func floorScene(f *physics.Floor) *vcamera.Scene {
	return &vcamera.Scene{Light: 1, Floor: vcamera.NewFloor(f)}
}

// TestLineAcross: a line across the way has its edges where they are, to the pixel, near and far.
func TestLineAcross(t *testing.T) {
	for _, d := range []float64{0.16, 0.2, 0.3, 0.5, 0.8} {
		f := &physics.Floor{Bare: 0.9, Patches: []physics.Patch{physics.NewStripe(geom.Vec{X: d, Y: -1}, geom.Vec{X: d, Y: 1}, 0.02, 0.05)}}
		p := draw(t, floorScene(f), geom.Pose{}, vcamera.Development{})
		_, far := project(geom.Pose{}, d+0.01, 0, 0)
		_, nearEdge := project(geom.Pose{}, d-0.01, 0, 0)
		bright, _, _ := p.at(320, vcamera.Height-1)
		first, last := -1, -1
		for y := 240; y < vcamera.Height; y++ {
			if luma, _, _ := p.at(320, y); luma < bright/2 {
				if first < 0 {
					first = y
				}
				last = y
			}
		}
		nearly(t, "far edge", first, far, 1.5)
		nearly(t, "near edge", last, nearEdge, 1.5)
	}
}

// TestFloorOfEachKind: what the floor's own description says at a pixel's point is in the picture.
func TestFloorOfEachKind(t *testing.T) {
	cells := make([]byte, 60*40)
	for i := range cells {
		cells[i] = byte(i / 60 * 6)
	}
	floors := map[string]*physics.Floor{
		"bare":    {Bare: 0.5},
		"picture": {Bare: 1, Picture: &physics.Picture{Columns: 60, Rows: 40, Cell: 0.005, Origin: geom.Vec{X: 0.1, Y: -0.1}, Cells: cells}},
		"checker": {Bare: 1, Patches: []physics.Patch{physics.NewChecker(geom.Vec{X: 0.3}, geom.Vec{X: 0.4, Y: 0.4}, 0.03, 0.2)}},
		"ring":    {Bare: 0.9, Patches: []physics.Patch{physics.NewRing(geom.Vec{X: 0.3}, 0.08, 0.03, 0)}},
		"huge":    {Bare: 0.9, Patches: []physics.Patch{physics.NewStripe(geom.Vec{X: -900}, geom.Vec{X: 900}, 0.02, 0), physics.NewRing(geom.Vec{X: 0.3, Y: 900}, 0.08, 0.03, 0)}},
	}
	for name, f := range floors {
		p := draw(t, floorScene(f), geom.Pose{}, vcamera.Development{})
		empty := draw(t, &vcamera.Scene{Light: 1}, geom.Pose{}, vcamera.Development{})
		wrong, asked := 0, 0
		for y := 300; y < vcamera.Height; y += 23 {
			d := vcamera.FocalY * vcamera.LensHeight / (float64(y) - vcamera.CenterY)
			white, _, _ := empty.at(0, y)
			for x := 0; x < vcamera.Width; x += 37 {
				at := geom.Vec{X: vcamera.LensForward + d, Y: (vcamera.CenterX - float64(x)) / vcamera.FocalX * d}
				luma, _, _ := p.at(x, y)
				asked++
				if got := float64(luma) / float64(white); got < f.At(at)-0.12 || got > f.At(at)+0.12 {
					wrong++
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d pixels are wrong", name, wrong, asked)
		}
	}
}

// TestHorizon: the floor ends at the horizon, and what is far away fades.
func TestHorizon(t *testing.T) {
	p := draw(t, floorScene(&physics.Floor{Bare: 0.2}), geom.Pose{}, vcamera.Development{})
	sky, _, _ := p.at(320, 0)
	if _, u, v := p.at(320, 0); u <= v {
		t.Errorf("the sky is not blue: (%d, %d, %d)", sky, u, v)
	}
	last, _, _ := p.at(320, vcamera.Height-1)
	for y := vcamera.Height - 2; y > 224; y-- {
		luma, _, _ := p.at(320, y)
		if luma < last {
			t.Fatalf("row %d is darker than the nearer one: %d after %d", y, luma, last)
		}
		last = luma
	}
	above, _, _ := p.at(320, 222)
	nearly(t, "floor at the horizon", last, float64(above), 30)
}
