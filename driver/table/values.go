// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// newVolume returns the builder of the volume at microphone i. The robot's values reach 65,535; the type of the topic,
// which programs for this robot expect, ends at 32,767: it saturates there, and diagnostics counts how often.
func newVolume(i int) func(m *std_msgs.Int16, r *Reading) bool {
	return func(m *std_msgs.Int16, r *Reading) bool {
		m.Data = int16(min(r.Sensors.Microphone[i], math.MaxInt16))
		return true
	}
}

// newButton returns the builder of the button's state: the first one and each change.
func newButton() func(m *std_msgs.Bool, r *Reading) bool {
	known := false
	return func(m *std_msgs.Bool, r *Reading) bool {
		if r.Sensors.Refused.Has(mcu.ValueSelector) || known && m.Data == r.Sensors.Button {
			return false
		}
		known, m.Data = true, r.Sensors.Button
		return true
	}
}

// newSelector returns the builder of the selector's position: the first one and each change.
func newSelector() func(m *std_msgs.UInt8, r *Reading) bool {
	known := false
	return func(m *std_msgs.UInt8, r *Reading) bool {
		if r.Sensors.Refused.Has(mcu.ValueSelector) || known && m.Data == r.Sensors.Selector {
			return false
		}
		known, m.Data = true, r.Sensors.Selector
		return true
	}
}

// newRemote returns the builder of the TV remote control's commands. The robot keeps the last command for ever, so the
// first reading tells nothing, nor does the first one after a time in which the robot was away: only what changes while
// we watch was pressed now.
func newRemote() func(m *std_msgs.UInt8, r *Reading) bool {
	return func(m *std_msgs.UInt8, r *Reading) bool {
		pressed := !r.First && m.Data != r.Sensors.Remote
		m.Data = r.Sensors.Remote
		return pressed
	}
}
