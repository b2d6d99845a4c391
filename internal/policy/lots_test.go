// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

// ground is what every lot stands on. It goes with a lot that is lifted out.
var ground = []string{"internal/clockwatch", "internal/printable", "internal/regular", "internal/suggest", "internal/task", "internal/timerfd"}

// lots are the parts of the house that could stand alone. A room belongs to one; a lot imports itself and the rooms in
// uses, nothing else of the project. Inside a lot the rows of importRules say more.
var lots = []struct {
	name  string
	rooms []string
	uses  []string
	why   string
}{
	{"ROS 2 for Go", []string{"cdr", "msgs", "ros2"}, nil,
		"a ROS 2 client library for any Go program: it knows no robot and could be lifted out whole"},
	{"measures of the robot", []string{"robot"}, nil,
		"the robot as data, for everything that has to do with robots"},
	{"the robot", []string{"odometry", "i2c", "camera", "driver", "wifi"}, []string{"cdr", "msgs", "ros2", "robot"},
		"the robot knows neither the simulator nor the tools"},
	{"the world", []string{"sim"}, []string{"i2c", "camera", "wifi/packet", "robot"},
		"an independent reading of the same hardware: it knows the interfaces of bus and camera, the packets of Wi-Fi and the robot's measures, " +
			"no ROS and no driver"},
	{"tools", []string{"calibrate", "calibration", "doctor", "examples", "mapper", "mapping", "navigate", "navigator", "record", "swarm", "target", "teleop", "universal", "web", "worldview", "cmd", "vmtest", "internal"}, []string{"cdr", "msgs", "ros2", "robot", "odometry", "i2c", "camera", "driver", "sim", "wifi"},
		"they put the others together"},
}

func TestLotsImportOnlyWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources(t) {
		lot := -1
		for i, l := range lots {
			for _, room := range l.rooms {
				if under(s.room, room) {
					lot, seen[room] = i, true
				}
			}
		}
		if lot < 0 {
			t.Errorf("%s: room %s is in no lot: add it to the table with its reason", s.path, s.room)
			continue
		}
		if s.test {
			continue
		}
		for _, imp := range s.imports {
			own, isOwn := strings.CutPrefix(imp, module+"/")
			if isOwn && !underAny(own, lots[lot].rooms) && !underAny(own, lots[lot].uses) && !underAny(own, ground) {
				t.Errorf("%s imports %s: %s", s.path, own, lots[lot].why)
			}
		}
	}
	for _, l := range lots {
		for _, room := range l.rooms {
			if !seen[room] {
				t.Errorf("%s: no room %s", l.name, room)
			}
		}
	}
}

func underAny(path string, prefixes []string) bool {
	for _, p := range prefixes {
		if under(path, p) {
			return true
		}
	}
	return false
}
