// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Gravity is the standard acceleration of free fall, m/s².
const Gravity = 9.80665

// Vec3 is a vector in the robot's frame (x forward, y left, z up) or in that of
// the world (x east, y north, z up).
type Vec3 [3]float64

// Attitude is how far the robot leans: first rolled by Roll about the x axis,
// then pitched by Pitch about the y axis, rad, right-handed as in REP 103:
// positive roll lifts the left side, positive pitch lowers the nose.
type Attitude struct{ Roll, Pitch float64 }

// ToRobot returns a vector of the world, already turned by the heading, in the
// frame of a robot that leans.
func (a Attitude) ToRobot(v Vec3) Vec3 {
	pitch, roll := geom.Direction(a.Pitch), geom.Direction(a.Roll)
	xz := geom.Vec{X: v[0], Y: v[2]}.Rotate(pitch) // Ry(−pitch) in the x-z plane
	yz := geom.Vec{X: v[1], Y: xz.Y}.Unrotate(roll)
	return Vec3{xz.X, yz.X, yz.Y}
}

// stiffness is the share of a difference of speed that the body takes over in
// one step of 1 ms: tyres and gears give way, so a motor's jump of speed
// reaches the body within about 8 ms. Plausible.
const stiffness = 1.0 / 8

// still is the speed (m/s, rad/s) under which the body counts as settled.
const still = 1e-5

// Motion is the movement of a body as inertial sensors feel it. The zero value
// stands still. It is not safe for concurrent use.
type Motion struct {
	// V is the speed forward, m/s, Omega the turning speed, rad/s, A the
	// acceleration forward, m/s².
	V, Omega, A float64
}

// Step lets 1 ms pass in which the wheels and what is in the way make the
// speeds v (m/s) and omega (rad/s).
func (m *Motion) Step(v, omega float64) {
	dv := float64((v - m.V) * stiffness)
	m.V += dv
	m.Omega += float64((omega - m.Omega) * stiffness)
	m.A = dv * 1000
	if v == 0 && math.Abs(m.V) < still {
		m.V, m.A = 0, 0
	}
	if omega == 0 && math.Abs(m.Omega) < still {
		m.Omega = 0
	}
}

// lagCycle is what is left of a difference of speed after the ten steps of an infrared cycle.
const lagCycle = (1 - stiffness) * (1 - stiffness) * (1 - stiffness) * (1 - stiffness) * (1 - stiffness) *
	(1 - stiffness) * (1 - stiffness) * (1 - stiffness) * (1 - stiffness) * (1 - stiffness)

// Cycle advances by an infrared cycle in which the speeds are v (m/s) and omega (rad/s): ten calls of Step, but for
// rounding.
func (m *Motion) Cycle(v, omega float64) {
	switch {
	case *m == Motion{} && v == 0 && omega == 0:
		return
	case v == 0 && math.Abs(m.V) < still && omega == 0 && math.Abs(m.Omega) < still:
		*m = Motion{}
		return
	}
	behind := float64((v - m.V) * lagCycle)
	m.A = float64(behind * (stiffness / (1 - stiffness) * 1000))
	m.V = v - behind
	m.Omega = omega - float64((omega-m.Omega)*lagCycle)
}

// Settled reports whether the body is at rest and Step(0, 0) changes nothing.
func (m *Motion) Settled() bool { return *m == Motion{} }

const (
	accelShake = 0.5  // standard deviation for each m/s driven, 1/s; plausible
	gyroShake  = 0.01 // the same, rad/m; plausible
	ironBias   = 1e-6 // T, greatest; the robot's own magnetism, plausible
)

// Inertia is what the body of one robot does to inertial and magnetic sensors:
// the motors shake it and it is a little magnetic. Bias and noise are the sensors'
// own, wrong scales and axes are here (see Vary). It does not change and is safe for concurrent use.
type Inertia struct {
	accel, gyro [3]noise.Source
	iron        Vec3
	quiet       bool

	accelOff, gyroOff, fieldOff *matrix // wrong scales and axes; nil: right
}

// NewInertia returns one robot's body; src gives its shaking and magnetism. A
// quiet one does not shake.
func NewInertia(src noise.Source, quiet bool) *Inertia {
	in := &Inertia{quiet: quiet}
	for i := range 3 {
		axis := src.Stream(uint64(i))
		in.accel[i], in.gyro[i] = axis.Named("accel"), axis.Named("gyro")
		in.iron[i] = float64(ironBias * (float64(2*axis.Named("magnet").Float64(0)) - 1))
	}
	return in
}

// Iron returns the robot's own magnetic field, T.
func (in *Inertia) Iron() Vec3 { return in.iron }

// Acceleration returns the specific force at instant n, m/s²: at rest gravity's
// reaction, upwards.
func (in *Inertia) Acceleration(m Motion, a Attitude, n uint64) Vec3 {
	v := a.ToRobot(Vec3{0, 0, Gravity})
	v[0] += m.A
	v[1] += float64(m.V * m.Omega) // towards the inside of a curve
	return in.shake(in.accelOff.apply(v), &in.accel, float64(accelShake*math.Abs(m.V)), n)
}

// Rotation returns the angular velocity at instant n, rad/s.
func (in *Inertia) Rotation(m Motion, a Attitude, n uint64) Vec3 {
	return in.shake(in.gyroOff.apply(a.ToRobot(Vec3{0, 0, m.Omega})), &in.gyro, float64(gyroShake*math.Abs(m.V)), n)
}

// Magnetic returns the magnetic flux density, T, for a robot with a heading
// (rad) in the world's field.
func (in *Inertia) Magnetic(field Vec3, heading float64, a Attitude) Vec3 {
	flat := geom.Vec{X: field[0], Y: field[1]}.Unrotate(geom.Direction(heading))
	v := in.fieldOff.apply(a.ToRobot(Vec3{flat.X, flat.Y, field[2]}))
	for i := range v {
		v[i] += in.iron[i]
	}
	return v
}

func (in *Inertia) shake(v Vec3, src *[3]noise.Source, sigma float64, n uint64) Vec3 {
	if in.quiet || sigma == 0 {
		return v
	}
	for i := range v {
		v[i] += float64(sigma * src[i].Normal(n))
	}
	return v
}
