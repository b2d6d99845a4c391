// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

// externalModules names every module the program itself (not its tests) may use, where, and what for. A new
// dependency needs a line here: on a robot with 512 MB and one core each one is paid for.
var externalModules = []struct {
	module string
	rooms  []string
	why    string
}{
	{"periph.io/x/conn/v3", []string{"i2c", "sim", "driver", "doctor", "cmd"}, "the I2C bus interface the Go hardware world shares"},
	{"periph.io/x/host/v3", []string{"i2c", "cmd"}, "buses and pins of the Raspberry Pi"},
	{"go.yaml.in/yaml/v3", []string{"ros2", "sim", "msgs", "camera/caminfo"}, "ROS parameter files, world files, calibrations"},
	{"github.com/vladimirvivien/go4vl", []string{"camera"}, "V4L2 capture (cgo)"},
	{"github.com/pion/mediadevices", []string{"camera", "sim"}, "the shape of a frame source, and its video drivers"},
	{"github.com/tiiuae/rclgo", []string{"ros2/rclgo"}, "ROS 2's own rcl (build tag rclgo)"},
	{"github.com/coreos/go-systemd", []string{"cmd"}, "readiness and watchdog of the service"},
	{"golang.org/x/net", []string{"ros2/rtps"}, "multicast membership and batched sends"},
	{"golang.org/x/sys", []string{"ros2/rtps", "i2c", "camera", "sim", "doctor", "cmd"}, "socket options, I2C and V4L2 ioctls, CUSE, the terminal"},
}

func TestModulesAreUsedWhereTheyMayBe(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || strings.Contains(s.path, "/internal/") && strings.Contains(s.path, "test") {
			continue
		}
		for _, imp := range s.imports {
			if strings.HasPrefix(imp, module) || !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
				continue
			}
			if !moduleAllowed(imp, s.room) {
				t.Errorf("%s imports %s, which the table of modules does not give to this room", s.path, imp)
			}
		}
	}
}

func moduleAllowed(imp, room string) bool {
	for _, m := range externalModules {
		if !under(imp, m.module) {
			continue
		}
		for _, r := range m.rooms {
			if under(room, r) {
				return true
			}
		}
	}
	return false
}
