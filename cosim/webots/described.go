// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// described is a robot by its description.
type described struct {
	mechanical
	machine *machine.Machine // during Do
	desc    *description.Robot
	proto   proto
	taken   map[string]bool // names of devices
	battery int             // device, −1: none
}

func newDescribed(r mechanical, m *machine.Machine) *described {
	return &described{mechanical: r, machine: m, desc: m.Description(), proto: protoOf(m.Description()), taken: make(map[string]bool), battery: -1}
}

// occupant implements chassis, as the methods below do.
func (r *described) occupant() sim.Robot { return r.mechanical }

func (r *described) model() string { return r.proto.model }

func (r *described) urdf(prefix string) string { return string(urdf.Write(r.desc.Prefixed(prefix))) }

func (r *described) sense(f func()) { r.Do(func(sim.Mechanism) { f() }) }

func (r *described) begin(b *body) error {
	r.sense(func() { // the joints stay where they are
		for _, m := range b.motors {
			m.target = r.machine.Joint(m.joint).Position
		}
	})
	return nil
}

func (r *described) act(b *body) { r.hold(b) }

func (r *described) hold(b *body) {
	r.sense(func() {
		for _, m := range b.motors {
			switch speed := math.Abs(m.velocity); {
			case !(m.torque > 0), speed == 0:
				r.machine.SetVelocity(m.joint, 0)
			case math.IsInf(m.target, 0):
				r.machine.SetVelocity(m.joint, m.velocity)
			default:
				r.machine.SetPosition(m.joint, m.target, speed)
			}
		}
	})
}

func (r *described) charge() float64 {
	if r.battery < 0 {
		return -1 // what Webots says of a robot without a battery
	}
	return r.measure(r.battery)[0]
}

func (r *described) halt(b *body) {
	r.sense(func() {
		for _, m := range b.motors {
			r.machine.SetVelocity(m.joint, 0)
		}
	})
}

// measure is what a device says.
func (r *described) measure(device int) []float64 { return r.machine.Measure(device, nil) }

// build makes motors of the joints, and a device of Webots of each that has one.
func (r *described) build(b *body) {
	encoders := r.jointNames()
	for i := range r.desc.Joints {
		if j := &r.desc.Joints[i]; j.Moves() && j.Mimic == nil {
			r.addJoint(b, i, encoders)
		}
	}
	for i := range r.desc.Devices {
		r.addDevice(b, i)
	}
	if r.proto.radio {
		b.addRadio()
	}
}

// wired are the devices of a joint that the description names, by their places, −1: none.
type wired struct{ motor, encoder int }

// jointNames finds which devices move and measure the joints.
func (r *described) jointNames() map[string]wired {
	all := make(map[string]wired)
	for i := range r.desc.Devices {
		d := &r.desc.Devices[i]
		if d.Kind != description.Motor && d.Kind != description.Encoder {
			continue
		}
		w, ok := all[d.Joint]
		if !ok {
			w = wired{-1, -1}
		}
		if d.Kind == description.Motor {
			w.motor = i
		} else {
			w.encoder = i
		}
		all[d.Joint] = w
	}
	return all
}

// unbounded is how fast a joint may move that does not say it, rad/s or m/s: Webots' own.
const unbounded = 10

// addJoint makes the motor of a joint and what measures it. Without names of their own they are named as Webots' own
// converter of URDF does.
func (r *described) addJoint(b *body, i int, all map[string]wired) {
	j := &r.desc.Joints[i]
	w, ok := all[j.Name]
	if !ok {
		w = wired{-1, -1}
	}
	name, measured := j.Name, j.Name+"_sensor"
	if w.motor >= 0 {
		name = r.desc.Devices[w.motor].Name
	}
	read := func() float64 { return r.machine.Joint(i).Position }
	if w.encoder >= 0 {
		measured = r.desc.Devices[w.encoder].Name
		read = func() float64 { return r.measure(w.encoder)[0] }
	}
	m := &motor{part: part{name: r.called(name), kind: wire.Motor}, joint: i, most: unbounded, torque: maxTorque, p: gain}
	if j.Kind == description.Prismatic {
		m.kind = wire.LinearMotor
	}
	if l := j.Limit; l != nil {
		if most := l.Velocity.Most(); !math.IsInf(most, 1) { // absent and unlimited: the default of Webots
			m.most = most
		}
		if j.Kind != description.Continuous {
			m.lower, m.upper = l.Lower, l.Upper
		}
	}
	m.velocity = m.most
	b.addMotor(m, &position{sampler: sampler{part: part{name: r.called(measured), kind: wire.PositionSensor}}, read: read})
}

