// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// build makes the devices, under the names that E-puck.proto has, in its order.
func (e *epuck) build(b *body) {
	for i, side := range [2]string{"left", "right"} {
		m := &motor{part: part{name: side + " wheel motor", kind: wire.Motor}, most: maxVelocity, velocity: maxVelocity, torque: maxTorque, p: gain}
		p := &position{sampler: sampler{part: part{name: side + " wheel sensor", kind: wire.PositionSensor}}, read: func() float64 {
			angle, _ := e.senses.c.Wheels()
			return math.Round(angle[i]/angleStep) * angleStep
		}}
		b.addMotor(m, p)
		e.wheels[i] = m
	}
	for _, s := range e.sensors() {
		b.add(s, &s.part)
	}
	eye := newCamera(b, e)
	b.add(eye, &eye.part)
	for i := range lampCount {
		l := &lamp{part: part{name: fmt.Sprintf("led%d", i), kind: wire.LED}, set: func(v int32) bool { return e.setLED(i, v) }}
		b.add(l, &l.part)
	}
	b.addRadio()
	l := &speaker{part: part{name: "speaker", kind: wire.Speaker}}
	b.add(l, &l.part)
}

// sensors are those with a number or three, and a lookup table.
func (e *epuck) sensors() (all []*sensor) {
	one := func(read func() float64) func() []float64 { return func() []float64 { return []float64{read()} } }
	for i := range 8 {
		all = append(all, distanceSensor(fmt.Sprintf("ps%d", i), infrared, robot.InfraredAperture, proximityTable(),
			one(func() float64 { return e.senses.near()[i] })))
	}
	for i := range 8 {
		all = append(all, newSensor(fmt.Sprintf("ls%d", i), wire.LightSensor, wire.LightData,
			[][3]float64{{1, 4095, 0.01}, {2, 0, 0.01}}, one(func() float64 { return e.senses.light()[i] })))
	}
	all = append(all, distanceSensor("tof", generic, robot.ToFAperture, rangeTable(), one(func() float64 { return e.senses.far() })))
	for i := range 3 {
		all = append(all, distanceSensor(fmt.Sprintf("gs%d", i), infrared, 0, groundTable(),
			one(func() float64 { return e.senses.floor()[i] })))
	}
	return append(all,
		newSensor("accelerometer", wire.Accelerometer, wire.AccelerometerData, [][3]float64{{-100, -100, 0.003}, {100, 100, 0.003}},
			func() []float64 { return e.senses.acceleration() }),
		newSensor("gyro", wire.Gyro, wire.GyroData, [][3]float64{{-rateLimit, -rateCounts, 0.003}, {rateLimit, rateCounts, 0.003}},
			func() []float64 { return e.senses.rotation() }))
}

// newSensor makes a sensor that says of itself its lookup table.
func newSensor(name string, kind wire.Kind, code byte, table [][3]float64, read func() []float64) *sensor {
	return &sensor{
		sampler: sampler{part: part{name: name, kind: kind}}, code: code, read: read,
		say: func(a *wire.Answer) { a.Table(table) },
	}
}

// distanceSensor makes a sensor whose value and table are of one distance.
func distanceSensor(name string, kind int32, aperture float64, table [][3]float64, read func() []float64) *sensor {
	lowest, highest := table[0][1], table[0][1]
	for _, row := range table {
		lowest, highest = min(lowest, row[1]), max(highest, row[1])
	}
	s := newSensor(name, wire.DistanceSensor, wire.DistanceData, table, read)
	s.say = func(a *wire.Answer) {
		a.Int32(kind)
		a.Doubles(lowest, highest, aperture)
		a.Table(table)
	}
	return s
}

// Types of distance sensors.
const (
	generic  = 0
	infrared = 1
	sonar    = 2
)

// sensor has some numbers.
type sensor struct {
	sampler
	code byte
	say  func(a *wire.Answer) // what it is
	read func() []float64     // while the world is stopped
}

// configure implements device.
func (s *sensor) configure(a *wire.Answer) { s.say(a) }

// execute implements device.
func (s *sensor) execute(b *body, c wire.Command, _ *wire.Answer) error {
	s.every(c.Number[0], b.server.now)
	return nil
}

// measure implements device.
func (s *sensor) measure(b *body, a *wire.Answer) {
	if s.due(b.server.now) {
		a.Begin(s.tag, s.code)
		a.Doubles(s.read()...)
	}
}
