// SPDX-License-Identifier: Apache-2.0

// Package articulated simulates robots with a model: links, joints and devices by a description, which a [Mechanism]
// moves. Package machine implements it, which programs that simulate e-puck2 robots alone do without.
package articulated

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrModel is matched by the error of a world whose robots have models, in a program that can't simulate those. Its text
// is that of package sim, in which users find it.
var ErrModel = errors.New("sim: a robot with a model")

// Robot is a robot with a model.
type Robot struct {
	d dynamics // first: its beginning is what steps need
	plant.Robot
}

// dynamics is the robot as its world moves and measures it: it implements plant.Plant.
type dynamics struct {
	plant.Unit
	env       Environment
	mechanism Mechanism
	resting   bool `checkpoint:"-"` // it does not move until something is changed
	push      physics.Pusher
}

// New makes a robot of a checked world file, which is not in the world yet, and its unit. maker makes its mechanism; the
// errors are its own, and ErrModel for nil. The caller does not hold the lock.
func New(x *plant.World, w *world.Robot, src noise.Source, maker Maker) (*Robot, *plant.Unit, error) {
	if maker == nil {
		return nil, nil, fmt.Errorf("%w: robot %q is a %q: this program simulates e-puck2 robots alone", ErrModel, w.Name, w.Model)
	}
	r := &Robot{}
	a := &r.d
	a.Init(x, w, src, a)
	r.Robot = plant.RobotOf(&a.Unit)
	a.env = Environment{a.Unit.Environment(), a}
	mechanism, err := maker(w, &a.env, src)
	if err != nil {
		return nil, nil, fmt.Errorf("robot %q: %w", w.Name, err)
	}
	a.mechanism = mechanism
	at, t := mechanism.Pose(), plant.Traits{Last: true, Gripper: true, MaxWay: mechanism.MaxWay()}
	for _, o := range mechanism.Outline(nil) {
		t.Radius = max(t.Radius, o.Center().Sub(at.Position()).Norm()+o.Reach())
	}
	t.ContactReach = float64(plant.ContactReachFactor * t.MaxWay)
	a.Set(t, mechanism.Battery(), at)
	a.push.End(at.Position())
	return r, &a.Unit, nil
}

// Footprint returns the solids of a robot with a model around its frame, as in a world. The errors are those of New.
func Footprint(x *plant.World, w world.Robot, maker Maker) ([]geom.Shape, error) {
	w.Position, w.Yaw = world.Point{}, 0
	r, _, err := New(x, &w, x.Source(w.Name), maker)
	if err != nil {
		return nil, err
	}
	return r.d.mechanism.Outline(nil), nil
}

// Level returns world.LevelDescribed.
func (r *Robot) Level() string { return world.LevelDescribed }

// SetComputer has no effect: what an articulated robot takes of its battery is its description's.
func (r *Robot) SetComputer(float64) {}

// GroundTruth advances the world to the clock's time and returns the robot's true state: time, pose, twist, wheels,
// contacts and LEDs.
func (r *Robot) GroundTruth() (t plant.GroundTruth) {
	r.Do(func(m Mechanism) {
		t = r.d.Unit.GroundTruth()
		t.Collided = m.Contact()
		if w, ok := m.(Wheeled); ok {
			angles, speeds := w.WheelState()
			t.LeftWheel, t.RightWheel, t.LeftSpeed, t.RightSpeed = angles[0], angles[1], speeds[0], speeds[1]
		}
		if !t.InAir {
			t.V, t.Omega = m.Twist()
		}
	})
	return t
}

// Outline returns the robot's solids around its frame, and that frame's name.
func (r *Robot) Outline() (solids []geom.Shape, frame string) {
	r.Do(func(m Mechanism) {
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
func (r *Robot) Mechanism() Mechanism { return r.d.mechanism }

// Do runs f at the present time, while the world does not advance. f must not call the simulation.
func (r *Robot) Do(f func(Mechanism)) {
	x := r.d.World()
	x.Enter()
	defer x.Unlock()
	x.SortedGrid()
	r.d.resting = false
	f(r.d.mechanism)
}

// Parts returns the names of the devices that are on.
func (r *Robot) Parts() (on []world.Part) {
	r.Do(func(m Mechanism) {
		on = slices.DeleteFunc(m.Parts(), func(p world.Part) bool { return !r.d.Carries(p) })
	})
	return on
}

// RemovePart takes a device off, which measures nothing any more. It returns ErrNoPart for an unknown one.
func (r *Robot) RemovePart(p world.Part) error { return r.refit(p, false) }

// AddPart puts a device on. It returns ErrNoPart for an unknown one.
func (r *Robot) AddPart(p world.Part) error { return r.refit(p, true) }

func (r *Robot) refit(p world.Part, on bool) (err error) {
	r.Do(func(m Mechanism) {
		if err = plant.KnownPart(m.Parts(), p); err != nil {
			return
		}
		r.d.SetCarried(p, on)
		m.SetPart(p, on)
	})
	return err
}
