// SPDX-License-Identifier: Apache-2.0

package msgs

import "github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"

// DefinitionJazzy returns what [Definition] returns, except for the types whose fields changed after ROS 2 Humble:
// those have the fields of ROS 2 Jazzy, which is the form that the driver publishes.
func DefinitionJazzy(rosType string) (fields string, ok bool) {
	var latest jazzy.Range
	if rosType == latest.ROSType() {
		fields, _ = latest.TypeDefinition()
		return fields, true
	}
	return Definition(rosType)
}
