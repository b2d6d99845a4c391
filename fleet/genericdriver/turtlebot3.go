// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"math"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/turtlebot3_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// sensorState is a topic of a TurtleBot3's node that does not belong to a device.
const sensorState = "sensor_state"

// makersOfModel returns additional components of a robot, by the description's name.
func makersOfModel(desc *description.Robot) map[string]Maker {
	if strings.HasPrefix(desc.Name, "turtlebot3") && desc.Drive != nil {
		return map[string]Maker{sensorState: func(c *Context) (Component, error) { return offerSensorState(c, desc) }}
	}
	return nil
}

// stepsPerTurn is the resolution of the encoders of a TurtleBot3's motors.
const stepsPerTurn = 4096

// offerSensorState returns the publisher of a TurtleBot3's controller board: the encoders, and that the motors have
// torque. Nothing else is connected, no button is pressed, and the battery's voltage is unknown.
func offerSensorState(c *Context, desc *description.Robot) (Component, error) {
	joint := func(names []string) int {
		for i := range desc.Joints {
			if len(names) > 0 && desc.Joints[i].Name == names[0] {
				return i
			}
		}
		return -1
	}
	left, right := joint(desc.Drive.Left), joint(desc.Drive.Right)
	steps := func(d machine.Devices, joint int) int32 {
		turns := d.Joint(joint).Position / (2 * math.Pi)
		// The counter wraps, as the real one does.
		return int32(int64(math.Round(float64(turns * stepsPerTurn))))
	}
	return Offer(c, c.Settings.Topic, func(m *turtlebot3_msgs.SensorState, d machine.Devices, now time.Time) bool {
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.LeftEncoder, m.RightEncoder = steps(d, left), steps(d, right)
		m.Torque, m.Battery = true, float32(math.NaN())
		return true
	})
}
