// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"fmt"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// demands are the values that the decoders of Humble (up to files) and Jazzy (all) require, by the path in
// metadata.yaml (rosbag2_storage's metadata_io.cpp and yaml.hpp). A missing value or one of another kind is an
// exception there.
var demands = map[string]string{
	"version": "int", "storage_identifier": "string", "duration.nanoseconds": "int", "starting_time.nanoseconds_since_epoch": "int",
	"message_count": "int", "compression_format": "string", "compression_mode": "string", "relative_file_paths": "list",
	"topics_with_message_count": "list", "files": "list", "custom_data": "map", "ros_distro": "string",
}

var topicDemands = map[string]string{
	"topic_metadata.name": "string", "topic_metadata.type": "string", "topic_metadata.serialization_format": "string",
	"topic_metadata.offered_qos_profiles": "string", "topic_metadata.type_description_hash": "string", "message_count": "int",
}

var fileDemands = map[string]string{
	"path": "string", "starting_time.nanoseconds_since_epoch": "int", "duration.nanoseconds": "int", "message_count": "int",
}

// profileDemands are those of Humble, which knows numbers alone.
var profileDemands = map[string]string{
	"history": "int", "depth": "int", "reliability": "int", "durability": "int", "deadline.sec": "int", "deadline.nsec": "int",
	"lifespan.sec": "int", "lifespan.nsec": "int", "liveliness": "int", "liveliness_lease_duration.sec": "int",
	"liveliness_lease_duration.nsec": "int", "avoid_ros_namespace_conventions": "bool",
}

// satisfies checks a node against demands.
func satisfies(t *testing.T, where string, n map[string]any, demands map[string]string) {
	t.Helper()
	for path, want := range demands {
		if got := kindAt(n, path); got != want {
			t.Errorf("%s: %s is %s, want %s", where, path, got, want)
		}
	}
}

// kindAt returns the kind of the value at a dotted path.
func kindAt(n any, path string) string {
	var rest string
	for i := range path {
		if path[i] == '.' {
			path, rest = path[:i], path[i+1:]
			break
		}
	}
	m, _ := n.(map[string]any)
	switch v := m[path].(type) {
	case map[string]any:
		if rest != "" {
			return kindAt(v, rest)
		}
		return "map"
	case int64: // a large integer, where an int has 32 bits
		return "int"
	case []any:
		return "list"
	case int, uint64:
		return "int"
	default:
		return fmt.Sprintf("%T", v)
	}
}

// TestMetadataAreWhatHumbleAndJazzyDecode: of an empty bag, as it is when recording begins, and of one with all there
// is. No rosbag2 runs here: scripts/test-rosbag2.sh does that where one is sourced.
func TestMetadataAreWhatHumbleAndJazzyDecode(t *testing.T) {
	topics := []*Topic{
		{Name: "/none", Type: "std_msgs/msg/Empty", Format: "cdr"},
		{Name: "/a", Type: "std_msgs/msg/String", Format: "cdr", Hash: "RIHS01_0", Messages: 3, QoS: []ros2.QoS{
			ros2.LatchedQoS(), ros2.SensorDataQoS(), {Deadline: time.Second, Lifespan: time.Hour, LivelinessLease: 1},
		}},
	}
	for name, m := range map[string]*Metadata{
		"empty": New(nil, nil, nil, ""),
		"full":  New(topics, []Part{{Path: "a_0.mcap", Start: 5, End: 9, Messages: 3}}, map[string]string{"k": "v"}, "jazzy"),
	} {
		text, err := m.YAML()
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]map[string]any
		if err := yaml.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		root := file["rosbag2_bagfile_information"]
		satisfies(t, name, root, demands)
		if root["version"] != 8 || root["storage_identifier"] != StorageMCAP { // from 9 on not for Humble
			t.Errorf("version %v, storage %v", root["version"], root["storage_identifier"])
		}
		for _, n := range root["topics_with_message_count"].([]any) {
			topic := n.(map[string]any)
			satisfies(t, name, topic, topicDemands)
			var profiles []map[string]any
			if err := yaml.Unmarshal([]byte(topic["topic_metadata"].(map[string]any)["offered_qos_profiles"].(string)), &profiles); err != nil {
				t.Fatal(err)
			}
			for _, p := range profiles {
				satisfies(t, name+": profile", p, profileDemands)
			}
		}
		for _, n := range root["files"].([]any) {
			satisfies(t, name, n.(map[string]any), fileDemands)
		}
	}
}
