// SPDX-License-Identifier: Apache-2.0

package articulated

import (
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
)

// moved implements mechanical.
func (a *dynamics) moved() Mechanism { return a.mechanism }

// Pose implements plant.Plant.
func (a *dynamics) Pose() geom.Pose { return a.mechanism.Pose() }

// EndCycle implements kernel.Body: the robot meets the others where they are at that time.
func (a *dynamics) EndCycle(cycle int64) {
	a.advance()
	a.Moved(cycle, a.mechanism.Pose(), a.mechanism.Contact())
}

// advance advances the robot by a cycle.
func (a *dynamics) advance() {
	if b := a.Battery(); b != nil {
		weak, dead := b.Weak(), b.Dead()
		b.Advance(kernel.StepsPerCycle, 0, 0)
		a.resting = a.resting && weak == b.Weak() && dead == b.Dead()
	}
	if a.resting {
		return
	}
	at := a.mechanism.Pose()
	a.SetMoving(true)
	a.mechanism.Advance()
	a.SetMoving(false)
	if a.InAir() { // its wheels spin
		a.mechanism.Place(at)
	}
	a.UpdateSolids()
	a.resting = a.mechanism.Still()
}

// Still implements plant.Plant.
func (a *dynamics) Still() bool { return a.resting || a.mechanism.Still() }

// Outline implements plant.Plant.
func (a *dynamics) Outline(dst []geom.Shape) []geom.Shape { return a.mechanism.Outline(dst) }

// Put implements plant.Plant.
func (a *dynamics) Put(p geom.Pose) error {
	old := a.mechanism.Pose()
	a.resting = false
	a.mechanism.Place(p)
	if !a.Fits() {
		a.mechanism.Place(old)
		return a.DoesNotFit(p)
	}
	a.UpdateSolids()
	a.push.End(p.Position())
	return nil
}

// Return implements plant.Plant.
func (a *dynamics) Return(p geom.Pose) {
	a.mechanism.Place(p)
	a.UpdateSolids()
	a.push.End(p.Position())
}

// Gripper implements plant.Plant.
func (a *dynamics) Gripper() (at geom.Vec, reach float64, closed bool) { return a.mechanism.Gripper() }

// OverrideMotors implements plant.Plant.
func (a *dynamics) OverrideMotors(o plant.MotorOverride) {
	a.resting = false
	a.mechanism.OverrideMotors(o)
}

// CommandedLEDs implements plant.Plant.
func (a *dynamics) CommandedLEDs() vmcu.LEDs { return a.mechanism.LEDs() }

// AppendState implements plant.Plant.
func (a *dynamics) AppendState(b []byte) []byte { return a.mechanism.AppendState(b) }

// Mass implements scene.Robot.
func (a *dynamics) Mass() float64 { return a.mechanism.Mass() }

// Lost implements scene.Robot.
func (a *dynamics) Lost() geom.Vec { return a.mechanism.Lost() }

// WayMade implements scene.Robot.
func (a *dynamics) WayMade() geom.Vec { return a.push.Made(a.Position()) }

// EndPush implements scene.Robot.
func (a *dynamics) EndPush() { a.push.End(a.Position()) }

// Momentum implements scene.Robot.
func (a *dynamics) Momentum(otherwise geom.Vec) geom.Vec {
	return a.push.Momentum(otherwise)
}

// GiveWayTo implements plant.Plant.
func (a *dynamics) GiveWayTo(at, velocity geom.Vec) {
	a.mechanism.Yield(at.Sub(a.Solids(nil)[0].Center()))
	a.UpdateSolids()
	a.resting = false
	a.push.GiveWay(a.Position(), velocity)
}
