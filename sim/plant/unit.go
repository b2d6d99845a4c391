// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/trace"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Unit is what robots of all levels have in common: where the robot was, what it may touch.
type Unit struct {
	world *World
	place int   // among the units, in the order of the world file
	plant Plant // the robot

	disc         bool `checkpoint:"-"` // of traits
	inAir        bool
	sampledInAir bool      // at the latest infrared cycle
	sampled      geom.Pose // the same

	contacts []int32          `checkpoint:"-"` // units that it may touch before the grid is sorted again
	meets    []int32          `checkpoint:"-"` // those of them that it may touch in the next cycles, in a dense world
	others   physics.Others   `checkpoint:"-"`
	numbers  []int32          `checkpoint:"-"` // scratch
	trace    *trace.Trace     // nil: nothing is recorded
	battery  *physics.Battery // nil: it needs none

	// From here on what most steps don't need: the rest has a few lines of the cache.
	traits     Traits `checkpoint:"-"`
	name       string
	key        uint64       // of the name, for the generators of those that hear it
	made       *world.Robot `checkpoint:"-"` // what it was made of
	off        []world.Part // what the robot does not carry
	collisions collisionCounter
	painted    bool // the LEDs show paint instead of what the robot commands
	paint      vmcu.LEDs

	first, past int          // of its solids among those of all robots
	colour      vcamera.RGB  `checkpoint:"-"` // of them
	env         *Environment `checkpoint:"-"` // nil until it is used
	grip        grip

	rab transceiver
}

// Traits are what a plant is like; they don't change.
type Traits struct {
	// Disc is set for a disc of physics.BodyRadius; else the scene has the robot's solids.
	Disc bool
	// Last is set if the robot makes its cycles after others.
	Last bool
	// Gripper is set if it may have a gripper.
	Gripper bool
	// Radius is that of the disc around its position that holds its solids, m.
	Radius float64
	// MaxWay is more than it moves in an infrared cycle, m.
	MaxWay float64
	// ContactReach is how far it is at the most from what it may push in an infrared cycle, m: see [ContactReach].
	ContactReach float64
}

// ContactReach is how far apart two bodies are at the most that may touch in an infrared cycle, m, where only e-puck2 robots
// push. Of others that is ContactReachFactor times the greatest way of one in a cycle: the solver looks for contacts within
// twice the sum of the velocities that a body has and is driven at.
const (
	ContactReach       = 0.015
	ContactReachFactor = 8
)

// Init makes the common part of a robot, which is not in the world yet. The plant completes it by Set.
func (u *Unit) Init(x *World, w *world.Robot, src noise.Source, plant Plant) {
	made := *w
	*u = Unit{
		world: x, plant: plant, name: w.Name, made: &made, key: noise.New(0).Named(w.Name).Uint64(0),
		rab: newTransceiver(src.Named("range and bearing")),
	}
	if x.Config.Trace {
		u.trace = trace.New(w.Name)
	}
}

// Set completes the common part: what the robot is like, its battery, nil for none, and where it starts.
func (u *Unit) Set(t Traits, battery *physics.Battery, at geom.Pose) {
	u.traits, u.disc, u.battery, u.sampled = t, t.Disc, battery, at
}

// Plant returns the robot.
func (u *Unit) Plant() Plant { return u.plant }

// World returns the robot's world.
func (u *Unit) World() *World { return u.world }

// Name returns the robot's name.
func (u *Unit) Name() string { return u.name }

// Made returns the description that the robot was made of.
func (u *Unit) Made() *world.Robot { return u.made }

// Trace returns the robot's trace; nil records nothing.
func (u *Unit) Trace() *trace.Trace { return u.trace }

// Battery returns the robot's battery, nil: it needs none.
func (u *Unit) Battery() *physics.Battery { return u.battery }

// InAir implements scene.Robot.
func (u *Unit) InAir() bool { return u.inAir }

