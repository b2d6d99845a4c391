// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/articulated"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// base is the drive: a row of wheels on the left, a row on the right.
type base struct {
	wheels             [2][]int `checkpoint:"-"` // joints
	radius, separation float64  `checkpoint:"-"` // m
	height             float64  `checkpoint:"-"` // of the axle over the root, m
	axle               geom.Vec `checkpoint:"-"` // its midpoint in the root's frame
	ahead              float64  `checkpoint:"-"` // direction of driving in the root's frame, rad
	maxWay             float64  `checkpoint:"-"` // upper bound of the root's movement in a cycle, m

	slip [2]physics.Slip // of each row
}

// fastest is the maximum speed of a body, m/s: others collide with its position of the cycle before.
const fastest = 1.9

// newBase finds the wheels of a description.
func newBase(desc *description.Robot, k *skeleton, joints []joint, v *world.Variation, dice noise.Source) (*base, error) {
	d := desc.Drive
	b := &base{radius: d.Radius, separation: d.Separation}
	var middle [2]geom.Vec
	for side, names := range [2][]string{d.Left, d.Right} {
		b.slip[side] = physics.NewSlip(v.Slip, v.SlipLength, dice.Stream(uint64(side)))
		for _, name := range names {
			i, known := k.joint[name]
			if !known || !joints[i].moves {
				return nil, fmt.Errorf("%w: wheel %q is no joint that moves by itself", ErrModel, name)
			}
			b.wheels[side] = append(b.wheels[side], i)
			joints[i].steps, joints[i].stepTimer = d.StepsPerTurn, d.StepTimer
			at := k.poses[k.link[desc.Joints[i].Child]].Position
			share := 1 / float64(len(names))
			middle[side] = middle[side].Add(geom.Vec{X: at.X, Y: at.Y}.Scale(share))
			b.height += float64(at.Z * share / 2)
			b.limit(d, &joints[i])
		}
	}
	b.axle = middle[0].Add(middle[1]).Scale(0.5)
	if across := middle[0].Sub(middle[1]); across.Norm() > 0 {
		b.ahead = geom.Angle(geom.Vec{X: across.Y, Y: -across.X})
	}
	return b, nil
}

// limit bounds a wheel's speed and acceleration by the description of the drive.
func (b *base) limit(d *description.Drive, j *joint) {
	j.most = min(j.most, fastest/d.Radius)
	if d.Speed > 0 {
		j.most = min(j.most, d.Speed/d.Radius)
	}
	if d.Acceleration > 0 {
		j.gain = d.Acceleration / d.Radius
	}
}

// bound computes the maximum movement of the root in a cycle, and slows wheels down that would exceed [mostWay]. The
// movement is largest if the wheels have the same or opposite speeds.
func (b *base) bound(joints []joint) {
	factor := float64(max(1, 2*b.axle.Norm()/b.separation) * max(b.slip[0].Most(), b.slip[1].Most()) * b.radius * pushed * dt)
	fastest := 0.0
	for _, row := range b.wheels {
		for _, i := range row {
			joints[i].most = min(joints[i].most, mostWay/factor)
			fastest = max(fastest, joints[i].most)
		}
	}
	b.maxWay = float64(fastest * factor)
}

const (
	dt = float64(kernel.CycleTime) / float64(time.Second)
	// mostWay is the maximum movement of any robot's root in a cycle, m.
	mostWay = 0.05
	// pushed is the maximum ratio of a movement with a push out of an obstacle to a free one.
	pushed = 1.5
)

// MaxWay implements articulated.Mechanism.
func (m *Machine) MaxWay() float64 {
	if m.base == nil {
		return 0
	}
	return m.base.maxWay
}

// slimmest is the minimum inradius of solids, m; thinner ones count as that thick.
const slimmest = 1e-3

