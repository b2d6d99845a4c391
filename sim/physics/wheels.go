// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// wheels are those of a robot that differs from the drawing.
type wheels struct {
	way    [2]float64 // of half a step of the left and the right wheel, m
	turned [2]int64   // half steps since base was the heading
	slips  bool
	slip   [2]Slip
}

// SetWheels gives the body wheels of two radii (m) whose ways have a standard deviation (m) after 1 m, with a
// correlation length (m): see [Slip]. It goes before the first Move.
func (b *Body) SetWheels(left, right, deviation, length float64, dice noise.Source) {
	w := &wheels{slips: deviation > 0}
	for i, r := range [2]float64{left, right} {
		w.way[i] = float64(HalfStep*r) / WheelRadius
		w.slip[i] = NewSlip(deviation, length, dice.Stream(uint64(i)))
	}
	b.wheels = w
}

// roll returns how far the wheels roll while their motors turn by so many half steps, m.
func (w *wheels) roll(left, right float64) (l, r float64) {
	return w.slip[0].Way(float64(left * w.way[0])), w.slip[1].Way(float64(right * w.way[1]))
}

// Twist returns the speed forward (m/s) and the turning speed (rad/s) that wheels make which turn at so many steps a
// second and meet nothing.
func (b *Body) Twist(left, right float64) (v, omega float64) {
	if b.wheels == nil {
		const perStep = 2 * HalfStep
		return float64((left + right) / 2 * perStep), float64((right-left)*perStep) / b.wheelDistance
	}
	l, r := float64(2*left*b.wheels.way[0]), float64(2*right*b.wheels.way[1])
	return (l + r) / 2, (r - l) / b.wheelDistance
}

// moveUneven is Move for wheels that are not as drawn. Those that do not slip keep the sum of their half steps.
func (b *Body) moveUneven(s *Scene, others *Others, left, right int64) {
	w := b.wheels
	if w.slips {
		b.arc(s, others, float64(left), float64(right))
		return
	}
	before := b.theta
	w.turned[0] += left
	w.turned[1] += right
	turned := float64(float64(w.turned[1])*w.way[1]) - float64(float64(w.turned[0])*w.way[0])
	b.theta = geom.WrapAngle(b.base + turned/b.wheelDistance)
	l, r := w.roll(float64(left), float64(right))
	half := float64((r - l) / b.wheelDistance / 2)
	chord := Chord((l+r)/2, half)
	if chord != 0 {
		b.shift(s, others, b.facing.of(before+half).Scale(chord), chord, 2*half)
	}
}

// variation of the inertial sensors: how much more than their spread the robot is magnetic, T for each share.
const ironPerShare = 1e-3

// matrix turns the true value into what a sensor with wrong scale and axes measures.
type matrix [3][3]float64

func (m *matrix) apply(v Vec3) Vec3 {
	if m == nil {
		return v
	}
	var out Vec3
	for i := range out {
		for j := range v {
			out[i] += float64(m[i][j] * v[j])
		}
	}
	return out
}

// Vary gives the inertial and magnetic sensors wrong scales and axes, off by random shares within ±spread, and makes
// the robot more magnetic. It goes before the first measurement.
func (in *Inertia) Vary(spread float64, dice noise.Source) {
	draw := func(name string) *matrix {
		m, n := new(matrix), uint64(0)
		for i := range m {
			for j := range m {
				m[i][j] = float64(spread * (float64(2*dice.Named(name).Float64(n)) - 1))
				n++
			}
			m[i][i] += 1
		}
		return m
	}
	in.accelOff, in.gyroOff, in.fieldOff = draw("accel axes"), draw("gyro axes"), draw("soft iron")
	for i := range in.iron {
		in.iron[i] += float64(float64(spread*ironPerShare) * (float64(2*dice.Named("hard iron").Float64(uint64(i))) - 1))
	}
}

// Wrong returns what Vary has made of scales and axes: a sensor measures its matrix times the true value. They are nil
// without it.
func (in *Inertia) Wrong() (accel, gyro, field *[3][3]float64) {
	return (*[3][3]float64)(in.accelOff), (*[3][3]float64)(in.gyroOff), (*[3][3]float64)(in.fieldOff)
}

// Vary gives each infrared sensor a gain and a reach of its own, with the standard deviations spread and spread/2 of
// their logarithms. It goes before the first measurement.
func (e *Eyes) Vary(spread float64, dice noise.Source) {
	for i := range e.gain {
		e.gain[i] = 1 + float64(spread*limited(dice.Named("gain").Normal(uint64(i))))
		e.reach[i] = 1 + float64(spread/2*limited(dice.Named("reach").Normal(uint64(i))))
	}
}

// limited keeps a normal number within two standard deviations.
func limited(v float64) float64 { return max(-2, min(2, v)) }

// Stretch returns by which factor the body moves farther than one with wheels as drawn, at the most.
func (b *Body) Stretch() float64 {
	w := b.wheels
	if w == nil {
		return 1
	}
	return max(1, float64(max(w.way[0], w.way[1])*max(w.slip[0].Most(), w.slip[1].Most()))/HalfStep)
}
