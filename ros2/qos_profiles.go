// SPDX-License-Identifier: Apache-2.0

package ros2

import "time"

// DefaultQoS is ROS's default profile for topics: reliable, volatile, keep last 10.
func DefaultQoS() QoS { return QoS{Depth: DefaultDepth} }

// SystemDefaultQoS is the transport's default: with DDS as ROS uses it, the default profile. (With DDS's own defaults
// subscriptions would be best effort with depth 1.)
func SystemDefaultQoS() QoS { return DefaultQoS() }

// ClockQoS is the profile of a subscription to /clock: best effort, volatile, keep
// last 1.
func ClockQoS() QoS { return SensorDataQoS().WithDepth(1) }

// ActionStatusQoS is the profile of the status of actions: reliable, transient
// local, keep last 1.
func ActionStatusQoS() QoS { return LatchedQoS() }

// SensorDataQoS is for frequent messages of which only the newest matters: best effort, volatile, keep last 5.
func SensorDataQoS() QoS { return QoS{Reliability: BestEffort, Depth: 5} }

// ServicesQoS is the profile of requests and replies: reliable, volatile, keep
// last 10.
func ServicesQoS() QoS { return QoS{Depth: 10} }

// ParametersQoS is the profile of the parameter services: reliable, volatile,
// keep last 1000.
func ParametersQoS() QoS { return QoS{Depth: 1000} }

// ParameterEventsQoS is the profile of /parameter_events: reliable, volatile,
// keep last 1000.
func ParameterEventsQoS() QoS { return QoS{Depth: 1000} }

// RosoutQoS is the profile of /rosout: reliable, transient local, keep last 1000, lifespan 10 s.
func RosoutQoS() QoS {
	return QoS{Durability: TransientLocal, Depth: 1000, Lifespan: 10 * time.Second}
}

// TFQoS is the profile of /tf: reliable, volatile, keep last 100.
func TFQoS() QoS { return QoS{Depth: 100} }

// TFStaticQoS is the profile of the publisher of /tf_static: reliable,
// transient local, keep last 1.
func TFStaticQoS() QoS { return QoS{Durability: TransientLocal, Depth: 1} }

// TFStaticListenerQoS is the profile of a subscription to /tf_static: reliable,
// transient local, keep last 100, as several nodes may publish one message each.
func TFStaticListenerQoS() QoS { return QoS{Durability: TransientLocal, Depth: 100} }

// LatchedQoS is for state that a late subscription must get at once, such as maps and descriptions: reliable, transient
// local, keep last 1.
func LatchedQoS() QoS { return QoS{Durability: TransientLocal, Depth: 1} }

// QoSProfile returns the profile that the ros2 command knows by name: "default",
// "system_default", "sensor_data", "services_default", "parameters",
// "parameter_events", "rosout", "action_status_default", "clock" or
// "best_available".
func QoSProfile(name string) (QoS, bool) {
	switch name {
	case "default":
		return DefaultQoS(), true
	case systemDefault:
		return SystemDefaultQoS(), true
	case "sensor_data":
		return SensorDataQoS(), true
	case "services_default":
		return ServicesQoS(), true
	case "parameters":
		return ParametersQoS(), true
	case "parameter_events":
		return ParameterEventsQoS(), true
	case "rosout":
		return RosoutQoS(), true
	case "action_status_default":
		return ActionStatusQoS(), true
	case "clock":
		return ClockQoS(), true
	case bestAvailable:
		return BestAvailableQoS(), true
	}
	return QoS{}, false
}
