// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is what users do with a robot of any level: the methods of sim.Robot that all levels have alike. It locks the
// world.
type Robot struct{ unit *Unit }

// RobotOf returns the user's side of a unit.
func RobotOf(u *Unit) Robot { return Robot{u} }

// Name returns the robot's name in the world file.
func (r Robot) Name() string { return r.unit.name }

// Model returns the name of the robot's description; it is empty for an e-puck2 of the two built-in levels.
func (r Robot) Model() string { return r.unit.made.Model }

// Cost returns what the robot's work costs its processor.
func (r Robot) Cost() world.Cost { return r.unit.made.Cost }

// Pose advances the world to the clock's time and returns the pose of the robot's frame.
func (r Robot) Pose() geom.Pose {
	r.unit.world.Enter()
	defer r.unit.world.Unlock()
	return r.unit.plant.Pose()
}

// Place puts the robot on the floor at a pose. It returns ErrRange for an invalid pose, and ErrOccupied and changes
// nothing if something is there.
func (r Robot) Place(pose geom.Pose) error {
	if err := scene.Finite(pose); err != nil {
		return err
	}
	u := r.unit
	var err error
	u.Act("placed", pose, func() {
		u.world.Kernel.Sense()
		if err = u.plant.Put(pose); err != nil {
			return
		}
		u.inAir, u.grip.held = false, "" // what it held stays where it was
		u.world.grid.Scatter()
		u.Dock()
	})
	return err
}

// PickUp takes the robot off the floor: its wheels spin freely, it sees no obstacles and is not seen.
func (r Robot) PickUp() {
	u := r.unit
	u.Act("picked up", nil, func() {
		u.world.Kernel.Sense()
		u.inAir = true
		u.world.grid.Scatter()
		u.Dock()
	})
}

// OverrideLEDs makes the LEDs show l instead of what the robot commands, or with on false what it commands again.
func (r Robot) OverrideLEDs(l vmcu.LEDs, on bool) {
	u := r.unit
	u.Act("LED override", l, func() { u.paint, u.painted = l, on })
}

// LensDistortion returns the coefficients k1, k2, p1, p2 and k3 of the camera's lens, as sensor_msgs/CameraInfo has
// them for the model plumb_bob.
func (r Robot) LensDistortion() []float64 {
	d := &r.unit.made.CameraModel.Distortion
	return []float64{d.K1, d.K2, d.P1, d.P2, d.K3}
}

// Record adds something to the robot's part of the trace: a topic and a message published on it, say.
func (r Robot) Record(topic string, message []byte) {
	u := r.unit
	if u.trace == nil {
		return
	}
	u.world.Lock()
	defer u.world.Unlock()
	u.trace.Message(u.world.Kernel.Time(), topic, message)
}

// Say sends a message of at most MaxMessage bytes, else ErrRange, to all robots around at the next exchange. The latest
// one counts.
func (r Robot) Say(payload []byte) error {
	r.unit.world.Enter()
	defer r.unit.world.Unlock()
	return r.unit.Say(payload)
}

// Listen begins to hear messages at every exchange, or ends it.
func (r Robot) Listen(on bool) {
	r.unit.world.Enter()
	defer r.unit.world.Unlock()
	r.unit.listenTo(on)
}

// Hear appends what the robot heard in the latest exchange, if it listens, and returns the age of the world then. The
// payloads are the caller's.
func (r Robot) Hear(dst []Heard) ([]Heard, time.Duration) {
	u := r.unit
	u.world.Enter()
	defer u.world.Unlock()
	for _, h := range u.rab.heard {
		h.Payload = append([]byte(nil), h.Payload...)
		dst = append(dst, h)
	}
	return dst, time.Duration(u.rab.heardAt) * vmcu.SamplePeriod
}

// Act advances the world to the clock's time, runs f and logs what was done.
func (u *Unit) Act(what string, value any, f func()) {
	x := u.world
	x.Enter()
	f()
	x.Unlock()
	if x.Config.Logger != nil {
		x.Config.Logger.Debug("robot "+what, "robot", u.name, "value", value)
	}
}

// KnownPart returns ErrNoPart for a part that is not one of some.
func KnownPart(parts []world.Part, p world.Part) error {
	if !slices.Contains(parts, p) {
		return fmt.Errorf("%w %q, there are %q", ErrNoPart, p, parts)
	}
	return nil
}
