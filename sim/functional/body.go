// SPDX-License-Identifier: Apache-2.0

package functional

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Body is an e-puck2 as it moves and is measured at every level: a disc on two wheels with a battery, and what its sensors
// measure with. A level embeds it and moves its wheels: this package by formulas, package firmware by the motors of the
// virtual microcontroller.
type Body struct {
	Chassis *physics.Body // before the unit: both are needed at once
	plant.Unit
	Eyes    *physics.Eyes
	Ranger  *physics.Ranger // nil until it is used
	Inertia *physics.Inertia
	Motion  physics.Motion
}

// Init makes the body of a robot, which differs from the drawing as the world file says. p is the plant that embeds it.
func (e *Body) Init(x *plant.World, w *world.Robot, src noise.Source, p plant.Plant) {
	e.Unit.Init(x, w, src, p)
	e.Chassis = physics.NewBody(geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: w.Yaw}, w.WheelDistance)
	e.Eyes = physics.NewEyes(src.Named("infrared"), x.Config.Quiet)
	e.Inertia = physics.NewInertia(src.Named("inertia"), x.Config.Quiet)
	e.vary(w, src.Named("variation"))
	t := plant.Traits{Disc: true, Radius: physics.BodyRadius, ContactReach: plant.ContactReach, MaxWay: float64(scene.CycleWay * e.Chassis.Stretch())}
	e.Set(t, physics.NewBattery(w.Battery.Capacity, w.Battery.Charge), e.Chassis.Pose())
}

// vary makes the robot differ from the drawing as the world file says.
func (e *Body) vary(w *world.Robot, dice noise.Source) {
	v := w.Variation
	if v.WheelRadii == (world.Radii{}) {
		v.WheelRadii = world.Radii{physics.WheelRadius, physics.WheelRadius}
	}
	if v.WheelRadii != (world.Radii{physics.WheelRadius, physics.WheelRadius}) || v.Slip != 0 {
		e.Chassis.SetWheels(v.WheelRadii[0], v.WheelRadii[1], v.Slip, v.SlipLength, dice.Named("wheels"))
	}
	if v.Infrared != 0 {
		e.Eyes.Vary(v.Infrared, dice.Named("infrared"))
	}
	if v.Inertial != 0 {
		e.Inertia.Vary(v.Inertial, dice.Named("inertial"))
	}
}

// epuckFrame is the frame that an e-puck2's pose is of.
const epuckFrame = "base_link"

// Outline returns the solids of an e-puck2 around its frame, and that frame's name.
func Outline() (solids []geom.Shape, frame string) {
	return []geom.Shape{geom.NewDisc(geom.Vec{}, physics.BodyRadius, physics.BodyHeight)}, epuckFrame
}

// GroundTruth returns what is known alike at both levels: all but the motion and what the robot plays.
func (e *Body) GroundTruth() plant.GroundTruth {
	t := e.Unit.GroundTruth()
	t.Collided, t.Voltage = e.Chassis.Contact(), e.Battery().Voltage()
	return t
}

// Pose implements plant.Plant.
func (e *Body) Pose() geom.Pose { return e.Chassis.Pose() }

// Position implements scene.Robot.
func (e *Body) Position() geom.Vec { return e.Chassis.Position() }

// Put implements plant.Plant.
func (e *Body) Put(pose geom.Pose) error {
	if at := pose.Position(); !e.free(at) {
		return e.DoesNotFit(pose)
	}
	e.Chassis.Place(pose)
	return nil
}

// Return implements plant.Plant.
func (e *Body) Return(pose geom.Pose) { e.Chassis.Place(pose) }

// Fits implements scene.Robot.
func (e *Body) Fits() bool { return e.free(e.Chassis.Position()) }

// free reports whether the body would touch nothing at a place.
func (e *Body) free(at geom.Vec) bool {
	return e.World().Physics.Free(at, e.OnFloor(at, 2*physics.BodyRadius))
}

// Solids implements scene.Robot.
func (e *Body) Solids(scratch *[1]geom.Shape) []geom.Shape {
	scratch[0] = geom.NewDisc(e.Chassis.Position(), physics.BodyRadius, physics.BodyHeight)
	return scratch[:]
}

// AppendTo implements plant.Plant.
func (e *Body) AppendTo(o *physics.Others) { o.Discs = append(o.Discs, e.Chassis.Position()) }

// Overlaps implements scene.Robot.
func (e *Body) Overlaps(at geom.Vec, radius float64) bool {
	reach := radius + physics.BodyRadius
	v := e.Chassis.Position().Sub(at)
	return v.Dot(v) < float64(reach*reach)
}

// Covers implements plant.Plant.
func (e *Body) Covers(at, dir geom.Vec, d float64) bool {
	sampled, _ := e.Sampled()
	t, hit := geom.RayDisc(at.Sub(sampled.Position()), dir, physics.BodyRadius)
	return hit && t < d
}

// Draw implements plant.Plant.
func (e *Body) Draw(to *vcamera.Scene) {
	to.Bodies = append(to.Bodies, vcamera.Body{Pose: e.Chassis.Pose(), LEDs: glow(e.LEDs())})
}

// Mass implements scene.Robot.
func (e *Body) Mass() float64 { return physics.Mass }

// Lost implements scene.Robot.
func (e *Body) Lost() geom.Vec { return e.Chassis.Pushing() }

// WayMade implements scene.Robot.
func (e *Body) WayMade() geom.Vec { return e.Chassis.Made() }

// Momentum implements scene.Robot.
func (e *Body) Momentum(otherwise geom.Vec) geom.Vec { return e.Chassis.Momentum(otherwise) }

// GiveWayTo implements plant.Plant.
func (e *Body) GiveWayTo(at, velocity geom.Vec) { e.Chassis.Yield(at, velocity) }

// EndPush implements scene.Robot.
func (e *Body) EndPush() { e.Chassis.EndCycle() }

// MotorSteps returns an override in the motors' steps, which are 0.13 mm/s.
func (e *Body) MotorSteps(o plant.MotorOverride) vmcu.MotorOverride {
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
		motors.Turning, motors.Half = true, steps(float64(o.Turn*e.Made().WheelDistance/2))
	}
	return motors
}

// Twist returns the speed forward (m/s) and the turning speed (rad/s) that wheels of these speeds (steps/s) make and
// obstacles leave.
func (e *Body) Twist(left, right float64) (v, omega float64) {
	v, omega = e.Chassis.Twist(left, right)
	return float64(v * e.Chassis.Grip()), omega + float64(v*e.Chassis.Veer())
}

// Target returns what is before the time-of-flight sensor as the chip's light meets it. The background counts half a
// million a second at 1 W/m²; plausible.
func (e *Body) Target() vtof.Target {
	at := e.Chassis.Pose()
	echo := e.Ranger.Look(e.World().Physics, at, e.Ahead(at.Position()), e.InAir())
	return vtof.Target{Distance: echo.Distance, Reflectance: echo.Share, Ambient: echo.Light / 2}
}

// Warm is the temperature in the robot, °C; plausible.
const Warm = 30.0

// IMUModel returns the model of a robot's IMU.
func IMUModel(w *world.Robot) vimu.Model {
	if w.IMU == world.IMUICM20948 {
		return vimu.ICM20948
	}
	return vimu.MPU9250
}