// way returns the rolling speed of a row of wheels over dt seconds, m/s, forward
// positive.
func (b *base) way(joints []joint, side int, dt float64) float64 {
	sum := 0.0
	for _, i := range b.wheels[side] {
		sum += joints[i].velocity
	}
	v := float64(sum / float64(len(b.wheels[side])) * b.radius)
	return b.slip[side].Way(float64(v*dt)) / dt
}

// roll moves the body by the wheels' rotation in dt seconds.
func (m *Machine) roll(dt float64) {
	b := m.base
	left, right := b.way(m.joints, 0, dt), b.way(m.joints, 1, dt)
	v, omega := (left+right)/2, (right-left)/b.separation
	if v == 0 && omega == 0 {
		m.forward, m.turning = 0, 0
		return
	}
	before, theta := m.pose, m.pose.Theta
	parts, free := m.divide(v, omega, dt)
	if part := dt / float64(parts); free {
		m.arc(v, omega, part)
		m.contacting, m.forward, m.turning = false, v, omega
		return
	}
	hit, step := false, geom.Vec{}
	for range parts {
		at := m.pose
		step = step.Add(m.arc(v, omega, dt/float64(parts)))
		hit = m.contact(at, before.Position()) || hit
	}
	m.contacting = hit
	m.forward, m.turning = v, omega
	if !hit {
		return
	}
	made := m.pose.Transform(b.axle).Sub(before.Transform(b.axle))
	if step != (geom.Vec{}) {
		m.forward = float64(v * math.Max(0, math.Min(1, made.Dot(step)/step.Dot(step))))
	}
	m.turning = geom.WrapAngle(m.pose.Theta-theta) / dt
}

// divide returns the number of parts of a movement of dt seconds, so that no solid passes through an obstacle, and
// whether there is no obstacle within reach.
func (m *Machine) divide(v, omega, dt float64) (parts int, free bool) {
	v, omega = math.Abs(v), math.Abs(omega)
	way := float64((v + float64(omega*m.base.axle.Norm())) * dt)
	if m.env.Free(m.pose.Position(), m.reach+way) {
		return 1, true
	}
	rim := float64((v + float64(omega*(m.base.axle.Norm()+m.reach))) * dt)
	return int(math.Ceil(max(1, min(mostParts, rim/m.thin)))), false
}

// mostParts bounds how many parts a movement is divided into: solids are at least [slimmest] thick.
const mostParts = 32

// arc moves the body along its arc of dt seconds: see [physics.Chord]. The limits of wheels keep the angle below half a
// turn. It returns the axle's movement.
func (m *Machine) arc(v, omega, dt float64) (step geom.Vec) {
	b := m.base
	half := float64(omega * dt / 2)
	chord := physics.Chord(float64(v*dt), half)
	was := m.direction()
	axle := m.pose.Position().Add(b.axle.Rotate(was))
	turn := float64(omega * dt)
	m.pose.Theta = geom.WrapAngle(m.pose.Theta + turn)
	m.facing = geom.Vec{}
	if m.turns++; math.Abs(turn) < littleTurn && m.turns%turnsAtMost != 0 {
		m.facing = was.Rotate(little(turn))
	}
	now := m.direction()
	middle := was.Add(now) // between the two directions, not of length 1
	if b.ahead != 0 {
		middle = middle.Rotate(geom.Direction(b.ahead))
	}
	step = middle.Scale(chord / middle.Norm())
	at := axle.Add(step).Sub(b.axle.Rotate(now))
	m.pose.X, m.pose.Y = at.X, at.Y
	return step
}

const (
	// littleTurn is the maximum angle by which the root's direction is rotated, rad, instead of computed again.
	littleTurn = 0.1
	// turnsAtMost is the maximum number of successive rotations: it bounds the rounding error (TestLittleTurns).
	turnsAtMost = 64
)

// little returns the direction of an angle below littleTurn, by the first terms of the series.
func little(turn float64) geom.Vec {
	y := float64(turn * turn)
	sin := float64(turn * (1 - float64(y*(1-float64(y*(1-float64(y*(1.0/42)))*(1.0/20)))*(1.0/6))))
	cos := 1 - float64(y*(0.5-float64(y*(1.0/24-float64(y*(1.0/720-float64(y*(1.0/40320))))))))
	return geom.Vec{X: cos, Y: sin}
}

