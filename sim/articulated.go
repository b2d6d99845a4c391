// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrModel is matched by the error of a world whose robots have models, in a program that can't simulate those.
var ErrModel = errors.New("sim: a robot with a model")

// CycleTime is the period in which articulated robots and those of the functional level move.
const CycleTime = vmcu.SamplePeriod

// Mechanism moves an [Articulated] robot; package machine implements it. The world calls its methods with its lock
// held. It calls Advance of robots that can't touch each other at once, from different goroutines, else in the order
// of the world file. A mechanism keeps its state in fields, so that checkpoints contain it, and derives its
// generators from the source that its maker is given.
type Mechanism interface {
	// Pose is that of the frame that Frame names.
	Pose() Pose
	// Frame is the name of the frame that the robot's pose is of.
	Frame() string
	// Twist is the speed forward, m/s, and the turning speed, rad/s.
	Twist() (v, omega float64)
	// Contact reports whether the robot touches something.
	Contact() bool
	// Place moves the robot to a pose.
	Place(p Pose)
	// Outline appends the robot's solids, discs and boxes, where they are now: as many each time.
	Outline(dst []geom.Shape) []geom.Shape
	// MaxWay is more than the frame moves in a cycle, m.
	MaxWay() float64
	// Advance advances the robot by a cycle of [CycleTime].
	Advance()
	// Mass is the mass of the robot, kg; 0: it has no wheels, and nothing moves it.
	Mass() float64
	// Lost is the way that movable things, which the robot drove against, took from it in the latest cycle, m.
	Lost() geom.Vec
	// Yield moves the robot at the end of a cycle, m: by the part of the lost way that the things it pushes allow, or
	// by the way that it is pushed.
	Yield(way geom.Vec)
	// Gripper returns where the robot's gripper is, how far from there (m) it holds something, and whether it is
	// closed: false of a robot without one.
	Gripper() (at geom.Vec, reach float64, closed bool)
	// Battery is the robot's battery, the same at each call, which the world advances; nil: the robot needs none.
	Battery() *physics.Battery
	// Still reports whether the robot does not move until a method is called that changes that.
	Still() bool
	// OverrideMotors changes the speed forward of the wheels.
	OverrideMotors(o MotorOverride)
	// LEDs returns what the LEDs show that are named as those of an e-puck2.
	LEDs() vmcu.LEDs
	// Parts returns the names of all devices, SetPart puts a device on or off.
	Parts() []Part
	SetPart(p Part, on bool)
	// AppendState appends to b what the trace contains of the robot in addition to its pose.
	AppendState(b []byte) []byte
}

// Wheeled is a mechanism that drives with a row of wheels on the left and one on the right.
type Wheeled interface {
	// WheelState returns the mean angles of both rows, rad, and their mean speeds, rad/s; zeros without wheels.
	WheelState() (angles, speeds [2]float64)
}

// MechanismMaker makes the mechanism of a robot of the world file, which sees the world through its environment.
type MechanismMaker func(w *world.Robot, env *Environment, src noise.Source) (Mechanism, error)

// Articulated is a robot with a model: links, joints and devices by a description, which its [Mechanism] moves.
type Articulated struct {
	unit
	env       Environment
	mechanism Mechanism
	first     int         // of its solids among those of all articulated robots
	last      int         // the one after
	colour    vcamera.RGB `checkpoint:"-"`
	resting   bool        `checkpoint:"-"` // it does not move until something is changed
	push      push
	held      string    // the movable thing that its gripper holds; empty: none
	grasp     geom.Pose // of that in the robot's frame
	free      geom.Pose // where it was when the held thing was last free to move with it
	shut      bool      // its gripper was closed in the latest cycle
}