// addDevice makes what Webots has of a device.
func (r *described) addDevice(b *body, i int) {
	d := &r.desc.Devices[i]
	all := func() []float64 { return r.measure(i) }
	some := func(from, to int) func() []float64 { return func() []float64 { return r.measure(i)[from:to] } }
	add := func(s *sensor) { b.add(s, &s.part) }
	switch d.Kind {
	case description.Infrared, description.Sonar, description.Ground:
		add(r.distance(d, all))
	case description.Light:
		add(newSensor(r.called(d.Name), wire.LightSensor, wire.LightData, rows(d.Table), all))
	case description.IMU:
		accelerometer, gyro := "accelerometer", "gyro"
		if r.taken[accelerometer] || r.taken[gyro] {
			accelerometer, gyro = d.Name+" accelerometer", d.Name+" gyro"
		}
		add(newSensor(r.called(accelerometer), wire.Accelerometer, wire.AccelerometerData, nil, some(0, 3)))
		add(newSensor(r.called(gyro), wire.Gyro, wire.GyroData, nil, some(3, 6)))
		add(attitude(r.called(d.Name), some(6, 9)))
	case description.Accelerometer:
		add(newSensor(r.called(d.Name), wire.Accelerometer, wire.AccelerometerData, rows(d.Table), all))
	case description.Gyro:
		add(newSensor(r.called(d.Name), wire.Gyro, wire.GyroData, rows(d.Table), all))
	case description.Orientation:
		add(attitude(r.called(d.Name), all))
	case description.Compass:
		add(newSensor(r.called(d.Name), wire.Compass, wire.CompassData, nil, func() []float64 { return unit(r.measure(i)) }))
	case description.GPS:
		add(r.gps(i))
	case description.Contact:
		s := newSensor(r.called(d.Name), wire.TouchSensor, wire.TouchData, nil, all)
		s.say = func(a *wire.Answer) {
			a.Int32(0) // a bumper
			a.Table(nil)
		}
		add(s)
	default:
		r.addOther(b, i)
	}
}

// addOther makes what is no sensor of some numbers.
func (r *described) addOther(b *body, i int) {
	switch d := &r.desc.Devices[i]; d.Kind {
	case description.Camera:
		c := &camera{
			sampler: sampler{part: part{name: r.called(d.Name), kind: wire.Camera}}, page: newPage(b),
			width: d.Image.Width, height: d.Image.Height, fov: d.Image.FieldOfView, near: d.Image.Near,
		}
		c.draw = func(pixels []byte) { r.sense(func() { r.machine.Picture(i, pixels) }) }
		b.add(c, &c.part)
	case description.Lidar:
		if l := newLidar(b, d, r.called(d.Name), func() []float64 { return r.measure(i) }); l != nil {
			b.add(l, &l.part)
		} else {
			b.missing("lidar "+d.Name, "it has more rays than the protocol can represent")
		}
	case description.LED:
		l := &lamp{part: part{name: r.called(d.Name), kind: wire.LED}, set: func(v int32) bool { return r.setLED(i, v) }}
		b.add(l, &l.part)
	case description.Battery:
		r.battery = i
	case description.Emitter:
		b.addEmitter(r.called(d.Name), radioOf(d))
	case description.Receiver:
		b.addReceiver(r.called(d.Name), radioOf(d))
	case description.Motor, description.Encoder: // they are their joint's
	default:
		b.missing(string(d.Kind)+" "+d.Name, "it is not simulated")
	}
}

// setLED sets a LED: 0xRRGGBB where it has colors of its own, else the number of one of its colors, 0 is off.
func (r *described) setLED(i int, v int32) bool {
	var color [3]float64
	switch d := &r.desc.Devices[i]; {
	case d.Gradual || len(d.Colors) == 0:
		for k, shift := range [3]int{16, 8, 0} {
			color[k] = float64(v>>shift&0xFF) / 255
		}
	case v > 0:
		color = d.Colors[min(int(v), len(d.Colors))-1]
	}
	r.sense(func() { r.machine.SetLED(i, color) })
	return true
}
