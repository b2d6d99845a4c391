// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// versions are metadata as rosbag2 of several releases write them, in our words.
var versions = map[string]string{
	"Humble": `rosbag2_bagfile_information:
  version: 5
  storage_identifier: sqlite3
  duration: {nanoseconds: 70653944}
  starting_time: {nanoseconds_since_epoch: 1699345836270074454}
  message_count: 3
  topics_with_message_count:
    - topic_metadata: {name: /tf_static, type: tf2_msgs/msg/TFMessage, serialization_format: cdr, offered_qos_profiles: "- history: 3\n  depth: 0\n  reliability: 1\n  durability: 1\n  deadline:\n    sec: 9223372036\n    nsec: 854775807\n  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: 1\n  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  avoid_ros_namespace_conventions: false"}
      message_count: 3
  compression_format: ""
  compression_mode: ""
  relative_file_paths: [a_0.db3]
  files:
    - {path: a_0.db3, starting_time: {nanoseconds_since_epoch: 1699345836270074454}, duration: {nanoseconds: 70653944}, message_count: 3}
`,
	"Jazzy": `rosbag2_bagfile_information:
  version: 9
  storage_identifier: mcap
  duration: {nanoseconds: 1}
  starting_time: {nanoseconds_since_epoch: 2}
  message_count: 3
  topics_with_message_count:
    - topic_metadata:
        name: /tf_static
        type: tf2_msgs/msg/TFMessage
        serialization_format: cdr
        offered_qos_profiles:
          - {history: unknown, depth: 0, reliability: reliable, durability: transient_local, deadline: {sec: 9223372036, nsec: 854775807},
             lifespan: {sec: 9223372036, nsec: 854775807}, liveliness: automatic, liveliness_lease_duration: {sec: 9223372036, nsec: 854775807},
             avoid_ros_namespace_conventions: false}
        type_description_hash: RIHS01_5ef58f7106a5cff8f5a794028c18117ee21015850ddcc567df449f41932960f8
      message_count: 3
  compression_format: ""
  compression_mode: ""
  relative_file_paths: [a_0.mcap]
  files: []
  custom_data: ~
  ros_distro: jazzy
  and_what_comes_later: 1
`,
}

func TestMetadataOfAllVersions(t *testing.T) {
	for name, text := range versions {
		m, err := ParseMetadata([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		topic := m.Topics[0].Topic
		want := ros2.QoS{Durability: ros2.TransientLocal}
		if m.Messages != 3 || topic.Name != "/tf_static" || len(topic.QoS) != 1 || topic.QoS[0] != want {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for _, bad := range []string{"", "a: 1", "rosbag2_bagfile_information: [", "rosbag2_bagfile_information: {topics_with_message_count: [{topic_metadata: {offered_qos_profiles: '- reliability: perhaps'}}]}"} {
		if _, err := ParseMetadata([]byte(bad)); !errors.Is(err, ErrMetadata) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestMetadataIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		qos := ros2.QoS{
			Reliability: ros2.Reliability(rapid.IntRange(0, 1).Draw(rt, "reliability")), Durability: ros2.Durability(rapid.IntRange(0, 1).Draw(rt, "durability")),
			Liveliness: ros2.Liveliness(rapid.IntRange(0, 1).Draw(rt, "liveliness")),
			Deadline:   time.Duration(rapid.Int64Range(0, 1<<62).Draw(rt, "deadline")), Lifespan: time.Duration(rapid.Int64Range(0, 1<<40).Draw(rt, "lifespan")),
			LivelinessLease: time.Duration(rapid.Int64Range(0, 1<<40).Draw(rt, "lease")),
		}
		topic := &Topic{Name: "/a", Type: "std_msgs/msg/String", Format: "cdr", Hash: "RIHS01_x", QoS: []ros2.QoS{qos, {}}, Messages: rapid.Uint64().Draw(rt, "messages")}
		m := New([]*Topic{topic}, []Part{{Path: "a_0.mcap", Start: 5, End: 9, Messages: 2}}, map[string]string{"k": rapid.String().Draw(rt, "custom"), rapid.String().Draw(rt, "key"): "\t\n"}, "jazzy")
		text, err := m.YAML()
		if err != nil {
			rt.Fatal(err)
		}
		got, err := ParseMetadata(text)
		if err != nil {
			rt.Fatalf("%v:\n%s", err, text)
		}
		if got.Version != 8 || strings.Contains(string(text), "transient_local") {
			rt.Fatalf("version %d:\n%s", got.Version, text)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestOverridesOfQoS(t *testing.T) {
	got, err := ReadOverrides([]byte("/scan:\n  reliability: best_effort\n  history: keep_last\n  depth: 3\n/map:\n  durability: transient_local\n  history: keep_all\n"))
	want := map[string]ros2.QoS{"/scan": {Reliability: ros2.BestEffort, Depth: 3}, "/map": {Durability: ros2.TransientLocal, History: ros2.KeepAll}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// TestOverridesOutOfRange: a value that a policy does not have is an error that names line, topic, policy and value.
func TestOverridesOutOfRange(t *testing.T) {
	for text, want := range map[string]string{
		"reliability: 7":                   `line 2: topic /a: reliability: "7" is none of system_default, reliable, best_effort, unknown, best_available or their numbers 0 to 4`,
		"reliability: -1":                  `reliability: "-1"`,
		"reliability: keep_last":           `reliability: "keep_last" is none of`,
		"history: reliable":                `history: "reliable" is none of`,
		"durability: 99999999999999999999": `durability: "99999999999999999999"`,
		"liveliness: [1]":                  `liveliness: ""`,
		"depth: -1":                        `depth: "-1" is not an integer from 0 to 2147483647`,
		"depth: 1.5":                       `depth: "1.5"`,
		"depth: 3000000000":                `depth: "3000000000"`,
		"deadline: {sec: -1}":              "deadline: sec -1, nsec 0",
		"lifespan: {nsec: 1000000000}":     "lifespan: sec 0, nsec 1000000000",
		"deadline: 3":                      "line 2: topic /a: deadline: ",
		"deadline: {}":                     "no duration",
		"reliable: true":                   "reliable: no such policy",
	} {
		got, err := ReadOverrides([]byte("/a:\n  " + text + "\n"))
		if !errors.Is(err, ErrMetadata) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"reliability: best_available", "reliability: 1", "durability: Transient_Local", "liveliness: manual_by_node", "depth: 0",
		"deadline: {sec: 9223372036, nsec: 854775807}", "lifespan: {sec: 2147483647, nsec: 4294967295}",
	} {
		if _, err := ReadOverrides([]byte("/a:\n  " + text + "\n")); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWriteLeavesNoOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if err := New(nil, nil, nil, "").Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != MetadataFile {
		t.Errorf("%v %v", entries, err)
	}
	if err := New(nil, nil, nil, "").Write(dir + "/none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func FuzzMetadata(f *testing.F) {
	for _, text := range versions {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMetadata([]byte(text))
		if err != nil {
			return
		}
		out, err := m.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseMetadata(out); err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
	})
}

// TestOtherKindsOfBags: what can't be read says what to do.
func TestOtherKindsOfBags(t *testing.T) {
	for name, want := range map[string]error{"a_0.db3": ErrSQLite, "a_0.mcap.zstd": ErrCompressed, "a.txt": ErrNoBag} {
		dir := t.TempDir()
		if err := os.WriteFile(dir+"/"+name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.TempDir() + "/none"); !errors.Is(err, ErrNoBag) {
		t.Error(err)
	}
}