// newArticulated makes an articulated robot.
func newArticulated(s *Simulation, w *world.Robot, src noise.Source) (*Articulated, error) {
	if s.opts.Mechanisms == nil {
		return nil, fmt.Errorf("%w: robot %q is a %q: this program simulates e-puck2 robots alone", ErrModel, w.Name, w.Model)
	}
	a := &Articulated{unit: newUnit(s, w, src)}
	a.plant, a.timing = a, afterOthers
	a.env = Environment{sim: s, robot: a, near: physics.NewNearby(nearReach)}
	mechanism, err := s.opts.Mechanisms(w, &a.env, src)
	if err != nil {
		return nil, fmt.Errorf("robot %q: %w", w.Name, err)
	}
	a.mechanism = mechanism
	at := mechanism.Pose()
	for _, o := range mechanism.Outline(nil) {
		a.radius = max(a.radius, o.Center().Sub(at.Position()).Norm()+o.Reach())
	}
	a.maxWay, a.battery = mechanism.MaxWay(), mechanism.Battery()
	a.meeting = float64(fasterMeeting * a.maxWay)
	a.sampled, a.push.begun = at, at.Position()
	return a, nil
}

// Level implements Robot: world.LevelDescribed.
func (a *Articulated) Level() string { return world.LevelDescribed }

// SetComputer implements Robot. What an articulated robot takes of its battery is its description's: it has no effect.
func (a *Articulated) SetComputer(float64) {}

// GroundTruth implements Robot: time, pose, twist, wheels, contacts and LEDs.
func (a *Articulated) GroundTruth() (t GroundTruth) {
	a.Do(func(m Mechanism) {
		t.Time, t.Pose, t.InAir, t.LEDs = a.sim.kernel.Time(), m.Pose(), a.inAir, a.leds()
		t.Collided = m.Contact()
		t.Collisions = a.collisions.count
		if w, ok := m.(Wheeled); ok {
			angles, speeds := w.WheelState()
			t.LeftWheel, t.RightWheel, t.LeftSpeed, t.RightSpeed = angles[0], angles[1], speeds[0], speeds[1]
		}
		if b := a.battery; b != nil {
			t.Charge, t.Charging, t.Weak, t.Dead = b.Charge(), b.Charging(), b.Weak(), b.Dead()
		}
		if !a.inAir {
			t.V, t.Omega = m.Twist()
		}
	})
	return t
}

// Outline implements Robot.
func (a *Articulated) Outline() (solids []geom.Shape, frame string) {
	a.Do(func(m Mechanism) {
		at := m.Pose()
		back := geom.Direction(-at.Theta)
		frame = m.Frame()
		for _, o := range m.Outline(nil) {
			to := at.Position().Unrotate(geom.Direction(at.Theta)).Scale(-1)
			solids = append(solids, o.Carried(to, back))
		}
	})
	return solids, frame
}

// Mechanism returns the implementation of the robot, for type assertions; its methods are called in Do.
func (a *Articulated) Mechanism() Mechanism { return a.mechanism }

// Do runs f at the present time, while the world does not advance. f must not call the simulation.
func (a *Articulated) Do(f func(Mechanism)) {
	s := a.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	s.muster()
	a.resting = false
	f(a.mechanism)
}

// The methods below implement plant.

func (a *Articulated) onEnter() {
	a.sim.articulated = append(a.sim.articulated, a)
	a.sim.outline()
}

func (a *Articulated) onLeave() {
	a.sim.articulated = slices.DeleteFunc(a.sim.articulated, func(o *Articulated) bool { return o == a })
	a.sim.outline()
}

func (a *Articulated) pose() geom.Pose { return a.mechanism.Pose() }

// move advances the robot by a cycle: it meets the others where they are at that time.
func (a *Articulated) move() (at geom.Pose, touched bool) {
	a.advance()
	return a.mechanism.Pose(), a.mechanism.Contact()
}

func (a *Articulated) advance() {
	if b := a.battery; b != nil {
		weak, dead := b.Weak(), b.Dead()
		b.Advance(kernel.StepsPerCycle, 0, 0)
		a.resting = a.resting && weak == b.Weak() && dead == b.Dead()
	}
	if a.resting {
		return
	}
	at := a.mechanism.Pose()
	a.env.moving = true
	a.mechanism.Advance()
	a.env.moving = false
	if a.inAir { // its wheels spin
		a.mechanism.Place(at)
	}
	a.mechanism.Outline(a.sim.solids[:a.first:a.last]) // as many as before, in their memory
	a.resting = a.mechanism.Still()
}

func (a *Articulated) still() bool { return a.resting || a.mechanism.Still() }

