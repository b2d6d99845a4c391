// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// drawScene draws any scene, sensible or not: things may overlap each other and the camera.
func drawScene(t *rapid.T) *vcamera.Scene {
	coord, length := rapid.Float64Range(-1, 1), rapid.Float64Range(1e-4, 0.5)
	vec := func(name string) geom.Vec { return geom.Vec{X: coord.Draw(t, name), Y: coord.Draw(t, name)} }
	colour := func() vcamera.RGB {
		return vcamera.RGB{R: rapid.Byte().Draw(t, "r"), G: rapid.Byte().Draw(t, "g"), B: rapid.Byte().Draw(t, "b")}
	}
	s := &vcamera.Scene{Light: rapid.Float64Range(0, 100).Draw(t, "light"), Aloft: rapid.IntRange(0, 9).Draw(t, "aloft") == 0}
	for range rapid.IntRange(0, 6).Draw(t, "things") {
		size, height := geom.Vec{X: length.Draw(t, "w"), Y: length.Draw(t, "d")}, length.Draw(t, "h")
		shape := geom.NewDisc(vec("at"), size.X, height)
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			shape = geom.NewBox(vec("at"), size, coord.Draw(t, "yaw"), height)
		case 1:
			shape = geom.NewEnclosure(vec("at"), size.Scale(6), height)
		}
		s.Things = append(s.Things, vcamera.Thing{Shape: shape, Colour: colour()})
	}
	for range rapid.IntRange(0, 2).Draw(t, "boards") {
		b := vcamera.Board{Middle: vec("board"), Height: coord.Draw(t, "height"), Yaw: 3 * coord.Draw(t, "yaw"), Tilt: 3 * coord.Draw(t, "tilt"), Roll: 3 * coord.Draw(t, "roll")}
		b.Cols, b.Rows, b.Square, b.Plain = rapid.IntRange(3, 40).Draw(t, "cols"), rapid.IntRange(3, 40).Draw(t, "rows"), length.Draw(t, "square"), rapid.Bool().Draw(t, "plain")
		s.Boards = append(s.Boards, b)
	}
	for range rapid.IntRange(0, 3).Draw(t, "bodies") {
		at := vec("body")
		b := vcamera.Body{Pose: geom.Pose{X: at.X, Y: at.Y, Theta: 3 * coord.Draw(t, "theta")}}
		for i := range b.LEDs {
			b.LEDs[i] = colour()
		}
		s.Bodies = append(s.Bodies, b)
	}
	for range rapid.IntRange(0, 2).Draw(t, "lamps") {
		s.Lamps = append(s.Lamps, vcamera.Lamp{Position: vec("lamp"), Height: length.Draw(t, "height")})
	}
	if rapid.Bool().Draw(t, "floor") {
		s.Floor = vcamera.NewFloor(&physics.Floor{Bare: rapid.Float64Range(0, 1).Draw(t, "bare"), Patches: []physics.Patch{
			physics.NewStripe(vec("from"), vec("to"), length.Draw(t, "width"), rapid.Float64Range(0, 1).Draw(t, "paint")),
			physics.NewRing(vec("ring"), length.Draw(t, "radius"), length.Draw(t, "width"), rapid.Float64Range(0, 1).Draw(t, "paint")),
		}})
	}
	return s
}

