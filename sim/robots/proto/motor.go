// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// endless is how far a joint that slides without limits goes to each side, m. SDF has the same number for it.
const endless = 1e16

// wheel is a joint with a motor and without limits.
type wheel struct {
	joint        string
	line         int
	velocity     float64 // rad/s; 0: unknown
	acceleration float64 // rad/s²; 0: unknown
}

// motors names a joint and bounds it, by what drives and measures it. Motor and sensor are devices of the link above.
func (b *builder) motors(j *description.Joint, devices []ref, link int, without string, m movement) {
	motor, sensor := b.chosen(j.Kind, devices)
	j.Damping, j.Friction = m.damping, m.friction
	switch {
	case motor != nil:
		j.Name = b.text(motor, "name", defaultName(motor.kind))
	case sensor != nil:
		j.Name = b.text(sensor, "name", defaultName(sensor.kind))
	default:
		j.Name = without
	}
	if name := unused(b.joints, j.Name); name != j.Name {
		b.remarkf(m.parameters, "a second joint %q: it is %q here", clip(j.Name), clip(name))
		j.Name = name
	}
	limit := description.Limit{Lower: m.lower, Upper: m.upper}
	if motor != nil {
		b.motor(motor, &limit, j, link)
	}
	if sensor != nil {
		b.encoder(sensor, j, link)
	}
	if limit.Lower > limit.Upper {
		b.failf(m.parameters, "joint %q: stops and motor leave it no position", clip(j.Name))
	}
	bounded := limit.Lower != limit.Upper
	switch {
	case bounded || motor != nil && j.Kind == description.Revolute:
		j.Limit = &limit
	case motor != nil:
		limit.Lower, limit.Upper = -endless, endless
		j.Limit = &limit
	}
	if j.Kind == description.Revolute && !bounded {
		j.Kind = description.Continuous
	}
	if j.Kind == description.Continuous && motor != nil {
		b.wheels = append(b.wheels, wheel{
			joint: j.Name, line: motor.line, velocity: limit.Velocity.Value,
			acceleration: max(0, b.number(motor, "acceleration", -1)),
		})
	}
}

// chosen finds the motor and the position sensor of a joint.
func (b *builder) chosen(kind description.JointKind, devices []ref) (motor, sensor *node) {
	wanted := "RotationalMotor"
	if kind == description.Prismatic {
		wanted = "LinearMotor"
	}
	for _, d := range devices {
		d.seen = true
		b.charge(d.line, 1)
		switch {
		case d.kind == wanted && motor == nil:
			motor = d.node
		case d.kind == "PositionSensor" && sensor == nil:
			sensor = d.node
		case d.kind == wanted || d.kind == "PositionSensor":
			b.failf(d.line, "%s: a second one of the same joint", d.kind)
		default:
			b.drop(d.node, "it has no meaning here")
		}
	}
	return motor, sensor
}

// motor reads a motor: what it can, within the stops that the limit has so far.
func (b *builder) motor(n *node, l *description.Limit, j *description.Joint, link int) {
	strength := "maxTorque"
	if n.kind == "LinearMotor" {
		strength = "maxForce"
	}
	l.Velocity, l.Effort = description.AtMost(b.number(n, "maxVelocity", 10)), description.AtMost(b.number(n, strength, 10))
	lower, upper := b.number(n, "minPosition", 0), b.number(n, "maxPosition", 0)
	switch {
	case l.Velocity.Value < 0 || l.Effort.Value < 0 || lower > upper:
		b.failf(n.line, "%s: from %g to %g, %g fast, with %g at most", n.kind, lower, upper, l.Velocity.Value, l.Effort.Value)
	case lower == upper: // nothing is said
	case l.Lower == l.Upper:
		l.Lower, l.Upper = lower, upper
	default:
		l.Lower, l.Upper = max(l.Lower, lower), min(l.Upper, upper)
	}
	b.addDevice(description.Device{
		Kind: description.Motor, Name: b.text(n, "name", defaultName(n.kind)), Pose: j.Origin, Line: n.line, Joint: j.Name,
	}, link)
}

// encoder reads a position sensor.
func (b *builder) encoder(n *node, j *description.Joint, link int) {
	b.addDevice(description.Device{
		Kind: description.Encoder, Name: b.text(n, "name", defaultName(n.kind)), Pose: j.Origin, Line: n.line, Joint: j.Name,
		Resolution: b.resolution(n), Noise: description.Noise{Deviation: b.deviation(n, "noise", 1)},
	}, link)
}
