// SPDX-License-Identifier: Apache-2.0

package firmware

import (
	"cmp"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// PressButton presses (true) or releases the user button.
func (r *Robot) PressButton(pressed bool) {
	r.d.Act("button", pressed, func() { r.d.mcu.SetButton(pressed) })
}

// TurnSelector turns the rotary selector to a position, 0 to 15, else ErrRange.
// The firmware reports each position, and heeds 10 at its start; at some
// positions it sees a turn to 10 later, see [vmcu.MCU.SetSelector].
func (r *Robot) TurnSelector(position int) error {
	if position < 0 || position > 15 {
		return fmt.Errorf("%w: selector position %d, must be 0 to 15", scene.ErrRange, position)
	}
	r.d.Act("selector", position, func() { r.d.mcu.SetSelector(uint8(position)) })
	return nil
}

// SendRemote points a TV remote at the robot and sends a command code, 0 to
// 127, else ErrRange; those from 64 are extended (RC5-X). Some codes move the
// robot: 2 forward, 8 backward, 4 left, 6 right, 5 stop …
func (r *Robot) SendRemote(code int) error {
	if code < 0 || code > 127 {
		return fmt.Errorf("%w: remote code %d, must be 0 to 127", scene.ErrRange, code)
	}
	r.d.Act("remote", code, func() { r.d.mcu.Remote(uint8(code)) })
	return nil
}

// SetSound sets the amplitude of the sound around the robot, in counts of its
// 16-bit microphones; 0 is silence.
func (r *Robot) SetSound(amplitude float64) {
	r.d.Act("sound", amplitude, func() { r.d.mcu.SetSound(amplitude) })
}

// Restart resets the robot's main processor: counters, speeds, calibration and
// the last reply are gone, and for Options.BootTime it does not answer.
func (r *Robot) Restart() { r.d.Act("restart", nil, r.d.mcu.Restart) }

// Tilt leans the robot, on the floor or in the air: first rolled about the x
// axis, then pitched about the y axis, rad within ±π, right-handed as in REP 103:
// positive roll lifts the left side, negative pitch lifts the nose. Only inertial
// and magnetic sensors notice. Place levels it.
func (r *Robot) Tilt(roll, pitch float64) error {
	if !(math.Abs(roll) <= math.Pi && math.Abs(pitch) <= math.Pi) {
		return fmt.Errorf("%w: roll %g and pitch %g rad, must be within ±π", scene.ErrRange, roll, pitch)
	}
	a := physics.Attitude{Roll: roll, Pitch: pitch}
	r.d.Act("tilted", a, func() { r.d.attitude = a })
	return nil
}

// InjectToF sets what is wrong with the time-of-flight sensor itself; the zero
// value mends it. Failures of its transfers: Bus().FaultsAt(0x29).
func (r *Robot) InjectToF(f vtof.Faults) {
	r.d.Act("time of flight fault", f, func() { r.d.devices.tof.Inject(f) })
}

// InjectIMU sets what is wrong with the inertial sensor itself; the zero value
// mends it. Failures of its transfers: Bus().FaultsAt(0x68).
func (r *Robot) InjectIMU(f vimu.Faults) {
	r.d.Act("inertial sensor fault", f, func() { r.d.devices.imu.Inject(f) })
}

// SetComputer sets the current of the robot's computer above its current at rest, A.
func (r *Robot) SetComputer(current float64) {
	r.d.World().Enter()
	defer r.d.World().Unlock()
	r.d.Battery().SetComputer(current)
}

// SetCharge fills the battery to a share of its capacity, 0 to 1, else ErrRange.
func (r *Robot) SetCharge(share float64) error {
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("%w: charge %g, must be 0 to 1", scene.ErrRange, share)
	}
	r.d.Act("charge", share, func() {
		r.d.Battery().SetCharge(share)
		r.d.power()
	})
	return nil
}

// Level returns the level of the world file: world.LevelFirmware, or world.LevelTarget, whose computer is not of this
// package.
func (r *Robot) Level() string { return cmp.Or(r.d.Made().Level, world.LevelFirmware) }

// Outline returns the robot's solids around its frame, and that frame's name.
func (r *Robot) Outline() (solids []geom.Shape, frame string) { return functional.Outline() }

// GroundTruth advances the world to the clock's time and returns the robot's true state.
func (r *Robot) GroundTruth() plant.GroundTruth {
	d := &r.d
	d.World().Enter()
	defer d.World().Unlock()
	const halfStepAngle = 2 * math.Pi / (2 * vmcu.StepsPerTurn)
	left, right := d.wheelSpeeds()
	t := d.GroundTruth()
	t.LeftWheel, t.RightWheel = float64(d.left-d.stalled[0])*halfStepAngle, float64(d.right-d.stalled[1])*halfStepAngle
	t.LeftSpeed, t.RightSpeed = left*2*halfStepAngle, right*2*halfStepAngle
	t.Roll, t.Pitch = d.attitude.Roll, d.attitude.Pitch
	t.Melody, t.Calibrating, t.Selector = d.mcu.Melody(), d.mcu.Calibrating(), d.mcu.Selector()
	for i := range t.BoardLEDs {
		t.BoardLEDs[i] = d.pi.ft903.LED(i)
	}
	if !d.InAir() {
		t.V, t.Omega = d.twist()
	}
	return t
}

// InfraredOffset returns what calibration takes off proximity sensor i (0 to
// 7), counts; 0 for other i.
func (r *Robot) InfraredOffset(i int) float64 {
	if i < 0 || i > 7 {
		return 0
	}
	return r.d.Eyes.Offset(i) // never changes
}
