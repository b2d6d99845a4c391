// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/robots"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Machine is a robot by its description, a guest of a world. Its methods are for the time in which the world calls it,
// or [sim.Visitor.Do] does.
type Machine struct {
	desc   *robots.Robot `freeze:"-"`
	site   *sim.Site     `freeze:"-"`
	root   string        `freeze:"-"` // the link that is not held by another one
	solids []geom.Shape  `freeze:"-"` // in the frame of the root
	ground float64       `freeze:"-"` // height of the root over the floor, m

	pose    geom.Pose // of the root
	facing  geom.Vec  // where it looks; zero: not computed
	turns   uint      // how often that has been turned on
	reach   float64   `freeze:"-"` // of the solids around the root, m
	watch   float64   // of the sensors that see no farther than nearby, around the root, m
	watched int64     `freeze:"-"` // the cycle in which sight is what they see, −1: it is not …
	changes uint64    `freeze:"-"` // … and what had changed until then
	joints  []joint
	moving  []int `freeze:"-"` // those of them that move by themselves
	base    *base // nil: it stands where it stands
	devices []device
	links   skeleton

	forward, turning float64 // what the wheels make and obstacles leave, m/s and rad/s
	acceleration     float64 // forward, m/s²
	touching         bool
	touched          uint64 // how often it has begun to
	energy           float64

	sight sim.Sight     `freeze:"-"` // scratch
	scene vcamera.Scene `freeze:"-"`
}

// Maker makes the guests of worlds: parse reads a description beside the world file, load finds one by its name.
func Maker(parse func(name string, text []byte) (*robots.Robot, error), load func(name string) (*robots.Robot, error)) sim.GuestMaker {
	return func(w *world.Robot, site *sim.Site, src noise.Source) (sim.Guest, error) {
		read := func() (*robots.Robot, error) { return load(w.Model) }
		if w.Description != nil {
			read = func() (*robots.Robot, error) { return parse(w.Model, w.Description) }
		}
		desc, err := read()
		if err != nil {
			return nil, err
		}
		return New(desc, w, site, src)
	}
}

// New makes the robot of a description at the place that the world file says. The error matches [ErrModel] or those of
// [robots.Robot.Check].
func New(desc *robots.Robot, w *world.Robot, site *sim.Site, src noise.Source) (*Machine, error) {
	if err := desc.Check(); err != nil {
		return nil, err
	}
	m := &Machine{desc: desc, site: site, watched: -1, pose: geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: geom.WrapAngle(w.Yaw)}}
	var err error
	if m.root, err = desc.Root(); err != nil {
		return nil, err
	}
	m.joints = makeJoints(desc)
	for i := range m.joints {
		if m.joints[i].moves {
			m.moving = append(m.moving, i)
		}
	}
	if err := m.links.build(desc, m.joints); err != nil {
		return nil, err
	}
	if desc.Drive != nil {
		base, err := newBase(desc, &m.links, m.joints, &w.Variation, src.Named("slip"))
		if err != nil {
			return nil, err
		}
		m.base = base
	}
	var lowest float64
	m.solids, lowest = solidsOf(desc, &m.links)
	if m.ground = -lowest; m.base != nil {
		m.ground = m.base.radius - m.base.height
	}
	for i := range m.solids {
		m.solids[i] = m.solids[i].Raised(m.ground)
		m.reach = max(m.reach, m.solids[i].Center().Norm()+m.solids[i].Reach())
	}
	m.devices = make([]device, len(desc.Devices))
	for i := range desc.Devices {
		if err := m.devices[i].build(desc, i, m, src.Named("device").Named(desc.Devices[i].Name)); err != nil {
			return nil, err
		}
		m.devices[i].settle(m)
		if d := &m.devices[i]; d.nearby() {
			m.watch = max(m.watch, d.at.Norm()+d.reach)
		}
	}
	return m, nil
}

// direction is where the root looks, a unit vector.
func (m *Machine) direction() geom.Vec {
	if m.facing == (geom.Vec{}) {
		m.facing = geom.Direction(m.pose.Theta)
	}
	return m.facing
}

// Description implements Devices.
func (m *Machine) Description() *robots.Robot { return m.desc }

// Time implements Devices.
func (m *Machine) Time() time.Duration { return m.site.Time() }

// Pose implements sim.Guest, as the methods below do: where the root's frame is, seen from above.
func (m *Machine) Pose() sim.Pose { return m.pose }

// Frame implements sim.Guest: the root link.
func (m *Machine) Frame() string { return m.root }

// Place implements sim.Guest.
func (m *Machine) Place(p sim.Pose) {
	p.Theta = geom.WrapAngle(p.Theta)
	m.pose, m.facing, m.touching, m.watched = p, geom.Vec{}, false, -1
}

// Outline implements sim.Guest.
func (m *Machine) Outline(dst []geom.Shape) []geom.Shape {
	facing, at, n := m.direction(), m.pose.Position(), len(dst)
	dst = slices.Grow(dst, len(m.solids))[:n+len(m.solids)]
	for i := range m.solids {
		m.solids[i].CarryTo(&dst[n+i], at, facing)
	}
	return dst
}

// Still implements sim.Guest.
func (m *Machine) Still() bool {
	for _, i := range m.moving {
		if !m.joints[i].still() {
			return false
		}
	}
	return m.forward == 0 && m.turning == 0 && m.acceleration == 0
}

// Advance implements sim.Guest: first the joints move, then the wheels carry the body.
func (m *Machine) Advance() {
	const dt = float64(sim.CycleTime) / float64(time.Second)
	for _, i := range m.moving {
		if j := &m.joints[i]; j.advance(dt) && j.bears {
			m.links.stale = true
		}
	}
	if m.base == nil {
		return
	}
	before := m.forward
	m.roll(dt)
	m.acceleration = (m.forward - before) / dt
}

// AppendState implements sim.Guest: the joints, and how often it has bumped into something.
func (m *Machine) AppendState(b []byte) []byte {
	for i := range m.joints {
		if j := &m.joints[i]; j.moves {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(j.position))
		}
	}
	return binary.LittleEndian.AppendUint64(b, m.touched)
}

// Contacts counts how often the robot has begun to touch something.
func (m *Machine) Contacts() uint64 { return m.touched }

// Twist is the speed forward (m/s) and the turning speed (rad/s) that the wheels make and obstacles leave.
func (m *Machine) Twist() (v, omega float64) { return m.forward, m.turning }

// device gives a device by its place.
func (m *Machine) device(i int) (*device, error) {
	if i < 0 || i >= len(m.devices) {
		return nil, fmt.Errorf("%w: number %d of %d", ErrDevice, i, len(m.devices))
	}
	return &m.devices[i], nil
}
