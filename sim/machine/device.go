// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// device is one device of a robot.
type device struct {
	desc  *robots.Device `checkpoint:"-"`
	link  int            `checkpoint:"-"`
	joint int            `checkpoint:"-"` // of an encoder or a motor, −1: none
	reach float64        `checkpoint:"-"` // of what measures distances, m
	dice  noise.Source
	first noise.Source // of its first number

	at              geom.Vec // in the root, as settle finds it
	height          float64
	axes            [3]r3.Vec
	settled         uint64  // the skeleton's count then
	nothing, spread float64 `checkpoint:"-"` // what a distance sensor answers that sees nothing, and its deviation

	color [3]float64 // of an LED
	inbox []letter   // of a receiver
	bytes int        // in it

	off    bool // not carried
	camera *eye `checkpoint:"-"` // of a camera, nil until it is used
}

// farthest is how far a distance sensor sees that does not say it, m.
const farthest = 10.0

// build makes device i of a description.
func (d *device) build(desc *robots.Robot, i int, m *Machine, dice noise.Source) error {
	*d = device{desc: &desc.Devices[i], dice: dice, first: dice.Stream(0), joint: -1, reach: farthest}
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

// maxReach bounds how far a sensor sees, m.
const maxReach = 2000.0

// mount is where a device is in the world.
type mount struct {
	at     geom.Vec
	height float64 // over the floor, m
	axes   [3]r3.Vec
}

// settle computes where the device is in the root, as the joints stand.
func (d *device) settle(m *Machine) {
	p := m.link(d.link).Then(d.desc.Pose)
	d.at, d.height = geom.Vec{X: p.Position.X, Y: p.Position.Y}, p.Position.Z
	for i, a := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		d.axes[i] = turned(p, a)
	}
	d.settled = m.links.count
	d.nothing, d.spread = d.desc.Table.Answer(d.reach)
}

// nearby reports whether it is a distance sensor that sees neither far nor the floor.
func (d *device) nearby() bool {
	return (d.desc.Kind == robots.Infrared || d.desc.Kind == robots.Sonar) && d.reach <= shortSight && d.axes[0].Z > -1e-6
}

// shortSight is how far sensors see that share what is in sight, m.
const shortSight = 0.3

// mount gives where a device is.
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

// direction is that of a ray turned from the device's x axis about its z axis, and then lifted, both rad.
func (w *mount) direction(turn, lift geom.Vec) r3.Vec {
	x, y, z := float64(turn.X*lift.X), float64(turn.Y*lift.X), lift.Y
	a := &w.axes
	return r3.Vec{
		X: float64(a[0].X*x) + float64(a[1].X*y) + float64(a[2].X*z),
		Y: float64(a[0].Y*x) + float64(a[1].Y*y) + float64(a[2].Y*z),
		Z: float64(a[0].Z*x) + float64(a[1].Z*y) + float64(a[2].Z*z),
	}
}

// into gives a vector of the world in the device's frame.
func (w *mount) into(v [3]float64) (out [3]float64) {
	for i, a := range w.axes {
		out[i] = float64(a.X*v[0]) + float64(a.Y*v[1]) + float64(a.Z*v[2])
	}
	return out
}

// noisy returns what the device's noise, bias and converter make of a value, whose table has a deviation, too: number
// of the values of a cycle that it is.
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

// noise returns that of a value of a number.
func (d *device) noise(number int) *robots.Noise {
	if number < len(d.desc.Axes) {
		return &d.desc.Axes[number]
	}
	return &d.desc.Noise
}

// bias returns the offset of a value of a number, which stays the same.
func (d *device) bias(n *robots.Noise, number int) float64 {
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
