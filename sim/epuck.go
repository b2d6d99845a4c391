// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// epuck is what an e-puck2 is at both of its levels: a disc on two wheels with a battery, and what its sensors measure
// with.
type epuck struct {
	body *physics.Body // before the unit: both are needed at once
	unit
	eyes    *physics.Eyes
	ranger  *physics.Ranger // nil until it is used
	inertia *physics.Inertia
	motion  physics.Motion
}

// newEpuck makes the common part of an e-puck2, which differs from the drawing as the world file says.
func newEpuck(s *Simulation, w *world.Robot, src noise.Source) epuck {
	e := epuck{
		unit:    newUnit(s, w, src),
		body:    physics.NewBody(geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: w.Yaw}, w.WheelDistance),
		eyes:    physics.NewEyes(src.Named("infrared"), s.opts.Quiet),
		inertia: physics.NewInertia(src.Named("inertia"), s.opts.Quiet),
	}
	e.disc, e.radius, e.meeting = true, physics.BodyRadius, meeting
	e.battery = physics.NewBattery(w.Battery.Capacity, w.Battery.Charge)
	e.sampled = e.body.Pose()
	e.vary(w, src.Named("variation"))
	e.maxWay = float64(cycleWay * e.body.Stretch())
	return e
}

// vary makes the robot differ from the drawing as the world file says.
func (e *epuck) vary(w *world.Robot, dice noise.Source) {
	v := w.Variation
	if v.WheelRadii == (world.Radii{}) {
		v.WheelRadii = world.Radii{physics.WheelRadius, physics.WheelRadius}
	}
	if v.WheelRadii != (world.Radii{physics.WheelRadius, physics.WheelRadius}) || v.Slip != 0 {
		e.body.SetWheels(v.WheelRadii[0], v.WheelRadii[1], v.Slip, v.SlipLength, dice.Named("wheels"))
	}
	if v.Infrared != 0 {
		e.eyes.Vary(v.Infrared, dice.Named("infrared"))
	}
	if v.Inertial != 0 {
		e.inertia.Vary(v.Inertial, dice.Named("inertial"))
	}
}

// Level implements Robot.
func (e *epuck) Level() string { return cmp.Or(e.made.Level, world.LevelFirmware) }

// epuckFrame is the frame that an e-puck2's pose is of.
const epuckFrame = "base_link"

// Outline implements Robot.
func (e *epuck) Outline() (solids []geom.Shape, frame string) {
	return []geom.Shape{geom.NewDisc(geom.Vec{}, physics.BodyRadius, physics.BodyHeight)}, epuckFrame
}

// SetComputer sets the current of the robot's computer above its current at rest, A.
func (e *epuck) SetComputer(current float64) {
	e.sim.mu.Lock()
	defer e.sim.mu.Unlock()
	e.sim.catchUp()
	e.battery.SetComputer(current)
}

// groundTruth returns what is known alike at both levels: all but the motion and what the robot plays.
func (e *epuck) groundTruth() GroundTruth {
	return GroundTruth{
		Time: e.sim.kernel.Time(), Pose: e.body.Pose(),
		Collided: e.body.Contact(), Collisions: e.collisions.count, InAir: e.inAir,
		Charge: e.battery.Charge(), Voltage: e.battery.Voltage(), Charging: e.battery.Charging(),
		Weak: e.battery.Weak(), Dead: e.battery.Dead(), LEDs: e.leds(),
	}
}

// The methods below implement plant.

func (e *epuck) pose() geom.Pose { return e.body.Pose() }

func (e *epuck) put(pose geom.Pose) error {
	if !e.sim.scene.Free(pose.Position(), e.crowded(pose.Position())) {
		return e.doesNotFit(pose)
	}
	e.body.Place(pose)
	return nil
}

func (e *epuck) fits() bool {
	at := e.body.Position()
	return e.sim.scene.Free(at, e.crowded(at))
}

// crowded returns the robots that an e-puck2's body at p may touch, but not this one.
func (e *epuck) crowded(p geom.Vec) *physics.Others {
	s := e.sim
	s.muster()
	e.numbers = s.crowd.Around(p, 2*physics.BodyRadius, e.numbers[:0])
	return e.onFloor(e.numbers)
}

// ahead returns the robots that matter to the time-of-flight sensor.
func (e *epuck) ahead() *physics.Others {
	s := e.sim
	s.muster()
	e.numbers = s.scene.RangeWitnesses(&s.crowd, e.body.Position(), e.numbers[:0])
	return e.onFloor(e.numbers)
}

func (e *epuck) solids(scratch *[1]geom.Shape) []geom.Shape {
	scratch[0] = geom.NewDisc(e.body.Position(), physics.BodyRadius, physics.BodyHeight)
	return scratch[:]
}

func (e *epuck) appendTo(o *physics.Others) { o.Discs = append(o.Discs, e.body.Position()) }

func (e *epuck) overlaps(at geom.Vec, radius float64) bool {
	reach := radius + physics.BodyRadius
	v := e.body.Position().Sub(at)
	return v.Dot(v) < float64(reach*reach)
}

func (e *epuck) covers(at, dir geom.Vec, d float64) bool {
	t, hit := geom.RayDisc(at.Sub(e.sampled.Position()), dir, physics.BodyRadius)
	return hit && t < d
}

func (e *epuck) draw(to *vcamera.Scene) {
	to.Bodies = append(to.Bodies, vcamera.Body{Pose: e.body.Pose(), LEDs: glow(e.leds())})
}

// moved returns what move does, when the body has moved.
func (e *epuck) moved() (at geom.Pose, touched bool) { return e.body.Pose(), e.body.ContactSinceLast() }

func (e *epuck) mass() float64                        { return physics.Mass }
func (e *epuck) lost() geom.Vec                       { return e.body.Pushing() }
func (e *epuck) wayMade() geom.Vec                    { return e.body.Made() }
func (e *epuck) momentum(otherwise geom.Vec) geom.Vec { return e.body.Momentum(otherwise) }
func (e *epuck) giveWay(at, velocity geom.Vec)        { e.body.Yield(at, velocity) }
func (e *epuck) endPush()                             { e.body.EndCycle() }

// motorOverride returns an override in the motors' steps: see OverrideMotors.
func (e *epuck) motorOverride(o MotorOverride) vmcu.MotorOverride {
	steps := func(v float64) int {
		return int(math.Round(max(-vmcu.SpeedLimit, min(vmcu.SpeedLimit, v/(2*physics.HalfStep)))))
	}
	motors := vmcu.MotorOverride{Held: o.Held, Limited: o.Limited}
	if o.Held {
		motors.Forward = steps(o.Speed)
	}
	if o.Limited {
		motors.Limit = steps(o.Limit)
	}
	if o.Turning {
		motors.Turning, motors.Half = true, steps(float64(o.Turn*e.made.WheelDistance/2))
	}
	return motors
}

// twist returns the speed forward (m/s) and the turning speed (rad/s) that wheels of these speeds (steps/s) make and
// obstacles leave.
func (e *epuck) twist(left, right float64) (v, omega float64) {
	v, omega = e.body.Twist(left, right)
	return float64(v * e.body.Grip()), omega + float64(v*e.body.Veer())
}
