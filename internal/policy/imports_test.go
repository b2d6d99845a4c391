// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

// importRules is the architecture: what a room (a folder and all below it, the longest matching row decides) may not
// import, and why. A name that ends in "$" means that package alone, not those below it. Paths without a dot in their first element and not of the standard library are the project's own.
// Tests may join rooms; the rules are for the program.
var importRules = []struct {
	room   string
	mayNot []string
	why    string
}{
	{"driver", []string{"sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "golang.org/x/", "periph.io/x/host/"},
		"the driver can't tell a robot from the simulated one, nor one transport from the other"},
	{"i2c", []string{"driver", "ros2", "msgs", "odometry", "sim", "camera", "calibration", "cmd"},
		"chips know nothing of ROS"},
	{"odometry", []string{"i2c", "driver", "ros2", "msgs", "sim", "camera", "calibration", "cmd", "periph.io/", "golang.org/x/", "time/tzdata", "net"},
		"pure mathematics: no bus, no ROS, no clock of its own"},
	{"camera", []string{"driver", "ros2", "msgs", "i2c", "odometry", "sim", "cmd"},
		"frames are useful without ROS"},
	{"calibration", []string{"i2c", "ros2", "msgs", "driver", "sim", "cmd", "net"},
		"estimators work on recorded numbers, wherever they come from"},
	{"msgs", []string{"driver", "i2c", "odometry", "sim", "ros2/rtps", "ros2/rmw", "camera", "calibration", "cmd", "golang.org/x/", "periph.io/"},
		"message types are data: they know their encoding and nothing else"},
	{"ros2", []string{"msgs$", "msgs/std_msgs", "msgs/geometry_msgs", "msgs/nav_msgs", "msgs/sensor_msgs", "msgs/tf2_msgs",
		"msgs/diagnostic_msgs", "msgs/visualization_msgs", "msgs/std_srvs", "driver", "i2c", "odometry", "sim", "camera", "calibration", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "periph.io/", "golang.org/x/"},
		"a client library for any robot over any transport; of the interfaces it knows only those every node has (parameters, log, clock, types, lifecycle)"},
	{"ros2/cdr", []string{"ros2/rtps", "ros2/rmw", "msgs", "driver", "i2c", "sim", "cmd", "net", "golang.org/x/", "periph.io/"},
		"an encoding knows no topics"},
	{"ros2/dynamic", []string{"driver", "i2c", "odometry", "sim", "msgs", "camera", "calibration", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "os", "periph.io/", "golang.org/x/"},
		"messages known at run time: whoever uses them hands the definitions in"},
	{"ros2/shell", []string{"driver", "i2c", "odometry", "sim", "msgs", "camera", "calibration", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "periph.io/", "golang.org/x/"},
		"tools for any ROS 2 graph: the network and the types are handed in"},
	{"ros2/rmw", []string{"driver", "i2c", "odometry", "sim", "msgs", "camera", "calibration", "cmd", "periph.io/"},
		"ROS 2's conventions on DDS, for any robot"},
	{"ros2/rtps", []string{"driver", "i2c", "odometry", "sim", "msgs", "camera", "calibration", "cmd", "ros2/rmw", "ros2/cdr", "periph.io/", "go.yaml.in/"},
		"a DDSI-RTPS participant knows no ROS names"},
	{"ros2/rtps/wire", []string{"driver", "i2c", "sim", "msgs", "cmd", "ros2/rmw", "golang.org/x/", "periph.io/", "os"},
		"a codec opens nothing"},
	{"sim", []string{"driver", "ros2", "msgs", "odometry", "i2c/mcu", "cmd", "calibration"},
		"the simulated chips are an independent reading of the firmware: sharing a codec would hide its mistakes"},
	{"doctor", []string{"driver", "ros2", "msgs", "odometry", "camera", "calibration", "sim", "cmd"},
		"it knows Linux and the robot's chips; what ROS has to say is handed in"},
	{"cmd", []string{"ros2/rtps/wire", "i2c/mcu", "odometry"},
		"main wires rooms together; whoever needs bytes or mathematics here is writing logic in the wrong room"},
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources(t) {
		i := ruleFor(s.room)
		if i < 0 {
			continue
		}
		seen[importRules[i].room] = true
		if s.test {
			continue
		}
		for _, imp := range s.imports {
			own := strings.TrimPrefix(imp, module+"/")
			for _, banned := range importRules[i].mayNot {
				if under(own, banned) && !under(own, s.room) && !under(s.room, own) {
					t.Errorf("%s imports %s: %s", s.path, own, importRules[i].why)
				}
			}
		}
	}
	for _, must := range []string{"driver", "i2c", "odometry", "msgs", "ros2", "ros2/cdr", "ros2/rtps", "sim", "cmd"} {
		if !seen[must] {
			t.Errorf("room %s has no Go file: the table or the tree is wrong", must)
		}
	}
}

// ruleFor gives the row with the longest room that holds folder, −1 if none does.
func ruleFor(folder string) int {
	best, length := -1, -1
	for i, r := range importRules {
		if under(folder, r.room) && len(r.room) > length {
			best, length = i, len(r.room)
		}
	}
	return best
}

// under reports whether path is prefix or lies below it; a prefix that ends in "$" means itself only.
func under(path, prefix string) bool {
	if only, exact := strings.CutSuffix(prefix, "$"); exact {
		return path == only
	}
	return path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}

func TestUnder(t *testing.T) {
	for _, c := range []struct {
		path, prefix string
		want         bool
	}{
		{"ros2/rtps/wire", "ros2/rtps", true}, {"ros2", "ros2", true}, {"ros2/rtpsx", "ros2/rtps", false},
		{"golang.org/x/sys/unix", "golang.org/x/", true}, {"net/netip", "net", true}, {"network", "net", false},
		{"msgs", "msgs$", true}, {"msgs/std_msgs", "msgs$", false},
	} {
		if got := under(c.path, c.prefix); got != c.want {
			t.Errorf("under(%q, %q) = %v", c.path, c.prefix, got)
		}
	}
}
