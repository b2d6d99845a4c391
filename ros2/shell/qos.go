// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// qosOptions returns the options for the quality of service.
func qosOptions() []option {
	return []option{
		{names: "--qos-profile", metavar: "PROFILE", help: "Quality of service preset profile",
			choices: []string{"unknown", "system_default", "sensor_data", "services_default", "parameters", "parameter_events", "action_status_default"}},
		{names: "--qos-depth", metavar: "N", help: "Queue size (overrides that of the profile)", check: isInteger},
		{names: "--qos-history", metavar: "HISTORY", help: "History (overrides that of the profile)",
			choices: []string{"system_default", "keep_last", "keep_all", "unknown"}},
		{names: "--qos-reliability", metavar: "RELIABILITY", help: "Reliability (overrides that of the profile)",
			choices: []string{"system_default", "reliable", "best_effort", "unknown"}},
		{names: "--qos-durability", metavar: "DURABILITY", help: "Durability (overrides that of the profile)",
			choices: []string{"system_default", "transient_local", "volatile", "unknown"}},
	}
}

// qosGiven reports whether one of the options is on the command line.
func (a *arguments) qosGiven() bool {
	for _, o := range qosOptions() {
		if a.flag(o.names) {
			return true
		}
	}
	return false
}

// qos returns q with the changes of the options.
func (a *arguments) qos(q ros2.QoS) ros2.QoS {
	if name := a.value("--qos-profile", ""); name != "" {
		q = profile(name)
	}
	switch a.value("--qos-history", "") {
	case "keep_last":
		q.History = ros2.KeepLast
	case "keep_all":
		q.History = ros2.KeepAll
	}
	switch a.value("--qos-reliability", "") {
	case "reliable":
		q.Reliability = ros2.Reliable
	case "best_effort":
		q.Reliability = ros2.BestEffort
	}
	switch a.value("--qos-durability", "") {
	case "transient_local":
		q.Durability = ros2.TransientLocal
	case "volatile":
		q.Durability = ros2.Volatile
	}
	if n := a.integer("--qos-depth", -1); n > 0 {
		q.Depth = n
	}
	return q
}

// profile returns a profile by the ros2 command's name of it.
func profile(name string) ros2.QoS {
	if name == "action_status_default" {
		return ros2.LatchedQoS()
	}
	if q, ok := ros2.QoSProfile(name); ok {
		return q
	}
	return ros2.DefaultQoS()
}

// publishers returns the publishers of a topic.
func publishers(g ros2.Graph, topic string) []ros2.EndpointInfo {
	var out []ros2.EndpointInfo
	for _, e := range g.EndpointsOn(topic) {
		if e.Kind == ros2.PublisherEndpoint {
			out = append(out, e)
		}
	}
	return out
}

func isInteger(v string) error {
	if _, ok := wholeNumber(v); !ok {
		return fmt.Errorf("invalid int value: '%s'", v)
	}
	return nil
}
