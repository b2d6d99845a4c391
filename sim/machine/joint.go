// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// joint is the state and the command of one joint of a description.
type joint struct {
	position, velocity float64
	target             float64 // commanded position
	speed              float64 // commanded, or the maximum towards a target, where 0 is the joint's own maximum
	going              bool    // it moves to the target
	weak               bool    // its motor has no torque
	shift              float64 // of a wheel: difference of its speed from the commanded one, rad/s

	moves        bool    `checkpoint:"-"` // by itself
	steps        float64 `checkpoint:"-"` // of its stepper motor in a turn; 0: it is none
	stepTimer    float64 `checkpoint:"-"` // resolution of the timer that makes its half steps, s; 0: any period
	bears        bool    `checkpoint:"-"` // it moves a device
	most         float64 `checkpoint:"-"` // maximum speed; +Inf if unknown
	gain         float64 `checkpoint:"-"` // maximum acceleration; +Inf if unknown
	lower, upper float64 `checkpoint:"-"`
}

// makeJoints returns the joints of a description, all at rest.
func makeJoints(desc *description.Robot) []joint {
	list := make([]joint, len(desc.Joints))
	for i := range desc.Joints {
		d, j := &desc.Joints[i], &list[i]
		*j = joint{moves: d.Moves() && d.Mimic == nil, most: math.Inf(1), gain: math.Inf(1), lower: math.Inf(-1), upper: math.Inf(1)}
		if d.Limit == nil {
			continue
		}
		j.most = d.Limit.Velocity.Most()
		if d.Kind != description.Continuous {
			j.lower, j.upper = d.Limit.Lower, d.Limit.Upper
			j.position = min(max(0, j.lower), j.upper)
		}
	}
	return list
}

// still reports whether the joint neither moves nor is about to.
func (j *joint) still() bool {
	if j.velocity != 0 {
		return false
	}
	return j.weak || !j.going && j.speed+j.shift == 0 || j.going && j.position == j.clip(j.target)
}

// clip returns a position within the limits.
func (j *joint) clip(position float64) float64 { return min(max(position, j.lower), j.upper) }

// advance advances the joint by dt seconds and reports whether it has moved. Towards a target there is no
// limit to its acceleration.
func (j *joint) advance(dt float64) bool {
	commanded := j.speed + j.shift
	if j.steps > 0 {
		commanded = physics.StepperSpeed(commanded, j.steps, j.stepTimer)
	}
	if j.weak {
		j.velocity = 0
		return false
	}
	if !j.going && commanded == j.velocity && math.Abs(commanded) <= j.most { // at constant speed
		if commanded == 0 {
			return false
		}
		if next := j.position + float64(commanded*dt); next >= j.lower && next <= j.upper {
			j.position = next
			return true
		}
	}
	want := commanded
	if j.going {
		most := j.most
		if j.speed > 0 {
			most = min(most, j.speed)
		}
		want = min(max((j.clip(j.target)-j.position)/dt, -most), most)
	}
	want = min(max(want, -j.most), j.most)
	if change := float64(j.gain * dt); !j.going && math.Abs(want-j.velocity) > change {
		want = j.velocity + math.Copysign(change, want-j.velocity)
	}
	j.velocity = want
	if want == 0 {
		return false
	}
	before := j.position
	next := before + float64(want*dt)
	if j.going && (next-j.target)*(before-j.target) <= 0 {
		next = j.target
	}
	if j.position = j.clip(next); j.position != next {
		j.velocity = 0
	}
	return j.position != before
}

// Joint implements Devices.
func (m *Machine) Joint(i int) JointState {
	if i < 0 || i >= len(m.joints) {
		return JointState{}
	}
	if mimic := m.desc.Joints[i].Mimic; mimic != nil {
		return m.mimicked(i)
	}
	return JointState{Position: m.joints[i].position, Velocity: m.joints[i].velocity}
}

// mimicked returns the state of a joint that another one moves.
func (m *Machine) mimicked(i int) JointState {
	factor := 1.0
	sum := 0.0
	for range len(m.joints) {
		mimic := m.desc.Joints[i].Mimic
		if mimic == nil {
			break
		}
		sum += float64(factor * mimic.Offset)
		factor = float64(factor * mimic.Multiplier)
		i = m.links.joint[mimic.Joint]
	}
	j := &m.joints[i]
	return JointState{Position: sum + float64(factor*j.position), Velocity: float64(factor * j.velocity)}
}

// SetVelocity implements Devices. NaN counts as 0.
func (m *Machine) SetVelocity(i int, velocity float64) {
	if i < 0 || i >= len(m.joints) || !m.joints[i].moves {
		return
	}
	if math.IsNaN(velocity) {
		velocity = 0
	}
	j := &m.joints[i]
	j.speed, j.going = min(max(velocity, -maxSpeed), maxSpeed), false
}

// maxSpeed bounds the commanded speeds, rad/s and m/s.
const maxSpeed = 1e4

// SetPosition implements Devices. Commands with NaN or an infinite position are ignored.
func (m *Machine) SetPosition(i int, position, speed float64) {
	if i < 0 || i >= len(m.joints) || !m.joints[i].moves || math.IsNaN(position) || math.IsInf(position, 0) || math.IsNaN(speed) {
		return
	}
	j := &m.joints[i]
	j.target, j.speed, j.going = position, min(math.Abs(speed), maxSpeed), true
}
