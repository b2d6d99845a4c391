// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// OverrideMotors implements articulated.Mechanism. It has no effect on a robot without a drive.
func (m *Machine) OverrideMotors(o plant.MotorOverride) {
	m.override = o
	if m.base != nil { // a still robot does not advance, so Still must become false
		m.steer()
	}
}

// steer sets the differences of the wheels' speeds from the commanded ones, rad/s, so that the forward speed is that of
// the override.
func (m *Machine) steer() {
	b := m.base
	commanded, wheels := 0.0, 0
	for _, row := range b.wheels {
		for _, i := range row {
			commanded += m.joints[i].speed
			wheels++
		}
	}
	shift := 0.0
	if o := m.override; o != (plant.MotorOverride{}) && wheels > 0 {
		v := float64(commanded / float64(wheels) * b.radius)
		forward := v
		if o.Held {
			forward = o.Speed
		}
		if o.Limited {
			forward = max(-o.Limit, min(o.Limit, forward))
		}
		shift = (forward - v) / b.radius
	}
	for side, row := range b.wheels {
		for _, i := range row {
			m.joints[i].shift = shift
			if o := m.override; o.Turning && wheels > 0 {
				middle := float64(commanded/float64(wheels)) + shift
				m.joints[i].shift = middle + float64(float64(2*side-1)*o.Turn*b.separation/2/b.radius) - m.joints[i].speed
			}
		}
	}
}

// LEDs implements articulated.Mechanism: led0 to led7 clockwise from the front, as the e-puck2 of Webots names them; those with
// even numbers are red only.
func (m *Machine) LEDs() (l vmcu.LEDs) {
	for i := range m.devices {
		d := &m.devices[i]
		number, named := strings.CutPrefix(d.desc.Name, "led")
		n, err := strconv.Atoi(number)
		if d.desc.Kind != description.LED || !named || err != nil || d.off {
			continue
		}
		switch {
		case n >= 0 && n < 8 && n%2 == 0:
			l.Red[n/2] = d.color != [3]float64{}
		case n >= 0 && n < 8:
			for k, v := range d.color {
				l.RGB[n/2][k] = uint8(math.Round(float64(v * 100)))
			}
		}
	}
	return l
}

// Parts implements articulated.Mechanism.
func (m *Machine) Parts() (names []world.Part) {
	for i := range m.devices {
		names = append(names, world.Part(m.devices[i].desc.Name))
	}
	return names
}

// SetPart implements articulated.Mechanism: a device that is off measures NaN, sends and receives nothing.
func (m *Machine) SetPart(p world.Part, on bool) {
	if i := slices.IndexFunc(m.devices, func(d device) bool { return d.desc.Name == string(p) }); i >= 0 {
		m.devices[i].off = !on
	}
}

// unknown appends the values of a device that is off, NaN.
func unknown(d *description.Device, dst []float64) []float64 {
	for range Values(d) {
		dst = append(dst, math.NaN())
	}
	return dst
}