// Radius implements scene.Robot.
func (u *Unit) Radius() float64 { return u.traits.Radius }

// Position implements scene.Robot.
func (u *Unit) Position() geom.Vec { return u.plant.Pose().Position() }

// Sampled returns where the robot was at the latest infrared cycle, and whether it was in the air.
func (u *Unit) Sampled() (at geom.Pose, inAir bool) { return u.sampled, u.sampledInAir }

// Dead reports whether the robot has no power.
func (u *Unit) Dead() bool { return u.battery != nil && u.battery.Dead() }

// LEDs returns what the robot's LEDs show.
func (u *Unit) LEDs() vmcu.LEDs {
	switch {
	case u.painted:
		return u.paint
	case u.Dead():
		return vmcu.LEDs{}
	}
	return u.plant.CommandedLEDs()
}

// Carries reports whether the robot has a part on, SetCarried puts it on or off.
func (u *Unit) Carries(p world.Part) bool { return !slices.Contains(u.off, p) }

// SetCarried puts a part on or off.
func (u *Unit) SetCarried(p world.Part, on bool) {
	u.off = slices.DeleteFunc(u.off, func(q world.Part) bool { return q == p })
	if !on {
		u.off = append(u.off, p)
	}
}

// Moved notes at the end of an infrared cycle where the robot is that has moved by the cycle, and whether it has touched
// something.
func (u *Unit) Moved(cycle int64, at geom.Pose, touched bool) {
	u.collisions.update(cycle, touched && !u.inAir)
	u.note(cycle, at)
	u.world.grid.Strayed(u.place, at.Position())
}

// Sample implements kernel.Body.
func (u *Unit) Sample(cycle int64) { u.note(cycle, u.plant.Pose()) }

// note notes that the unit is at a pose at the end of an infrared cycle.
func (u *Unit) note(cycle int64, at geom.Pose) {
	u.sampled, u.sampledInAir = at, u.inAir
	u.world.grid.Note(u.place, scene.Spot{At: at.Position(), InAir: u.inAir, Disc: u.disc})
	u.trace.Pose(cycle, at)
}

// Idle implements kernel.Body.
func (u *Unit) Idle() bool {
	return u.plant.Still() && u.rab.silent() && !(u.battery != nil && u.battery.Changing())
}

// Undisturbed implements kernel.Body: as long as the battery supplies the robot as it does.
func (u *Unit) Undisturbed() int64 {
	if u.battery == nil {
		return math.MaxInt64
	}
	return u.battery.Undisturbed()
}

// Skip implements kernel.Body.
func (u *Unit) Skip(steps int64) {
	if u.battery != nil {
		u.battery.Advance(steps, 0, 0)
	}
}

// GiveWay implements scene.Robot.
func (u *Unit) GiveWay(cycle int64, at, velocity geom.Vec) {
	var disc [1]geom.Shape
	way := at.Sub(u.plant.Solids(&disc)[0].Center())
	if way.Dot(way) > float64(u.traits.MaxWay*u.traits.MaxWay) { // the islands hold only for robots that drive
		u.world.grid.Scatter()
	}
	u.plant.GiveWayTo(at, velocity)
	u.Sample(cycle)
	u.world.grid.Strayed(u.place, u.plant.Position())
}

// DoesNotFit is the error of a robot that does not fit at a pose that it would be moved to.
func (u *Unit) DoesNotFit(p geom.Pose) error {
	return fmt.Errorf("robot %q to (%g, %g) m: %w", u.name, p.X, p.Y, u.world.Scene.PlacementError(p.Position(), u.traits.Radius))
}

// Occupied is the error of a robot that does not fit where it is.
func (u *Unit) Occupied() error {
	at := u.plant.Position()
	return fmt.Errorf("robot %q at (%g, %g) m: %w", u.name, at.X, at.Y, u.world.Scene.PlacementError(at, u.traits.Radius))
}
