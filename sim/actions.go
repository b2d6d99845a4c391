// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// PressButton presses (true) or releases the user button.
func (r *Firmware) PressButton(pressed bool) {
	r.act("button", pressed, func() { r.mcu.SetButton(pressed) })
}

// TurnSelector turns the rotary selector to a position, 0 to 15, else ErrRange.
// The firmware reports each position, and heeds 10 at its start; at some
// positions it sees a turn to 10 later, see [vmcu.MCU.SetSelector].
func (r *Firmware) TurnSelector(position int) error {
	if position < 0 || position > 15 {
		return fmt.Errorf("%w: selector position %d, must be 0 to 15", ErrRange, position)
	}
	r.act("selector", position, func() { r.mcu.SetSelector(uint8(position)) })
	return nil
}

// SendRemote points a TV remote at the robot and sends a command code, 0 to
// 127, else ErrRange; those from 64 are extended (RC5-X). Some codes move the
// robot: 2 forward, 8 backward, 4 left, 6 right, 5 stop …
func (r *Firmware) SendRemote(code int) error {
	if code < 0 || code > 127 {
		return fmt.Errorf("%w: remote code %d, must be 0 to 127", ErrRange, code)
	}
	r.act("remote", code, func() { r.mcu.Remote(uint8(code)) })
	return nil
}

// SetSound sets the amplitude of the sound around the robot, in counts of its
// 16-bit microphones; 0 is silence.
func (r *Firmware) SetSound(amplitude float64) {
	r.act("sound", amplitude, func() { r.mcu.SetSound(amplitude) })
}

// Restart resets the robot's main processor: counters, speeds, calibration and
// the last reply are gone, and for Options.BootTime it does not answer.
func (r *Firmware) Restart() { r.act("restart", nil, r.mcu.Restart) }

// Tilt leans the robot, on the floor or in the air: first rolled about the x
// axis, then pitched about the y axis, rad within ±π, right-handed as in REP 103:
// positive roll lifts the left side, negative pitch lifts the nose. Only inertial
// and magnetic sensors notice. Place levels it.
func (r *Firmware) Tilt(roll, pitch float64) error {
	if !(math.Abs(roll) <= math.Pi && math.Abs(pitch) <= math.Pi) {
		return fmt.Errorf("%w: roll %g and pitch %g rad, must be within ±π", ErrRange, roll, pitch)
	}
	a := physics.Attitude{Roll: roll, Pitch: pitch}
	r.act("tilted", a, func() { r.attitude = a })
	return nil
}

// InjectToF sets what is wrong with the time-of-flight sensor itself; the zero
// value mends it. Failures of its transfers: Bus().FaultsAt(0x29).
func (r *Firmware) InjectToF(f vtof.Faults) {
	r.act("time of flight fault", f, func() { r.devices.tof.Inject(f) })
}

// InjectIMU sets what is wrong with the inertial sensor itself; the zero value
// mends it. Failures of its transfers: Bus().FaultsAt(0x68).
func (r *Firmware) InjectIMU(f vimu.Faults) {
	r.act("inertial sensor fault", f, func() { r.devices.imu.Inject(f) })
}

// SetComputer sets the current of the robot's computer above its current at rest, A.
func (r *Firmware) SetComputer(current float64) {
	r.sim.mu.Lock()
	defer r.sim.mu.Unlock()
	r.sim.catchUp()
	r.battery.SetComputer(current)
}

// SetCharge fills the battery to a share of its capacity, 0 to 1, else ErrRange.
func (r *Firmware) SetCharge(share float64) error {
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("%w: charge %g, must be 0 to 1", ErrRange, share)
	}
	r.act("charge", share, func() {
		r.battery.SetCharge(share)
		r.power()
	})
	return nil
}

func finite(p Pose) error {
	for _, v := range []float64{p.X, p.Y, p.Theta} {
		if math.IsNaN(v) || math.Abs(v) > 1e6 {
			return fmt.Errorf("%w: pose (%g, %g, %g)", ErrRange, p.X, p.Y, p.Theta)
		}
	}
	return nil
}

// Move puts a named wall, box or cylinder, by its middle, or a named light at a
// pose (the heading of lights and cylinders means nothing). It returns
// ErrNoThing for an unknown name, and ErrOccupied and changes nothing if a
// robot is there. A gripper that holds the thing loses it.
func (s *Simulation) Move(name string, pose Pose) (err error) {
	if err := finite(pose); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	t, ok := s.things[name]
	if !ok {
		return fmt.Errorf("%w %q", ErrNoThing, name)
	}
	s.settle()
	if t.light {
		l := s.scene.Light(t.index)
		l.Position = pose.Position()
		s.scene.SetLight(t.index, l)
		return nil
	}
	if a := holder(s.articulated, name); a != nil {
		a.held = ""
		defer func() {
			if err != nil {
				a.held = name
			}
		}()
	}
	old := s.scene.Shape(t.index)
	s.scene.SetShape(t.index, old.Moved(pose.Position(), pose.Theta))
	for _, u := range s.units {
		if !u.inAir && !u.plant.fits() {
			s.scene.SetShape(t.index, old)
			return fmt.Errorf("%q onto robot %q: %w", name, u.name, ErrOccupied)
		}
	}
	return s.moveLoads(name, t.index, old)
}
