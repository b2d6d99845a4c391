// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// commandSink passes the messages of the subscribed topics to a driver.
type commandSink struct{ d *Driver }

var _ table.Commands = commandSink{}

func (w commandSink) Joints(m *sensor_msgs.JointState) { w.d.onJoints(m) }
func (w commandSink) Red(led int, on bool)             { w.d.loop.SetRed(led, on) }
func (w commandSink) Colour(led int, rgb uint32)       { w.d.loop.SetRGB(led, mcu.RGBFromHex(rgb)) }
func (w commandSink) BoardLED(led int, rgb int32)      { w.d.onBoardLED(led, rgb) }

// Twist stores a velocity command and wakes the wheels' loop. A command with a value that is not finite is rejected;
// the previous motion then continues until its timeout.
func (w commandSink) Twist(m *geometry_msgs.Twist) {
	d := w.d
	now, set := d.clock.Now(), d.settings.Load()
	left, right, err := set.TwistSteps(m)
	if err != nil {
		if d.nonsense.Allow(now) {
			d.log.Warn("cmd_vel rejected", "error", err)
		}
		return
	}
	geometry := &set.Wheels
	d.loop.Drive(wheels.Speeds{Left: mcu.Speed(left), Right: mcu.Speed(right)})
	if scale := geometry.Scale(m.Linear.X, m.Angular.Z); d.overspeed.begins(now, scale) {
		d.log.Warn("cmd_vel exceeds the robot's speed: both wheels are slowed down by the same factor, which keeps the curvature",
			"linear", m.Linear.X, "angular", m.Angular.Z, "driven_linear", thousandths(m.Linear.X*scale), "driven_angular", thousandths(m.Angular.Z*scale),
			"max_wheel_speed", geometry.MaxSpeed)
	}
}

// Melody plays a melody once.
func (w commandSink) Melody(number int) {
	d := w.d
	if err := d.loop.PlayMelody(number); err != nil && d.nonsense.Allow(d.clock.Now()) {
		d.log.Warn("melody rejected", "error", fmt.Errorf("%w: %w", errCommand, err))
	}
}

// onBoardLED sets an LED of the board to the colour 0xRRGGBB; each colour component is on unless it is 0.
func (d *Driver) onBoardLED(led int, colour int32) {
	if err := d.devices.LEDs.Set(led, pipuck.ColourOf(uint32(colour))); err != nil && d.nonsense.Allow(d.clock.Now()) {
		d.log.Warn("LED command rejected", "error", err)
	}
	d.mailbox.Notify()
}

// onJoints receives wheel speeds by joint name, with the same timeout as cmd_vel. Other joints are ignored; a message
// that lacks one of the wheels or has a value that is not finite is rejected.
func (d *Driver) onJoints(m *sensor_msgs.JointState) {
	set := d.settings.Load()
	left, right, err := set.JointSteps(m)
	if err != nil {
		if now := d.clock.Now(); d.nonsense.Allow(now) {
			d.log.Warn("joint command rejected", "error", err)
		}
		return
	}
	d.loop.Drive(wheels.Speeds{Left: mcu.Speed(left), Right: mcu.Speed(right)})
	geometry := &set.Wheels
	speeds, _ := table.JointSpeeds(m) // validated above
	if scale := geometry.JointScale(speeds[0], speeds[1]); d.overspeed.begins(d.clock.Now(), scale) {
		d.log.Warn("joint_commands exceeds the robot's speed: both wheels are slowed down by the same factor",
			"left", speeds[0], "right", speeds[1], "driven_left", thousandths(speeds[0]*scale), "driven_right", thousandths(speeds[1]*scale),
			"max_wheel_speed", geometry.MaxSpeed)
	}
}
