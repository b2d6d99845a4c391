// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Outfit returns what the robot carries.
func (a *Agent) Outfit() Outfit { return a.made.Outfit }

// Volume returns what the four microphones measure, right, left, back, front: peak to peak over 10 ms, counts.
func (c *Control) Volume() (v [4]uint16) {
	var at [4]float64
	c.a.sim.scene.Heard(c.a.body.Pose(), &at)
	for i := range v {
		v[i] = c.a.sound.Volume(c.a.ears, i, c.a.sim.time, at[i])
	}
	return v
}

// PlayMelody starts melody 1 to 3 unless one is playing; other numbers do nothing.
func (c *Control) PlayMelody(number uint8) { c.a.sound.Play(c.a.sim.time, number) }

// Field returns what the magnetometer of the IMU measures in the robot's frame, T.
func (c *Control) Field() physics.Vec3 {
	a, s := c.a, c.a.sim
	return a.imu.Field(a.inertia.Magnetic(s.field, a.body.Pose().Theta, physics.Attitude{}), uint64(s.cycle))
}

// SetBoardLED sets LED i (0 to 2, others do nothing) of the Pi-puck: 0b00000BGR.
func (c *Control) SetBoardLED(i int, colour byte) {
	if i >= 0 && i < len(c.a.boardLamps) {
		c.a.boardLamps[i] = colour & 7
	}
}

// Remote returns the latest code of a TV remote control, and how many there have been.
func (c *Control) Remote() (code uint8, presses uint64) { return c.a.remote, c.a.presses }

// SetSound sets the amplitude of the sound around the robot, in counts of its 16-bit microphones; 0 is a quiet room.
func (a *Agent) SetSound(amplitude float64) { a.Do(func(*Control) { a.sound.Set(amplitude) }) }

// SendRemote points a TV remote at the robot and sends a command code, 0 to 127, else ErrRange. It tells of it and does
// nothing else: what the codes do to a real robot is its firmware's.
func (a *Agent) SendRemote(code int) error {
	if code < 0 || code > 127 {
		return fmt.Errorf("%w: remote code %d, must be 0 to 127", ErrRange, code)
	}
	a.Do(func(*Control) { a.remote, a.presses = uint8(code), a.presses+1 })
	return nil
}
