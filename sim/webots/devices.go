// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/webots/wire"
)

// build makes the devices, under the names that E-puck.proto has, in its order.
func (b *body) build() {
	add := func(d device, p *part) {
		p.tag = uint16(len(b.devices))
		b.devices = append(b.devices, d)
	}
	b.root.part = part{name: b.agent.Name(), kind: wire.Robot}
	add(&b.root, &b.root.part)
	for i, side := range [2]string{"left", "right"} {
		m := newMotor(side+" wheel motor", i)
		add(m, &m.part)
		b.wheels[i] = m
		p := newPosition(side+" wheel sensor", i)
		add(p, &p.part)
	}
	for _, s := range sensors() {
		add(s, &s.part)
	}
	b.eye = newCamera(&b.server.cfg, b)
	add(b.eye, &b.eye.part)
	for i := range lampCount {
		l := &lamp{part: part{name: fmt.Sprintf("led%d", i), kind: wire.LED}, number: i}
		add(l, &l.part)
	}
	b.ears, b.mouth = newReceiver(), newEmitter()
	add(b.ears, &b.ears.part)
	add(b.mouth, &b.mouth.part)
	l := &speaker{part: part{name: "speaker", kind: wire.Speaker}}
	add(l, &l.part)
}

// sensors are those with a number or three, and a lookup table.
func sensors() (all []*sensor) {
	for i := range 8 {
		all = append(all, distanceSensor(fmt.Sprintf("ps%d", i), infrared, 0.1, proximityTable(),
			func(s *senses) float64 { return s.near()[i] }))
	}
	for i := range 8 {
		all = append(all, &sensor{
			sampler: sampler{part: part{name: fmt.Sprintf("ls%d", i), kind: wire.LightSensor}},
			code:    wire.LightData, table: [][3]float64{{1, 4095, 0.01}, {2, 0, 0.01}},
			read: func(s *senses) []float64 { return []float64{s.light()[i]} },
		})
	}
	all = append(all, distanceSensor("tof", generic, 0.44, rangeTable(), func(s *senses) float64 { return s.far() }))
	for i := range 3 {
		all = append(all, distanceSensor(fmt.Sprintf("gs%d", i), infrared, 0, groundTable(),
			func(s *senses) float64 { return s.floor()[i] }))
	}
	return append(all, &sensor{
		sampler: sampler{part: part{name: "accelerometer", kind: wire.Accelerometer}},
		code:    wire.AccelerometerData, table: [][3]float64{{-100, -100, 0.003}, {100, 100, 0.003}},
		read: func(s *senses) []float64 { return s.acceleration() },
	}, &sensor{
		sampler: sampler{part: part{name: "gyro", kind: wire.Gyro}},
		code:    wire.GyroData, table: [][3]float64{{-rateLimit, -rateCounts, 0.003}, {rateLimit, rateCounts, 0.003}},
		read: func(s *senses) []float64 { return s.rotation() },
	})
}

// distanceSensor makes a sensor whose value and table are of one distance.
func distanceSensor(name string, kind int32, aperture float64, table [][3]float64, read func(s *senses) float64) *sensor {
	lowest, highest := table[0][1], table[0][1]
	for _, row := range table {
		lowest, highest = min(lowest, row[1]), max(highest, row[1])
	}
	return &sensor{
		sampler: sampler{part: part{name: name, kind: wire.DistanceSensor}},
		code:    wire.DistanceData, table: table,
		before: func(a *wire.Answer) {
			a.Int32(kind)
			a.Doubles(lowest, highest, aperture)
		},
		read: func(s *senses) []float64 { return []float64{read(s)} },
	}
}

// Types of distance sensors.
const (
	generic  = 0
	infrared = 1
)

// sensor has a number or three, and a lookup table.
type sensor struct {
	sampler
	code   byte
	table  [][3]float64
	before func(a *wire.Answer) // what stands before the table; nil is nothing
	read   func(s *senses) []float64
}

// configure implements device.
func (s *sensor) configure(a *wire.Answer) {
	if s.before != nil {
		s.before(a)
	}
	a.Table(s.table)
}

// obey implements device.
func (s *sensor) obey(b *body, c wire.Command, _ *wire.Answer) error {
	s.every(c.Number[0], b.server.now)
	return nil
}

// measure implements device.
func (s *sensor) measure(b *body, a *wire.Answer) {
	if s.due(b.server.now) {
		a.Begin(s.tag, s.code)
		a.Doubles(s.read(&b.senses)...)
	}
}
