// SPDX-License-Identifier: Apache-2.0

package wheels_test

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// spin turns a robot near a wall and records one of its sensors.
func spin(truth wheels.Geometry, turns, wall float64, sensor int, seed uint64) []wheels.SpinReading {
	var walls []geom.Shape
	if wall > 0 {
		walls = append(walls, geom.NewBox(geom.Vec{X: 0.037 + wall + 0.005}, geom.Vec{X: 0.01, Y: 1}, 0, 0.1))
	}
	s := physics.NewScene(walls, nil, 1)
	b := physics.NewBody(geom.Pose{Theta: 0.4}, truth.Distance)
	b.SetWheels(truth.Left, truth.Right, 0, 0, noise.New(seed))
	eyes := physics.NewEyes(noise.New(seed), false)
	var out []wheels.SpinReading
	var ambient, delta [8]uint16
	total := int64(turns * 2 * math.Pi * truth.Distance / 2 / physics.HalfStep)
	for i, at := int64(0), int64(0); at < total; i++ { // 20 Hz at 1 rad/s: 22 half steps
		b.Move(s, nil, -22, 22)
		at += 22
		eyes.Measure(s, b.Pose(), nil, false, i*5, &ambient, &delta)
		out = append(out, wheels.SpinReading{Angle: 2 * float64(at>>1) * step, Value: float64(delta[sensor])})
	}
	return out
}

// TestSpin: five turns near a wall determine distance over radius to 0.1 %, without a ruler.
func TestSpin(t *testing.T) {
	n := wheels.Nominal()
	inside := 0
	seeds := uint64(12)
	if !suite.Long { // on an emulated processor
		seeds = 5
	}
	for seed := range seeds {
		truth := varied(seed)
		want := truth.Distance / truth.Radius()
		got, err := wheels.Spin(spin(truth, 5.3, 0.02, int(seed%8), seed), n.Distance/n.Radius())
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		e := got.DistanceOverRadius/want - 1
		if math.Abs(e) > 0.001 {
			t.Errorf("seed %d: off by %.3f %% ± %.3f %%", seed, 100*e, 100*got.Interval/want)
		}
		if math.Abs(e) <= got.Interval/want {
			inside++
		}
		if math.Abs(got.Turns-5.3) > 0.1 {
			t.Errorf("seed %d: %.3f turns", seed, got.Turns)
		}
		t.Logf("off by %.4f %% ± %.4f %%, repeats %.2f", 100*e, 100*got.Interval/want, got.Repeats)
	}
	if inside < int(seeds)*10/12 {
		t.Errorf("%d of %d intervals hold the truth", inside, seeds)
	}
}

func TestSpinRefuses(t *testing.T) {
	n := wheels.Nominal()
	q := n.Distance / n.Radius()
	far := spin(n, 5, 0, 0, 1)
	moving := spin(n, 5, 0.02, 0, 1)
	for i := range moving { // the wall is shifted
		moving[i].Value = 200 + 100*math.Sin(float64(i*i)/700)
	}
	for name, s := range map[string][]wheels.SpinReading{
		"nothing": nil, "no wall": far, "one turn": spin(n, 1.5, 0.02, 0, 1), "something that moves": moving,
	} {
		if got, err := wheels.Spin(s, q); !errors.Is(err, wheels.ErrData) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
