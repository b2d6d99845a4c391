// SPDX-License-Identifier: Apache-2.0

package msgs

import "github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"

// DefinitionJazzy is [Definition], except that types whose fields changed after ROS 2 Humble have the fields of ROS 2
// Jazzy, which the driver publishes.
func DefinitionJazzy(rosType string) (fields string, ok bool) {
	var latest jazzy.Range
	if rosType == latest.ROSType() {
		fields, _ = latest.TypeDefinition()
		return fields, true
	}
	return Definition(rosType)
}
