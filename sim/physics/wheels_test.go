// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// TestUnequalWheelsBend: a robot whose right wheel is larger drives a circle to the left.
func TestUnequalWheelsBend(t *testing.T) {
	s := open()
	b := physics.NewBody(geom.Pose{}, 0.055)
	b.SetWheels(0.0197, 0.0203, 0, 0, noise.New(1))
	for range 2000 {
		b.Move(s, nil, 1, 1)
	}
	l, r := 2*math.Pi*0.0197, 2*math.Pi*0.0203
	turn := (r - l) / 0.055
	radius := (l + r) / 2 / turn
	near(t, "theta", b.Pose().Theta, turn, 1e-9)
	near(t, "x", b.Pose().X, radius*math.Sin(turn), 1e-6)
	near(t, "y", b.Pose().Y, radius*(1-math.Cos(turn)), 1e-6)
	b.Place(geom.Pose{Theta: 1})
	b.Move(s, nil, 0, 0)
	near(t, "theta after being put down", b.Pose().Theta, 1, 1e-12)
	v, omega := b.Twist(1000, 1000)
	near(t, "speed", v, (l+r)/2, 1e-12)
	near(t, "turning speed", omega, turn, 1e-12)
}

// TestWheelsAsDrawnMakeNoDifference: the same radii by SetWheels and without it.
func TestWheelsAsDrawnMakeNoDifference(t *testing.T) {
	s := open()
	a, b := physics.NewBody(geom.Pose{}, 0.05685), physics.NewBody(geom.Pose{}, 0.05685)
	b.SetWheels(physics.WheelRadius, physics.WheelRadius, 0, 0, noise.New(1))
	for i := range 5000 {
		l, r := int64(i%3), int64(i%5)-1
		a.Move(s, nil, l, r)
		b.Move(s, nil, l, r)
	}
	near(t, "x", b.Pose().X, a.Pose().X, 1e-9)
	near(t, "y", b.Pose().Y, a.Pose().Y, 1e-9)
	near(t, "theta", b.Pose().Theta, a.Pose().Theta, 1e-9)
}

// TestVariedSensors: gains differ, reach differs, and with Vary left out nothing does.
func TestVariedInertia(t *testing.T) {
	in := physics.NewInertia(noise.New(1), true)
	a0 := in.Acceleration(physics.Motion{}, physics.Attitude{}, 0)
	m0 := in.Magnetic(physics.Vec3{20e-6, 0, -40e-6}, 0, physics.Attitude{})
	in.Vary(0.02, noise.New(2))
	accel, gyro, field := in.Wrong()
	a1 := in.Acceleration(physics.Motion{}, physics.Attitude{}, 0)
	for i := range 3 {
		near(t, "acceleration", a1[i], accel[i][2]*a0[2], 1e-12)
	}
	w := in.Rotation(physics.Motion{Omega: 2}, physics.Attitude{}, 0)
	near(t, "rotation", w[2], 2*gyro[2][2], 1e-12)
	if m1 := in.Magnetic(physics.Vec3{20e-6, 0, -40e-6}, 0, physics.Attitude{}); m1 == m0 || field[0][0] == 1 {
		t.Error("the field did not change")
	}
}