// contact ends a movement from a pose: it pushes the body out of obstacles, along which it slides and turns as friction
// allows, and reports whether it touches one.
func (m *Machine) contact(before geom.Pose, began geom.Vec) (hit bool) {
	wanted := m.pose
	hit, movable, at := m.clear(before, began)
	if !hit {
		return false
	}
	if movable { // the solver of pushing robots computes its friction
		m.lost = m.lost.Add(wanted.Position().Sub(m.pose.Position()))
		return true
	}
	if m.pose == before { // no way out
		return true
	}
	pushed := m.pose
	m.slip(before, wanted, at)
	if m.clear(before, began); m.pose == before { // no space for that
		m.pose, m.facing = pushed, geom.Vec{}
	}
	return true
}

// slip slides and turns the body at a contact with friction. The wheels would move it from the pose before to the pose
// wanted; it was pushed out of what it touches at the point at. See [physics.Chassis.Slip].
func (m *Machine) slip(before, wanted geom.Pose, at geom.Vec) {
	from, to, pushed := before.Transform(m.base.axle), wanted.Transform(m.base.axle), m.pose.Transform(m.base.axle)
	chassis := physics.Chassis{HalfTrack: m.base.separation / 2, Friction: m.env.Friction()}
	way, spin := chassis.Slip(to.Sub(from), geom.WrapAngle(wanted.Theta-before.Theta), to.Sub(pushed), at.Sub(pushed))
	if spin != 0 {
		m.pose.Theta, m.facing = geom.WrapAngle(m.pose.Theta+spin), geom.Vec{}
	}
	root := from.Add(way).Sub(m.base.axle.Rotate(m.direction()))
	m.pose.X, m.pose.Y = root.X, root.Y
}

// rounds bounds the iterations of clear: in a corner, leaving one wall may lead into another.
const rounds = 6

// clear pushes the body out of obstacles, and reports whether that was necessary, whether one of them is movable, and
// where it touches them, as the mean by depth. If there is no free position close enough to that at the cycle's start,
// the body stays at before and its wheels spin.
func (m *Machine) clear(before geom.Pose, began geom.Vec) (hit, movable bool, at geom.Vec) {
	if m.env.Free(m.pose.Position(), m.reach) {
		return false, false, at
	}
	facing, depth := m.direction(), 0.0
	var solid geom.Shape
	for range rounds {
		again := false
		for i := range m.solids {
			m.solids[i].CarryTo(&solid, m.pose.Position(), facing)
			if v, in := m.env.Overlap(&solid); in {
				movable = movable || v.Movable
				m.pose.X += v.Move.X
				m.pose.Y += v.Move.Y
				deep := v.Move.Norm()
				at, depth = at.Add(v.At.Scale(deep)), depth+deep
				again = true
			}
		}
		if away := m.pose.Position().Sub(began); !again && (!hit || away.Dot(away) < m.base.maxWay*m.base.maxWay) {
			if hit {
				at = at.Scale(1 / depth)
			}
			return hit, movable, at
		}
		if !again {
			break
		}
		hit = true
	}
	m.pose, m.facing = before, geom.Vec{}
	return true, movable, at
}

// WheelState implements articulated.Wheeled.
func (m *Machine) WheelState() (angles, speeds [2]float64) {
	for side, row := range m.Wheels() {
		for _, i := range row {
			share := 1 / float64(len(row))
			angles[side] += float64(m.joints[i].position * share)
			speeds[side] += float64(m.joints[i].velocity * share)
		}
	}
	return angles, speeds
}

var _ articulated.Wheeled = (*Machine)(nil)

// Wheels returns the joints of the wheels on the left and on the right; none for a robot that can't drive. They must
// not be changed.
func (m *Machine) Wheels() (joints [2][]int) {
	if m.base == nil {
		return joints
	}
	return m.base.wheels
}
