// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// TestAnyBox: for any place of a box, each pixel of its colour is within the projection of its corners, the pixel of a
// point of its front has its colour, and what is out of sight is not drawn.
func TestAnyBox(t *testing.T) {
	r := vcamera.NewRenderer()
	frame := make(picture, vcamera.FrameSize)
	rapid.Check(t, func(t *rapid.T) {
		pose := geom.Pose{
			X: rapid.Float64Range(-1, 1).Draw(t, "x"), Y: rapid.Float64Range(-1, 1).Draw(t, "y"),
			Theta: rapid.Float64Range(-3, 3).Draw(t, "theta"),
		}
		d, left := rapid.Float64Range(0.15, 2).Draw(t, "d"), rapid.Float64Range(-0.5, 0.5).Draw(t, "left")
		half := geom.Vec{X: rapid.Float64Range(0.005, 0.05).Draw(t, "a"), Y: rapid.Float64Range(0.005, 0.05).Draw(t, "b")}
		height := rapid.Float64Range(0.005, 0.15).Draw(t, "height")
		middle := pose.Transform(geom.Vec{X: d, Y: left})
		box := geom.NewBox(middle, half.Scale(2), pose.Theta, height)
		r.Render(frame, &vcamera.Scene{Light: 1, Things: []vcamera.Thing{{Shape: box, Colour: red}}}, pose, vcamera.Development{})
		got, n := frame.box(red)
		low, high := [2]float64{1e9, 1e9}, [2]float64{-1e9, -1e9}
		for i := range 8 {
			sign := func(bit int) float64 { return float64(i>>bit&1)*2 - 1 }
			p := pose.Transform(geom.Vec{X: d + sign(0)*half.X, Y: left + sign(1)*half.Y})
			u, v := project(pose, p.X, p.Y, float64(i>>2&1)*height)
			low, high = [2]float64{min(low[0], u), min(low[1], v)}, [2]float64{max(high[0], u), max(high[1], v)}
		}
		if n > 0 && (float64(got.Min.X) < low[0]-2 || float64(got.Max.X) > high[0]+2 || float64(got.Min.Y) < low[1]-1 || float64(got.Max.Y) > high[1]+1) {
			t.Fatalf("drawn within %v, projected within %v %v", got, low, high)
		}
		p := pose.Transform(geom.Vec{X: d - half.X, Y: left})
		u, v := project(pose, p.X, p.Y, height/2)
		inside := u > 4 && u < vcamera.Width-5 && v > 2 && v < vcamera.Height-3
		if wide := 940*half.Y/d > 4 && 940*height/d > 4 && fadeless(d); inside && wide && frame.is(int(math.Round(u)), int(math.Round(v))) != red {
			t.Fatalf("pixel (%.1f, %.1f) of its front is not red", u, v)
		}
	})
}

// fadeless reports whether a colour at a distance is still distinguishable in the haze.
func fadeless(d float64) bool { return d < 1.5 }

// TestRangesAgree: the row of a wall's foot yields its distance, in each column.
func TestRangesAgree(t *testing.T) {
	pose := geom.Pose{X: 0.1, Y: -0.2, Theta: 0.7}
	things := []vcamera.Thing{
		{Shape: geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 1, Y: 1.2}, 0.1), Colour: red},
		{Shape: geom.NewDisc(geom.Vec{X: 0.35, Y: 0.1}, 0.04, 0.1), Colour: red},
		{Shape: geom.NewBox(geom.Vec{X: 0.2, Y: 0.1}, geom.Vec{X: 0.02, Y: 0.1}, 0.4, 0.1), Colour: red},
	}
	p := draw(t, &vcamera.Scene{Light: 1, Things: things}, pose, vcamera.Development{})
	lens := pose.Transform(geom.Vec{X: vcamera.LensForward})
	for x := 1; x < vcamera.Width-1; x += 7 {
		slope := (vcamera.CenterX - float64(x)) / vcamera.FocalX
		ray := geom.Direction(pose.Theta).Add(geom.Direction(pose.Theta + math.Pi/2).Scale(slope))
		long := ray.Norm()
		truth := math.Inf(1)
		for _, thing := range things {
			if d, hit := thing.Shape.Ray(lens, ray.Scale(1/long)); hit {
				truth = min(truth, d)
			}
		}
		foot := vcamera.Height - 1
		for ; foot > 0 && p.is(x, foot) != red; foot-- {
		}
		if row := vcamera.CenterY + vcamera.FocalY*vcamera.LensHeight/(truth/long); row < vcamera.Height-1 {
			nearly(t, "foot", foot, row, 2.5)
		}
	}
}

