// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/articulated"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Machine is the mechanism of a described robot. Its methods may only be called by the world or in
// [articulated.Robot.Do].
type Machine struct {
	desc   *description.Robot       `checkpoint:"-"`
	env    *articulated.Environment `checkpoint:"-"`
	root   string                   `checkpoint:"-"` // the link without a parent
	solids []geom.Shape             `checkpoint:"-"` // in the frame of the root
	ground float64                  `checkpoint:"-"` // height of the root over the floor, m

	pose    geom.Pose // of the root
	facing  geom.Vec  // direction of its x axis; zero: not computed
	turns   uint      // number of incremental rotations of facing
	reach   float64   `checkpoint:"-"` // radius of all solids around the root, m
	thin    float64   `checkpoint:"-"` // radius of the largest disc that fits into each of the solids, m
	watch   float64   // radius of the ranges of nearby sensors around the root, m
	watched int64     `checkpoint:"-"` // the cycle in which rays has their obstacles, −1 for none …
	changes uint64    `checkpoint:"-"` // … and the environment's count of changes at that time
	joints  []joint
	moving  []int `checkpoint:"-"` // indices of the joints that move by themselves
	base    *base // nil: it can't drive
	devices []device
	gripper int `checkpoint:"-"` // the first device that is one, −1 for none
	links   skeleton

	override         plant.MotorOverride
	forward, turning float64  // true velocities, m/s and rad/s
	acceleration     float64  // forward, m/s²
	before           float64  // forward in the cycle before, m/s
	lost             geom.Vec // movement that movable things prevented in this cycle, m
	mass             float64  `checkpoint:"-"` // kg
	contacting       bool
	battery          *physics.Battery // nil without one

	rays  plant.RayCaster `checkpoint:"-"` // scratch
	scene vcamera.Scene   `checkpoint:"-"`
}

// Maker returns the maker of a world's mechanisms: parse reads a description from the world file's folder, load finds
// one by its name.
func Maker(parse func(name string, text []byte) (*description.Robot, error), load func(name string) (*description.Robot, error)) articulated.Maker {
	return func(w *world.Robot, env *articulated.Environment, src noise.Source) (articulated.Mechanism, error) {
		read := func() (*description.Robot, error) { return load(w.Model) }
		if w.Description != nil {
			read = func() (*description.Robot, error) { return parse(w.Model, w.Description) }
		}
		desc, err := read()
		if err != nil {
			return nil, err
		}
		return New(desc, w, env, src)
	}
}

// New returns the robot of a description at the pose of the world file. The error matches [ErrModel] or those of
// [description.Robot.Check].
func New(desc *description.Robot, w *world.Robot, env *articulated.Environment, src noise.Source) (*Machine, error) {
	if err := desc.Check(); err != nil {
		return nil, err
	}
	desc = withBattery(desc, w)
	m := &Machine{desc: desc, env: env, battery: newPower(desc, w.Battery), watched: -1, thin: math.Inf(1), pose: geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: geom.WrapAngle(w.Yaw)}}
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
		base.bound(m.joints)
	}
	if err := checkSolids(desc); err != nil {
		return nil, err
	}
	var lowest float64
	m.solids, lowest = solidsOf(desc, &m.links)
	if m.ground = -lowest; m.base != nil {
		m.ground = m.base.radius - m.base.height
	}
	for i := range m.solids {
		m.solids[i] = m.solids[i].Raised(m.ground)
		m.reach = max(m.reach, m.solids[i].Center().Norm()+m.solids[i].Reach())
		m.thin = min(m.thin, max(slimmest, m.solids[i].Inradius()))
	}
	m.mass = massOf(desc, m.reach)
	m.gripper = slices.IndexFunc(desc.Devices, func(d description.Device) bool { return d.Kind == description.Gripper })
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

// direction returns the direction of the root's x axis, a unit vector.
func (m *Machine) direction() geom.Vec {
	if m.facing == (geom.Vec{}) {
		m.facing = geom.Direction(m.pose.Theta)
	}
	return m.facing
}

// Description implements Devices.
func (m *Machine) Description() *description.Robot { return m.desc }

// Time implements Devices.
func (m *Machine) Time() time.Duration { return m.env.Time() }

// Pose implements articulated.Mechanism: the pose of the root's frame, seen from above.
func (m *Machine) Pose() geom.Pose { return m.pose }

// Frame implements articulated.Mechanism: the root link.
func (m *Machine) Frame() string { return m.root }

// Place implements articulated.Mechanism.
func (m *Machine) Place(p geom.Pose) {
	p.Theta = geom.WrapAngle(p.Theta)
	m.pose, m.facing, m.contacting, m.watched, m.lost = p, geom.Vec{}, false, -1, geom.Vec{}
}

// Outline implements articulated.Mechanism.
func (m *Machine) Outline(dst []geom.Shape) []geom.Shape {
	facing, at, n := m.direction(), m.pose.Position(), len(dst)
	dst = slices.Grow(dst, len(m.solids))[:n+len(m.solids)]
	for i := range m.solids {
		m.solids[i].CarryTo(&dst[n+i], at, facing)
	}
	return dst
}

// Still implements articulated.Mechanism.
func (m *Machine) Still() bool {
	for _, i := range m.moving {
		if !m.joints[i].still() {
			return false
		}
	}
	return m.forward == 0 && m.turning == 0 && m.acceleration == 0
}

// Advance implements articulated.Mechanism: first the joints move, then the wheels carry the body.
func (m *Machine) Advance() {
	if m.base != nil {
		m.steer()
	}
	weak := m.battery != nil && m.battery.Weak()
	for _, i := range m.moving {
		m.joints[i].weak = weak
		if j := &m.joints[i]; j.advance(dt) && j.bears {
			m.links.stale = true
		}
	}
	if m.base == nil {
		return
	}
	m.before, m.lost = m.forward, geom.Vec{}
	m.roll(dt)
	m.acceleration = (m.forward - m.before) / dt
}

// AppendState implements articulated.Mechanism: the joints.
func (m *Machine) AppendState(b []byte) []byte {
	for i := range m.joints {
		if j := &m.joints[i]; j.moves {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(j.position))
		}
	}
	return b
}

// Contact implements articulated.Mechanism.
func (m *Machine) Contact() bool { return m.contacting }

// Twist returns the true forward speed (m/s) and turning speed (rad/s).
func (m *Machine) Twist() (v, omega float64) { return m.forward, m.turning }

// device returns a device by its index.
func (m *Machine) device(i int) (*device, error) {
	if i < 0 || i >= len(m.devices) {
		return nil, fmt.Errorf("%w: number %d of %d", ErrDevice, i, len(m.devices))
	}
	return &m.devices[i], nil
}