// TestAnyScene: whatever there is to be seen and however the sensor is set up, every byte of the frame is written, and
// the same each time.
func TestAnyScene(t *testing.T) {
	first, again := vcamera.NewRenderer(), vcamera.NewRenderer()
	a, b := make(picture, vcamera.FrameSize), bytes.Repeat([]byte{0xA5}, vcamera.FrameSize)
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		pose := geom.Pose{X: rapid.Float64Range(-1, 1).Draw(t, "x"), Y: rapid.Float64Range(-1, 1).Draw(t, "y"), Theta: rapid.Float64Range(-3, 3).Draw(t, "theta")}
		d := vcamera.Development{
			Mirror: rapid.Bool().Draw(t, "mirror"), Flip: rapid.Bool().Draw(t, "flip"), Swapped: rapid.Bool().Draw(t, "swapped"),
			Exposure: time.Duration(rapid.IntRange(0, 66e6).Draw(t, "exposure")), Gain: rapid.Float64Range(0, 32).Draw(t, "gain"),
			Red: rapid.Float64Range(0, 4).Draw(t, "red"), Bars: rapid.IntRange(0, 9).Draw(t, "bars") == 0,
		}
		for i := range a {
			a[i] = 0x5A
		}
		first.Render(a, s, pose, d)
		if again.Render(b, s, pose, d); !bytes.Equal(a, b) {
			t.Fatal("two renderers draw two pictures")
		}
	})
}

// TestAnySensor: whatever is in the sensor's registers, what the FT903 makes of it can be drawn, or is nothing.
func TestAnySensor(t *testing.T) {
	r, p := vcamera.NewRenderer(), make(picture, vcamera.FrameSize)
	rapid.Check(t, func(t *rapid.T) {
		c := vcamsensor.NewOV7670(nil)
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			c.Receive([]byte{rapid.Byte().Draw(t, "register"), rapid.Byte().Draw(t, "value")})
		}
		d, rate := vcamera.Develop(c.Output())
		if !(rate >= 0 && rate <= vcamera.FrameRate) || rate == 0 && d != (vcamera.Development{}) {
			t.Fatalf("%+v at %g frames/s", d, rate)
		}
		r.Render(p, &vcamera.Scene{Light: 1}, geom.Pose{}, d)
	})
}

// TestFloorIsTheGround: a floor that remembers what it has seen answers as the ground does, in whatever order it is
// asked. Where it differs, an edge of paint is less than a millimetre away.
func TestFloorIsTheGround(t *testing.T) {
	r, p := vcamera.NewRenderer(), make(picture, vcamera.FrameSize)
	r.Render(p, &vcamera.Scene{Light: 1}, geom.Pose{}, vcamera.Development{})
	bright, _, _ := p.at(0, vcamera.Height-1)
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-0.3, 0.3)
		vec := func() geom.Vec { return geom.Vec{X: coord.Draw(t, "x"), Y: coord.Draw(t, "y")} }
		ground := &physics.Floor{Bare: 1, Patches: []physics.Patch{
			physics.NewStripe(vec(), vec(), rapid.Float64Range(0.003, 0.05).Draw(t, "width"), 0),
			physics.NewChecker(vec(), geom.Vec{X: 0.2, Y: 0.1}, rapid.Float64Range(0.005, 0.05).Draw(t, "cell"), 0.5),
		}}
		s := &vcamera.Scene{Light: 1, Floor: vcamera.NewFloor(ground)}
		r.Render(p, s, geom.Pose{}, vcamera.Development{})
		y := vcamera.Height - 1 - rapid.IntRange(0, 100).Draw(t, "row")
		d := vcamera.FocalY * vcamera.LensHeight / (float64(y) - vcamera.CenterY)
		for x := 0; x < vcamera.Width; x += 16 {
			at := geom.Vec{X: vcamera.LensForward + d, Y: (vcamera.CenterX - float64(x)) / vcamera.FocalX * d}
			luma, _, _ := p.at(x, y)
			if got := float64(luma) / float64(bright); math.Abs(got-ground.At(at)) > 0.15 && !edgeNear(ground, at) {
				t.Fatalf("(%d, %d): %.2f, the ground is %.2f", x, y, got, ground.At(at))
			}
		}
	})
}

// edgeNear reports whether there is another colour within a millimetre.
func edgeNear(f *physics.Floor, at geom.Vec) bool {
	for i := range 16 {
		if f.At(at.Add(geom.Direction(float64(i)*math.Pi/8).Scale(0.001))) != f.At(at) {
			return true
		}
	}
	return false
}
