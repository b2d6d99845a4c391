// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

const (
	// maxVelocity is what the robot's motors can do, rad/s; E-puck.proto says 7.536, 1200 steps/s.
	maxVelocity = vmcu.SpeedLimit * 2 * math.Pi / vmcu.StepsPerTurn
	// maxTorque (N m) and gain (1/s) are a motor's by default in Webots.
	maxTorque = 10
	gain      = 10
	// angleStep is the resolution of a wheel's angle, rad: a step of the motor.
	angleStep = 2 * math.Pi / vmcu.StepsPerTurn
)

// motor moves a joint: with a speed, or up to a position.
type motor struct {
	part
	sensor       uint16  // tag of what measures the joint, 0: nothing does
	joint        int     // of a description
	most         float64 // rad/s or m/s
	lower, upper float64 // both 0: no limits
	target       float64 // rad or m; infinite: the velocity decides
	velocity     float64 // rad/s or m/s
	torque       float64 // the maximum, N m or N; 0: the joint is passive and does not move
	p            float64 // 1/s
}

// addMotor adds a motor and the position sensor of its joint.
func (b *body) addMotor(m *motor, p *position) {
	b.add(m, &m.part)
	b.add(p, &p.part)
	p.jointKind, m.sensor = jointKind(m.kind), p.tag
	b.motors = append(b.motors, m)
}

// jointKind is the number by which the devices of a joint name its kind: 0 rotational, 1 linear.
func jointKind(k wire.Kind) int32 {
	if k == wire.LinearMotor {
		return 1
	}
	return 0
}

// configure implements device.
func (m *motor) configure(a *wire.Answer) {
	a.Int32(jointKind(m.kind))
	a.Doubles(m.lower, m.upper, m.most, -1, maxTorque, gain, 0, 0, m.target, m.velocity, 1)
	a.Int32(0) // coupled with no other
}

// execute implements device.
func (m *motor) execute(b *body, c wire.Command, a *wire.Answer) error {
	v := c.Value[0]
	switch c.Code {
	case wire.MotorPosition:
		if math.IsNaN(v) {
			return finite(v)
		}
		m.target = v
	case wire.MotorVelocity:
		if err := finite(v); err != nil {
			return err
		}
		m.velocity = max(-m.most, min(m.most, v))
	case wire.MotorAvailableForce:
		m.torque = v
	case wire.MotorForce:
		b.missing("a motor's torque", "the wheel does not move: this world has no forces")
		m.torque = 0
	case wire.MotorFeedback:
		b.missing("a motor's torque feedback", "NaN")
		a.Begin(m.tag, wire.MotorFeedback)
		a.Doubles(math.NaN())
	case wire.MotorAcceleration:
		if v >= 0 {
			b.missing("a motor's acceleration", "the motor's own")
		}
	case wire.MotorPID:
		if err := finite(v); err != nil {
			return err
		}
		m.p = v
		if c.Value[1] != 0 || c.Value[2] != 0 {
			b.missing("I and D of a motor's control", "P alone")
		}
	case wire.MotorAssociated:
		a.Begin(m.tag, wire.MotorAssociated)
		a.Uint16(b.associated(m.tag, c.Number[0]))
	}
	return nil
}

// measure implements device.
func (m *motor) measure(*body, *wire.Answer) {}

// speed is what the wheel is to turn with, rad/s, at an angle.
func (m *motor) speed(angle float64) float64 {
	switch {
	case !(m.torque > 0):
		return 0
	case math.IsInf(m.target, 0):
		return m.velocity
	}
	limit := math.Abs(m.velocity)
	v := max(-limit, min(limit, m.p*(m.target-angle)))
	if math.Abs(m.target-angle) < angleStep/2 {
		return 0
	}
	if least := angleStep / tick.Seconds() / 10; math.Abs(v) < least { // the slowest that comes to an end
		v = math.Copysign(min(least, limit), v)
	}
	return v
}

// position measures a joint's position.
type position struct {
	sampler
	jointKind int32
	read      func() float64
}

// configure implements device.
func (p *position) configure(a *wire.Answer) { a.Int32(p.jointKind) }

// execute implements device.
func (p *position) execute(b *body, c wire.Command, a *wire.Answer) error {
	if c.Code == wire.PositionAssociated {
		a.Begin(p.tag, wire.PositionAssociated)
		a.Uint16(b.associated(p.tag, c.Number[0]))
		return nil
	}
	p.every(c.Number[0], b.server.now)
	return nil
}

// measure implements device.
func (p *position) measure(b *body, a *wire.Answer) {
	if p.due(b.server.now) {
		a.Begin(p.tag, wire.PositionData)
		a.Doubles(p.read())
	}
}

// associated returns the tag of what sits on the same joint as a device, by its node number; 0 is none.
func (b *body) associated(tag uint16, node int32) uint16 {
	r := b.session.release
	for _, m := range b.motors {
		switch {
		case tag != m.tag && tag != m.sensor:
		case node == int32(r.Number(m.kind)):
			return m.tag
		case node == int32(r.Number(wire.PositionSensor)):
			return m.sensor
		}
	}
	return 0
}
