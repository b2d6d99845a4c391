// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common/iron"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/batch"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
)

// jazzyHashes returns the RIHS01 hashes of a ROS 2 Jazzy build, by type, and those that other programs computed for
// rosbag2 and simulation_interfaces, which were not in that build.
func jazzyHashes(t *testing.T) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	for _, name := range []string{"testdata/type_hashes_jazzy.json", "testdata/type_hashes_rosbag2.json", "testdata/type_hashes_simulation.json", "testdata/type_hashes_turtlebot3.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &hashes); err != nil {
			t.Fatal(err)
		}
	}
	return hashes
}

// variantList are the types whose layout changed between Humble, whose definitions the packages have, and Jazzy, of
// which the hashes are.
func variantList() []msgs.Message {
	return []msgs.Message{
		new(iron.Gid), // 24 → 16 bytes in Iron
		new(iron.NodeEntitiesInfo),
		new(iron.ParticipantEntitiesInfo),
		new(jazzy.Range), // variance added
	}
}

// Equal hashes prove that names, order, types, bounds and nesting of all
// fields are those of ROS 2.
func TestTypeHashesAreThoseOfROS2(t *testing.T) {
	want, changed := jazzyHashes(t), map[string]msgs.Message{}
	for _, m := range variantList() {
		changed[m.ROSType()] = m
	}
	for _, name := range msgs.Names() {
		newMessage, _ := msgs.Lookup(name)
		m := newMessage()
		if v := changed[name]; v != nil {
			if m.TypeHash() == v.TypeHash() {
				t.Errorf("%s: the Humble form has the hash of the later one", name)
			}
			m = v
		}
		if unhashed(name) {
			continue
		}
		if want[name] == "" || m.TypeHash() != want[name] {
			t.Errorf("%s: hash %s, want %q", name, m.TypeHash(), want[name])
		}
	}
}

// unhashed are types without a known hash: Nav2's actions are those of Humble, which has no hashes.
func unhashed(name string) bool { return strings.HasPrefix(name, "nav2_msgs/") }

func TestServiceHashesAreThoseOfROS2(t *testing.T) {
	want := jazzyHashes(t)
	for _, name := range msgs.ServiceNames() {
		s, ok := msgs.LookupService(name)
		if !ok || s.ROSType() != name {
			t.Fatalf("LookupService(%q) = %v, %v", name, s, ok)
		}
		if want[name] == "" || s.TypeHash() != want[name] {
			t.Errorf("%s: hash %s, want %q", name, s.TypeHash(), want[name])
		}
	}
}

// The test messages have every base type in every container.
func TestTypeHashesOfEveryKindOfField(t *testing.T) {
	want := jazzyHashes(t)
	for _, m := range testMessages() {
		if want[m.ROSType()] == "" || m.TypeHash() != want[m.ROSType()] {
			t.Errorf("%s: hash %s, want %q", m.ROSType(), m.TypeHash(), want[m.ROSType()])
		}
	}
}

// Lookup does not have all types of simulation_interfaces: not a service whose Go name would clash, and not those that
// differ in version 2.
func TestTypeHashesOfSimulationInterfaces(t *testing.T) {
	type hashed interface {
		ROSType() string
		TypeHash() string
	}
	for name, types := range map[string][]hashed{
		"testdata/type_hashes_simulation.json": {
			new(batch.SpawnEntity), new(batch.SpawnResult), batch.SpawnEntities{},
			new(batch.SpawnEntitiesRequest), new(batch.SpawnEntitiesResponse),
		},
		"testdata/type_hashes_simulation2.json": {
			new(rolling.Spawnable), rolling.GetSpawnables{}, new(rolling.GetSpawnablesResponse), rolling.SetEntityState{},
			new(rolling.SetEntityStateRequest), rolling.SpawnEntity{}, new(rolling.SpawnEntityRequest),
		},
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		for _, m := range types {
			if want[m.ROSType()] == "" || m.TypeHash() != want[m.ROSType()] {
				t.Errorf("%s: hash %s, want %q", m.ROSType(), m.TypeHash(), want[m.ROSType()])
			}
		}
	}
}
