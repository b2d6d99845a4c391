// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// TestSlipGrowsWithTheRootOfTheWay: over 2000 wheels the error has mean 0 and, from a few correlation lengths on, the
// standard deviation deviation·√way; within one length it is proportional to the way.
func TestSlipGrowsWithTheRootOfTheWay(t *testing.T) {
	const deviation, length, wheels = 0.002, 0.01, 2000
	for _, way := range []float64{0.005, 0.1, 0.4, 1.6, 6.4} {
		sum, squares := 0.0, 0.0
		for seed := range uint64(wheels) {
			s := physics.NewSlip(deviation, length, noise.New(seed))
			e := s.Way(way) - way
			sum, squares = sum+e, squares+e*e
		}
		want := deviation * math.Sqrt(way)
		if way < length {
			want = deviation / math.Sqrt(length) * way
		}
		name := fmt.Sprintf("after %g m", way)
		near(t, name+": mean", sum/wheels, 0, 4*want/math.Sqrt(wheels))
		near(t, name+": deviation", math.Sqrt(squares/wheels), want, 4*want/math.Sqrt(2*wheels))
	}
}

// TestSlipDoesNotDependOnSteps: however a way is cut into steps, forward or back, the wheel gets as far.
func TestSlipDoesNotDependOnSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.Float64Range(0.001, 0.1).Draw(t, "length")
		src := noise.New(rapid.Uint64().Draw(t, "seed"))
		whole, cut := physics.NewSlip(0.003, length, src), physics.NewSlip(0.003, length, src)
		total, way := 0.0, 0.0
		for _, step := range rapid.SliceOfN(rapid.Float64Range(0, 0.05), 1, 50).Draw(t, "steps") {
			total += step
			way += cut.Way(step)
		}
		if want := whole.Way(total); math.Abs(way-want) > 1e-9 {
			t.Fatalf("%g m in steps, %g m at once", way, want)
		}
	})
}

// TestBothLevelsSlipAlike: half steps one by one, as the firmware's motors make them, and whole cycles, as functional
// robots move, get to the same pose; so the distribution over the seeds is the same.
func TestBothLevelsSlipAlike(t *testing.T) {
	s := open()
	for seed := range uint64(20) {
		fine, coarse := physics.NewBody(geom.Pose{}, 0.05685), physics.NewBody(geom.Pose{}, 0.05685)
		for _, b := range []*physics.Body{fine, coarse} {
			b.SetWheels(0.0199, 0.0201, 0.002, 0.01, noise.New(seed))
		}
		const cycles, left, right = 800, 20, 18
		for range cycles {
			for i := range int64(left) {
				fine.Move(s, nil, 1, (i+1)*right/left-i*right/left)
			}
			coarse.Glide(s, nil, left, right)
		}
		a, b := fine.Pose(), coarse.Pose()
		name := fmt.Sprintf("seed %d", seed)
		near(t, name+": x", a.X, b.X, 5e-4) // what one half step before the other turns; the seeds differ by 0.05
		near(t, name+": y", a.Y, b.Y, 5e-4)
		near(t, name+": heading", math.Remainder(a.Theta-b.Theta, 2*math.Pi), 0, 1e-9)
	}
}
