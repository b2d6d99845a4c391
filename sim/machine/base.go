// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// base is the wheels that carry the body: a row on the left, a row on the right.
type base struct {
	wheels             [2][]int `checkpoint:"-"` // joints
	radius, separation float64  `checkpoint:"-"` // m
	height             float64  `checkpoint:"-"` // of the axle in the root, m
	axle               geom.Vec `checkpoint:"-"` // its middle in the root
	ahead              float64  `checkpoint:"-"` // where the robot drives, in the root, rad
	maxWay             float64  `checkpoint:"-"` // more than the root moves in a cycle, m

	slip [2]physics.Slip // of each row
}

// fastest is how fast a body drives at the most, m/s: others find it where it was a cycle ago.
const fastest = 1.9

// newBase finds the wheels of a description.
func newBase(desc *robots.Robot, k *skeleton, joints []joint, v *world.Variation, dice noise.Source) (*base, error) {
	d := desc.Drive
	b := &base{radius: d.Radius, separation: d.Separation}
	var middle [2]geom.Vec
	for side, names := range [2][]string{d.Left, d.Right} {
		b.slip[side] = physics.NewSlip(v.Slip, v.SlipLength, dice.Stream(uint64(side)))
		for _, name := range names {
			i, known := k.joint[name]
			if !known || !joints[i].moves {
				return nil, fmt.Errorf("%w: wheel %q is no joint that turns by itself", ErrModel, name)
			}
			b.wheels[side] = append(b.wheels[side], i)
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

// limit bounds what a wheel does by what is known of the drive.
func (b *base) limit(d *robots.Drive, j *joint) {
	j.most = min(j.most, fastest/d.Radius)
	if d.Speed > 0 {
		j.most = min(j.most, d.Speed/d.Radius)
	}
	if d.Acceleration > 0 {
		j.gain = d.Acceleration / d.Radius
	}
}

// bound finds out how far the root moves in a cycle at the most, and slows wheels down that would move it farther than
// [farthestWay]. The root moves farthest where both wheels turn the same way, or each the other way.
func (b *base) bound(joints []joint) {
	factor := float64(max(1, 2*b.axle.Norm()/b.separation) * max(b.slip[0].Most(), b.slip[1].Most()) * b.radius * pushed * dt)
	fastest := 0.0
	for _, row := range b.wheels {
		for _, i := range row {
			joints[i].most = min(joints[i].most, farthestWay/factor)
			fastest = max(fastest, joints[i].most)
		}
	}
	b.maxWay = float64(fastest * factor)
}

const (
	dt = float64(sim.CycleTime) / float64(time.Second)
	// farthestWay is how far the root of any robot moves in a cycle at the most, m.
	farthestWay = 0.05
	// pushed is how much farther a robot that is pushed out of something may get than one that drives freely.
	pushed = 1.5
)

// MaxWay implements sim.Mechanism.
func (m *Machine) MaxWay() float64 {
	if m.base == nil {
		return 0
	}
	return m.base.maxWay
}

// slimmest is the inradius that solids count with which are thinner, m.
const slimmest = 1e-3

// way is how far a row of wheels rolls in a second at the speeds that its wheels have for dt seconds, m, forward
// positive.
func (b *base) way(joints []joint, side int, dt float64) float64 {
	sum := 0.0
	for _, i := range b.wheels[side] {
		sum += joints[i].velocity
	}
	v := float64(sum / float64(len(b.wheels[side])) * b.radius)
	return b.slip[side].Way(float64(v*dt)) / dt
}

// roll moves the body as far as the wheels roll in dt seconds.
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
		m.touching, m.forward, m.turning = false, v, omega
		return
	}
	hit, step := false, geom.Vec{}
	for range parts {
		at := m.pose
		step = step.Add(m.arc(v, omega, dt/float64(parts)))
		hit = m.contact(at, before.Position()) || hit
	}
	if hit && !m.touching {
		m.touched++
	}
	m.touching = hit
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

// divide returns into how many parts a movement of dt seconds is divided so that no solid passes through something, and
// whether there is nothing that the robot could touch.
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

// arc moves the body along the arc that it makes in dt seconds: its chord is 1 − h²/6 as long for half an angle h,
// and has the arc's mean direction. Wheels that are limited turn it by less than half a turn. It returns the way of
// the axle.
func (m *Machine) arc(v, omega, dt float64) (step geom.Vec) {
	b := m.base
	half := float64(omega * dt / 2)
	chord := float64(float64(v*dt) * (1 - float64(half*half)/6))
	was := m.direction()
	axle := m.pose.Position().Add(b.axle.Rotate(was))
	turn := float64(omega * dt)
	m.pose.Theta = geom.WrapAngle(m.pose.Theta + turn)
	m.facing = geom.Vec{}
	if m.turns++; math.Abs(turn) < littleTurn && m.turns%turnsAtMost != 0 {
		m.facing = was.Rotate(little(turn))
	}
	now := m.direction()
	middle := was.Add(now) // between the two directions, but for its length
	if b.ahead != 0 {
		middle = middle.Rotate(geom.Direction(b.ahead))
	}
	step = middle.Scale(chord / middle.Norm())
	at := axle.Add(step).Sub(b.axle.Rotate(now))
	m.pose.X, m.pose.Y = at.X, at.Y
	return step
}

const (
	// littleTurn is how far the root's direction is turned by, rad, in place of being computed anew.
	littleTurn = 0.1
	// turnsAtMost is how many cycles may pass until it is: rounding does not add up (TestLittleTurns).
	turnsAtMost = 64
)

// little is the direction of an angle of less than littleTurn, by the beginnings of the series.
func little(turn float64) geom.Vec {
	y := float64(turn * turn)
	sin := float64(turn * (1 - float64(y*(1-float64(y*(1-float64(y*(1.0/42)))*(1.0/20)))*(1.0/6))))
	cos := 1 - float64(y*(0.5-float64(y*(1.0/24-float64(y*(1.0/720-float64(y*(1.0/40320))))))))
	return geom.Vec{X: cos, Y: sin}
}

// contact ends a movement from a pose: it pushes the body out of what it is in, takes from its way along that what
// friction takes, and reports whether it touches something.
func (m *Machine) contact(before geom.Pose, began geom.Vec) (hit bool) {
	wanted := m.pose.Position()
	hit, movable := m.clear(before, began)
	if !hit {
		return false
	}
	if movable { // its friction is for the solver of those that push
		m.lost = m.lost.Add(wanted.Sub(m.pose.Position()))
		return true
	}
	if m.pose == before { // no way out
		return true
	}
	made := m.pose.Position().Sub(before.Position())
	if slowed := physics.Rub(made, wanted.Sub(before.Position()), m.env.Friction()); slowed != made {
		at := before.Position().Add(slowed)
		m.pose.X, m.pose.Y = at.X, at.Y
		m.clear(before, began)
	}
	return true
}

// rounds bounds how often clear looks at everything again: in a corner, out of one wall may be into another.
const rounds = 6

// clear pushes the body out of what it is in, and reports whether that was necessary, and whether something of that is
// movable. Where there is no way out, or one that leads too far from where the cycle began, it stays where it was
// before, and its wheels spin.
func (m *Machine) clear(before geom.Pose, began geom.Vec) (hit, movable bool) {
	if m.env.Free(m.pose.Position(), m.reach) {
		return false, false
	}
	facing := m.direction()
	var solid geom.Shape
	for range rounds {
		again := false
		for i := range m.solids {
			m.solids[i].CarryTo(&solid, m.pose.Position(), facing)
			if move, in, moves := m.env.Push(&solid); in {
				movable = movable || moves
				m.pose.X += move.X
				m.pose.Y += move.Y
				again = true
			}
		}
		if away := m.pose.Position().Sub(began); !again && (!hit || away.Dot(away) < m.base.maxWay*m.base.maxWay) {
			return hit, movable
		}
		if !again {
			break
		}
		hit = true
	}
	m.pose, m.facing = before, geom.Vec{}
	return true, movable
}

// Wheels gives the joints that carry the body, on the left and on the right; none for a robot that can't drive. They
// must not be changed.
func (m *Machine) Wheels() (joints [2][]int) {
	if m.base == nil {
		return joints
	}
	return m.base.wheels
}
