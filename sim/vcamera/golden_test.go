// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// everything is a scene with something of each kind.
func everything() *vcamera.Scene {
	floor := vcamera.NewFloor(&physics.Floor{Bare: 0.9, Patches: []physics.Patch{
		physics.NewChecker(geom.Vec{X: 0.4}, geom.Vec{X: 0.3, Y: 0.4}, 0.02, 0.4),
		physics.NewRing(geom.Vec{X: 0.3, Y: 0.05}, 0.08, 0.01, 0.1),
		physics.NewStripe(geom.Vec{X: 0.1, Y: -0.2}, geom.Vec{X: 0.6, Y: 0.1}, 0.02, 0.05),
	}})
	return &vcamera.Scene{
		Light: 1, Floor: floor,
		Things: []vcamera.Thing{
			{Shape: geom.NewBox(geom.Vec{X: 0.5, Y: 0.12}, geom.Vec{X: 0.12, Y: 0.08}, 0.5, 0.1), Colour: red},
			{Shape: geom.NewDisc(geom.Vec{X: 0.6, Y: -0.1}, 0.04, 0.06), Colour: green},
			{Shape: geom.NewBox(geom.Vec{X: 0.3, Y: -0.06}, geom.Vec{X: 0.03, Y: 0.02}, 1, 0.01), Colour: blue},
			{Shape: geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 2, Y: 1.6}, 0.1), Colour: vcamera.RGB{R: 200, G: 190, B: 180}},
		},
		Bodies: []vcamera.Body{{Pose: geom.Pose{X: 0.4, Y: 0.02, Theta: 2.4}, LEDs: [8]vcamera.RGB{{R: 255}, {}, {}, {}, {}, {}, {R: 255}, {B: 255}}}},
		Lamps:  []vcamera.Lamp{{Position: geom.Vec{X: 0.7, Y: 0.05}, Height: 0.15, Intensity: 0.05}},
	}
}

// TestGolden: the same pixels on every processor. After a change that is meant, look at the pictures (-keep) before the
// new numbers go in here.
func TestGolden(t *testing.T) {
	for what, c := range map[string]struct {
		pose geom.Pose
		dev  vcamera.Development
		want uint32
	}{
		"ahead":   {geom.Pose{}, vcamera.Development{}, 0x119a00a9},
		"turned":  {geom.Pose{X: 0.1, Y: -0.3, Theta: 1}, vcamera.Development{}, 0x13a35e82},
		"behind":  {geom.Pose{X: 0.9, Y: 0.1, Theta: math.Pi}, vcamera.Development{}, 0xb174fc18},
		"mirror":  {geom.Pose{}, vcamera.Development{Mirror: true, Flip: true, Gain: 2, Exposure: 15e6}, 0xcd5dd93a},
		"swapped": {geom.Pose{}, vcamera.Development{Swapped: true, Red: 1.5, Green: 1, Blue: 0.5}, 0x70df0f3a},
		"bars":    {geom.Pose{}, vcamera.Development{Bars: true}, 0xa32205c5},
	} {
		if got := draw(t, everything(), c.pose, c.dev).hash(); got != c.want {
			t.Errorf("%s: %#08x, want %#08x", what, got, c.want)
		}
	}
}

// TestAgain: a renderer that has drawn other things before draws the same.
func TestAgain(t *testing.T) {
	r, p := vcamera.NewRenderer(), make(picture, vcamera.FrameSize)
	s := everything()
	want := draw(t, everything(), geom.Pose{}, vcamera.Development{}).hash()
	r.Render(p, s, geom.Pose{X: 0.9, Theta: 2}, vcamera.Development{Gain: 3})
	r.Render(p, &vcamera.Scene{}, geom.Pose{}, vcamera.Development{})
	if r.Render(p, s, geom.Pose{}, vcamera.Development{}); p.hash() != want {
		t.Errorf("%#08x after others, want %#08x", p.hash(), want)
	}
}

// TestNoAllocation: no memory per frame.
func TestNoAllocation(t *testing.T) {
	r, p, s := vcamera.NewRenderer(), make(picture, vcamera.FrameSize), everything()
	r.Render(p, s, geom.Pose{}, vcamera.Development{})
	if n := testing.AllocsPerRun(3, func() { r.Render(p, s, geom.Pose{}, vcamera.Development{Mirror: true, Flip: true}) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// TestManyThings: as many as a world may have.
func TestManyThings(t *testing.T) {
	s := &vcamera.Scene{Light: 1}
	for i := range 2000 {
		s.Things = append(s.Things, vcamera.Thing{Shape: geom.NewDisc(geom.Vec{X: 0.3 + float64(i)*0.01, Y: float64(i%7) * 0.02}, 0.01, 0.1), Colour: red})
	}
	if _, n := draw(t, s, geom.Pose{}, vcamera.Development{}).box(red); n == 0 {
		t.Error("nothing to be seen")
	}
}

// BenchmarkRender draws frames of an empty floor, of a few things in an arena, and of everything with a floor full of
// edges; 15 frames/s leave 67 ms for one. The share of a core at that rate comes with it.
func BenchmarkRender(b *testing.B) {
	arena := everything()
	arena.Floor = nil
	for _, c := range []struct {
		name  string
		scene *vcamera.Scene
	}{{"open floor", &vcamera.Scene{Light: 1}}, {"arena", arena}, {"painted floor", everything()}} {
		b.Run(c.name, func(b *testing.B) {
			r, p := vcamera.NewRenderer(), make(picture, vcamera.FrameSize)
			b.ReportAllocs()
			for b.Loop() {
				r.Render(p, c.scene, geom.Pose{}, vcamera.Development{})
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)*vcamera.FrameRate/1e4, "%core@15Hz")
		})
	}
}