func (a *Articulated) put(p Pose) error {
	old := a.mechanism.Pose()
	a.resting = false
	a.mechanism.Place(p)
	if !a.fits() {
		a.mechanism.Place(old)
		return a.doesNotFit(p)
	}
	a.mechanism.Outline(a.sim.solids[:a.first:a.last])
	a.push, a.held = push{begun: p.Position()}, "" // what it held stays where it was
	return nil
}

func (a *Articulated) fits() bool {
	own := a.mechanism.Outline(nil)
	for i := range own {
		if _, hit, _ := a.env.Push(&own[i]); hit {
			return false
		}
	}
	return true
}

func (a *Articulated) solids(*[1]geom.Shape) []geom.Shape { return a.sim.solids[a.first:a.last] }

func (a *Articulated) appendTo(o *physics.Others) {
	for i := a.first; i < a.last; i++ {
		o.Solids = append(o.Solids, int32(i))
	}
}

func (a *Articulated) overlaps(at geom.Vec, radius float64) bool {
	for i := a.first; i < a.last; i++ {
		if v, hit := a.sim.solids[i].Push(at, radius); hit && v.Norm() > touch {
			return true
		}
	}
	return false
}

// covers looks at the solids, which have not moved since the robot was sampled.
func (a *Articulated) covers(at, dir geom.Vec, d float64) bool {
	for i := a.first; i < a.last; i++ {
		solid := &a.sim.solids[i]
		if t, hit := solid.Ray(at, dir); hit && t < d && solid.Height() >= physics.SensorHeight {
			return true
		}
	}
	return false
}

func (a *Articulated) draw(to *vcamera.Scene) {
	for i := a.first; i < a.last; i++ {
		to.Things = append(to.Things, vcamera.Thing{Shape: a.sim.solids[i], Colour: a.colour})
	}
}

func (a *Articulated) overrideMotors(o MotorOverride) {
	a.resting = false
	a.mechanism.OverrideMotors(o)
}

func (a *Articulated) commandedLEDs() vmcu.LEDs    { return a.mechanism.LEDs() }
func (a *Articulated) appendState(b []byte) []byte { return a.mechanism.AppendState(b) }

// push is the state of an articulated robot that pushes, as [physics.Body] has it for an e-puck2.
type push struct {
	begun  geom.Vec // where the robot was when the cycle began
	behind geom.Vec // velocity of the latest cycle, m/s, if it was pushing
	pushes bool     // it was
}

func (a *Articulated) mass() float64     { return a.mechanism.Mass() }
func (a *Articulated) lost() geom.Vec    { return a.mechanism.Lost() }
func (a *Articulated) wayMade() geom.Vec { return a.position().Sub(a.push.begun) }
func (a *Articulated) endPush()          { a.push = push{begun: a.position()} }

func (a *Articulated) momentum(otherwise geom.Vec) geom.Vec {
	if a.push.pushes {
		return a.push.behind
	}
	return otherwise
}

func (a *Articulated) giveWay(at, velocity geom.Vec) {
	a.mechanism.Yield(at.Sub(a.sim.solids[a.first].Center()))
	a.mechanism.Outline(a.sim.solids[:a.first:a.last])
	a.resting = false
	a.push = push{begun: a.position(), behind: velocity, pushes: true}
}

// outline notes where the solids of all articulated robots are, and chooses the colours of these.
func (s *Simulation) outline() {
	s.solids = s.solids[:0]
	for i, a := range s.articulated {
		a.first, a.colour = len(s.solids), colourOf(world.Paint(i+3))
		s.solids = a.mechanism.Outline(s.solids)
		a.last = len(s.solids)
	}
	s.scene.SetSolids(s.solids)
}

// Footprint returns the solids of a robot with a model around its frame, as in a world. The error is
// that of [Options.Mechanisms].
func (s *Simulation) Footprint(r world.Robot) ([]geom.Shape, error) {
	r.Position, r.Yaw = world.Point{}, 0
	a, err := newArticulated(s, &r, s.root.Named(r.Name))
	if err != nil {
		return nil, err
	}
	return a.mechanism.Outline(nil), nil
}
