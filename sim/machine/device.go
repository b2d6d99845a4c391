// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// device is one device of a robot.
type device struct {
	desc  *description.Device `checkpoint:"-"`
	link  int                 `checkpoint:"-"`
	joint int                 `checkpoint:"-"` // of an encoder or a motor, −1 for none
	reach float64             `checkpoint:"-"` // range of a distance sensor, m
	dice  noise.Source
	first noise.Source // of its first value

	at              geom.Vec // in the root's frame, computed by settle
	height          float64
	axes            [3]r3.Vec
	settled         uint64  // the skeleton's count at that time
	unsaturated     float64 `checkpoint:"-"` // up to this reading, light never limits an infrared sensor
	nothing, spread float64 `checkpoint:"-"` // reading of a distance sensor without an obstacle, and its deviation

	color [3]float64     // of an LED
	inbox []queuedPacket // of a receiver
	bytes int            // in it

	off    bool            // removed
	camera *cameraRenderer `checkpoint:"-"` // of a camera, nil until it is used
}

// defaultReach is the range of a distance sensor whose description has none, m.
const defaultReach = 10.0

// build initialises device i of a description.
func (d *device) build(desc *description.Robot, i int, m *Machine, dice noise.Source) error {
	*d = device{desc: &desc.Devices[i], dice: dice, first: dice.Stream(0), joint: -1, reach: defaultReach}
	d.link = m.links.link[d.desc.Link]
	if d.desc.Joint != "" {
		j, known := m.links.joint[d.desc.Joint]
		if !known {
			return fmt.Errorf("%w: line %d: %s %q: there is no joint %q", ErrModel, d.desc.Line, d.desc.Kind, d.desc.Name, d.desc.Joint)
		}
		d.joint = j
	}
	switch table := d.desc.Table; {
	case d.desc.Range != nil:
		d.reach = d.desc.Range.Max
	case len(table) > 0:
		d.reach = table[len(table)-1].Quantity
	}
	d.reach = max(0, min(d.reach, maxReach))
	return d.checkCamera()
}

// maxReach bounds the range of a sensor, m.
const maxReach = 2000.0

// mount is the pose of a device in the world.
type mount struct {
	at     geom.Vec
	height float64 // over the floor, m
	axes   [3]r3.Vec
}

// settle computes the device's pose in the root's frame for the current joint positions.
func (d *device) settle(m *Machine) {
	p := m.link(d.link).Then(d.desc.Pose)
	d.at, d.height = geom.Vec{X: p.Position.X, Y: p.Position.Y}, p.Position.Z
	for i, a := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		d.axes[i] = turned(p, a)
	}
	d.settled = m.links.count
	d.nothing, d.spread = d.desc.Table.Answer(d.reach)
	switch light, lamps := m.env.Ambient(); {
	case len(d.desc.Saturation) == 0:
		d.unsaturated = math.Inf(1)
	case lamps:
		d.unsaturated = math.Inf(-1)
	default:
		limit, deviation := d.desc.Saturation.Answer(light)
		d.unsaturated = limit - float64(noise.Most*deviation)
	}
}

// nearby reports whether it is a distance sensor of short range that can't detect the floor.
func (d *device) nearby() bool {
	return (d.desc.Kind == description.Infrared || d.desc.Kind == description.Sonar) && d.reach <= shortSight && d.axes[0].Z > -1e-6
}

// shortSight is the maximum range of sensors that share one list of nearby obstacles, m.
const shortSight = 0.3

// mount returns the pose of a device.
func (m *Machine) mount(d *device) mount {
	if m.links.stale || d.settled != m.links.count {
		d.settle(m)
	}
	facing := m.direction()
	w := mount{at: m.pose.Position().Add(d.at.Rotate(facing)), height: m.ground + d.height}
	for i, v := range d.axes {
		flat := geom.Vec{X: v.X, Y: v.Y}.Rotate(facing)
		w.axes[i] = r3.Vec{X: flat.X, Y: flat.Y, Z: v.Z}
	}
	return w
}

// direction returns that of a ray turned from the device's x axis about its z axis, then raised; both as unit vectors.
func (w *mount) direction(turn, lift geom.Vec) r3.Vec {
	x, y, z := float64(turn.X*lift.X), float64(turn.Y*lift.X), lift.Y
	a := &w.axes
	return r3.Vec{
		X: float64(a[0].X*x) + float64(a[1].X*y) + float64(a[2].X*z),
		Y: float64(a[0].Y*x) + float64(a[1].Y*y) + float64(a[2].Y*z),
		Z: float64(a[0].Z*x) + float64(a[1].Z*y) + float64(a[2].Z*z),
	}
}

// into transforms a vector of the world into the device's frame.
func (w *mount) into(v [3]float64) (out [3]float64) {
	for i, a := range w.axes {
		out[i] = float64(a.X*v[0]) + float64(a.Y*v[1]) + float64(a.Z*v[2])
	}
	return out
}

// noisy returns a value with the device's noise, bias and conversion; the deviation is that of its table. number is the
// index of the value among the device's values of a cycle.
func (m *Machine) noisy(d *device, value, deviation float64, number int) float64 {
	n := d.noise(number)
	value += n.Mean
	if m.env.Quiet() || math.IsInf(value, 0) {
		return n.Convert(value)
	}
	value += d.bias(n, number)
	if deviation == 0 && !n.Random() {
		return n.Convert(value)
	}
	dice := d.first
	if number > 0 {
		dice = d.dice.Stream(uint64(number))
	}
	cycle := uint64(m.env.Cycle())
	if deviation != 0 {
		value += float64(deviation * dice.Normal(2*cycle))
	}
	if own := n.Deviation + math.Abs(float64(n.Relative*value)); own != 0 {
		value += float64(own * dice.Normal(2*cycle+1))
	}
	return n.Convert(value)
}

// noise returns the noise of a value.
func (d *device) noise(number int) *description.Noise {
	if number < len(d.desc.Axes) {
		return &d.desc.Axes[number]
	}
	return &d.desc.Noise
}

// bias returns the constant offset of a value.
func (d *device) bias(n *description.Noise, number int) float64 {
	if n.BiasMean == 0 && n.BiasDeviation == 0 {
		return 0
	}
	dice := d.dice.Named("bias").Stream(uint64(number))
	v := n.BiasMean + float64(n.BiasDeviation*dice.Normal(0))
	if dice.Float64(1) < 0.5 {
		return -v
	}
	return v
}

// stepped rounds a value to the device's resolution.
func (d *device) stepped(v float64) float64 {
	if step := d.desc.Resolution; step > 0 {
		return float64(math.Round(v/step) * step)
	}
	return v
}