// TestHidden: the nearer hides the farther except what is higher; a low thing shows its upper side.
func TestHidden(t *testing.T) {
	at := func(x, height float64, c vcamera.RGB) vcamera.Thing {
		return vcamera.Thing{Shape: geom.NewBox(geom.Vec{X: x}, geom.Vec{X: 0.02, Y: 0.1}, 0, height), Colour: c}
	}
	for _, c := range []struct {
		what         string
		things       []vcamera.Thing
		reds, greens bool
	}{
		{"the same height", []vcamera.Thing{at(0.3, 0.1, red), at(0.6, 0.1, green)}, true, false},
		{"listed the other way round", []vcamera.Thing{at(0.6, 0.1, green), at(0.3, 0.1, red)}, true, false},
		{"lower before higher", []vcamera.Thing{at(0.3, 0.03, red), at(0.6, 0.1, green)}, true, true},
		{"behind the robot", []vcamera.Thing{at(-0.3, 0.1, red), at(0.6, 0.1, green)}, false, true},
	} {
		p := draw(t, &vcamera.Scene{Light: 1, Things: c.things}, geom.Pose{}, vcamera.Development{})
		_, reds := p.box(red)
		_, greens := p.box(green)
		if reds > 0 != c.reds || greens > 0 != c.greens {
			t.Errorf("%s: %d red and %d green pixels", c.what, reds, greens)
		}
	}
	p := draw(t, &vcamera.Scene{Light: 1, Things: []vcamera.Thing{at(0.3, 0.01, red)}}, geom.Pose{}, vcamera.Development{})
	got, _ := p.box(red)
	_, far := project(geom.Pose{}, 0.31, 0, 0.01)
	_, foot := project(geom.Pose{}, 0.29, 0, 0)
	nearly(t, "far edge of the upper side", got.Min.Y, far, 1)
	nearly(t, "foot", got.Max.Y, foot, 1)
}

// TestRobotInView: another robot is as large as a robot, and its LEDs glow where they are.
func TestRobotInView(t *testing.T) {
	body := vcamera.Body{Pose: geom.Pose{X: 0.3, Theta: math.Pi - math.Pi/4}} // its LED 7, front left, faces us
	s := vcamera.Scene{Light: 1, Bodies: []vcamera.Body{body}}
	dark := draw(t, &s, geom.Pose{}, vcamera.Development{})
	if _, n := dark.box(blue); n != 0 {
		t.Errorf("%d blue pixels of LEDs that are off", n)
	}
	left, top := project(geom.Pose{}, 0.3, physics.BodyRadius, physics.BodyHeight)
	y, _, _ := dark.at(int(left)-6, 260)
	inside, _, _ := dark.at(int(left)+6, 260)
	if y == inside {
		t.Error("no edge where the body's is")
	}
	if _, u, v := dark.at(320, int(top)+8); u >= 128 || v >= 128 {
		t.Errorf("its upper board is green, not (%d, %d)", u, v)
	}
	for _, lit := range []int{7, 6, 0} {
		s.Bodies[0].LEDs = [8]vcamera.RGB{}
		s.Bodies[0].LEDs[lit] = blue
		got, n := draw(t, &s, geom.Pose{}, vcamera.Development{}).box(blue)
		if n == 0 {
			t.Fatalf("LED %d can't be seen", lit)
		}
		at := s.Bodies[0].Pose.Theta - float64(lit)*math.Pi/4
		u, v := project(geom.Pose{}, 0.3+physics.BodyRadius*math.Cos(at), physics.BodyRadius*math.Sin(at), 0.036)
		nearly(t, "LED's column", (got.Min.X+got.Max.X)/2, u, 6)
		nearly(t, "LED's row", (got.Min.Y+got.Max.Y)/2, v, 14)
	}
	s.Bodies[0].LEDs = [8]vcamera.RGB{3: blue} // on the far side
	if _, n := draw(t, &s, geom.Pose{}, vcamera.Development{}).box(blue); n != 0 {
		t.Errorf("%d pixels of a LED on the far side", n)
	}
}

// TestLamp: a lamp is a white ball that things hide.
func TestLamp(t *testing.T) {
	s := vcamera.Scene{Light: 1, Lamps: []vcamera.Lamp{{Position: geom.Vec{X: 0.5}, Height: 0.08, Intensity: 0.05}}}
	u, v := project(geom.Pose{}, 0.5, 0, 0.08)
	if y, _, _ := draw(t, &s, geom.Pose{}, vcamera.Development{}).at(int(u), int(v)); y < 240 {
		t.Errorf("a lamp of %d", y)
	}
	wall := func(x float64) []vcamera.Thing {
		return []vcamera.Thing{{Shape: geom.NewBox(geom.Vec{X: x}, geom.Vec{X: 0.01, Y: 1}, 0, 0.2), Colour: red}}
	}
	s.Things = wall(0.4)
	if y, _, _ := draw(t, &s, geom.Pose{}, vcamera.Development{}).at(int(u), int(v)); y > 200 {
		t.Errorf("a lamp of %d behind a wall", y)
	}
	s.Things = wall(0.6)
	if y, _, _ := draw(t, &s, geom.Pose{}, vcamera.Development{}).at(int(u), int(v)); y < 240 {
		t.Errorf("a lamp of %d before a wall", y)
	}
	s.Aloft = true
	if p := draw(t, &s, geom.Pose{}, vcamera.Development{}); p.is(320, 230) == red {
		t.Error("picked up, it sees the wall")
	}
}
