// SPDX-License-Identifier: Apache-2.0

package wheels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

const step = 2 * math.Pi / 1000 // rad, what the robot counts

// robot is the simulated robot's body, driven by its motors as the drawing's geometry says.
type robot struct {
	body  *physics.Body
	scene *physics.Scene
	half  [2]int64 // half steps since the start
	every int64    // half steps between two readings
	turns []wheels.Turn
}

func newRobot(g wheels.Geometry, slip float64, seed uint64) *robot {
	b := physics.NewBody(geom.Pose{}, g.Distance)
	b.SetWheels(g.Left, g.Right, slip, 0.01, noise.New(seed))
	every := int64(50)
	if !suite.Long { // on an emulated processor: as exact, arcs are exact
		every = 500
	}
	return &robot{every: every, body: b, scene: physics.NewScene(nil, nil, 1)}
}

// drive turns the wheels by so many rad, a reading every 25 steps.
func (r *robot) drive(left, right float64) {
	l, rt := int64(math.Round(2*left/step)), int64(math.Round(2*right/step))
	n := max(abs(l), abs(rt))
	full := func(v int64) float64 { return float64(v>>1) * step }
	read := r.half
	for i := int64(0); i < n; i += 10 {
		next := min(i+10, n)
		dl, dr := l*next/n-l*i/n, rt*next/n-rt*i/n
		r.half[0] += dl
		r.half[1] += dr
		r.body.Move(r.scene, nil, dl, dr)
		if next%r.every == 0 || next == n { // the robot stops between two legs
			r.turns = append(r.turns, wheels.Turn{Left: full(r.half[0]) - full(read[0]), Right: full(r.half[1]) - full(read[1])})
			read = r.half
		}
	}
}

func abs(v int64) int64 { return max(v, -v) }

// forward and turn drive by odometry with a geometry.
func (r *robot) forward(g wheels.Geometry, d float64) { r.drive(d/g.Left, d/g.Right) }
func (r *robot) turn(g wheels.Geometry, a float64) {
	r.drive(-a*g.Distance/2/g.Left, a*g.Distance/2/g.Right)
}

// run puts the robot down, drives, and gives what was recorded.
func (r *robot) run(name string, kind wheels.Kind, g wheels.Geometry, way func()) wheels.Run {
	r.body.Place(geom.Pose{})
	r.turns = nil
	way()
	p := r.body.Pose()
	return wheels.Run{Name: name, Kind: kind, Turns: r.turns, End: wheels.Pose{X: p.X, Y: p.Y, Theta: p.Theta}, Position: true}
}

// square drives a square of a side; sign 1 is to the left.
func (r *robot) square(g wheels.Geometry, side, sign float64) {
	for range 4 {
		r.forward(g, side)
		r.turn(g, sign*math.Pi/2)
	}
}

// protocol drives n squares both ways and two straight runs of 0.5 m.
func (r *robot) protocol(n int, side float64) []wheels.Run {
	g := wheels.Nominal()
	var runs []wheels.Run
	for i := range n {
		runs = append(runs,
			r.run(fmt.Sprintf("ccw %d", i+1), wheels.CCW, g, func() { r.square(g, side, 1) }),
			r.run(fmt.Sprintf("cw %d", i+1), wheels.CW, g, func() { r.square(g, side, -1) }))
	}
	for i := range 2 {
		runs = append(runs, r.run(fmt.Sprintf("straight %d", i+1), wheels.Straight, g, func() { r.forward(g, 0.5) }))
	}
	return runs
}

// blur makes reading errors.
func blur(runs []wheels.Run, sigma float64, rng *rand.Rand) []wheels.Run {
	for i := range runs {
		runs[i].End.X += sigma * rng.NormFloat64()
		runs[i].End.Y += sigma * rng.NormFloat64()
	}
	return runs
}

// varied is a robot with radii within ±1.5 % and a distance within −3 % of the drawing, drawn from the seed.
func varied(seed uint64) wheels.Geometry {
	rng := rand.New(rand.NewPCG(seed, 99))
	n := wheels.Nominal()
	u := func() float64 { return 2*rng.Float64() - 1 }
	return wheels.Geometry{Left: n.Left * (1 + 0.015*u()), Right: n.Right * (1 + 0.015*u()), Distance: n.Distance * (1 - 0.03*rng.Float64())}
}

// errorsOf are the relative errors of left radius, right radius and distance.
func errorsOf(got, want wheels.Geometry) [3]float64 {
	return [3]float64{got.Left/want.Left - 1, got.Right/want.Right - 1, got.Distance/want.Distance - 1}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
