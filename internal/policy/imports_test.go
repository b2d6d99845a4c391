// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

// importRules are the rules within the layers: what a folder with all below it may not import, and why. The row with
// the longest matching folder decides. A name that ends in "$" means that package alone, not those below it. Paths
// without a dot in their first element that are not of the standard library are the project's own. The rules hold for
// the program; tests may import more. What a whole layer may import is in layers.
var importRules = []struct {
	folder string
	mayNot []string
	why    string
}{
	{"driver", []string{"sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "golang.org/x/", "periph.io/x/host/"},
		"the driver does not distinguish a robot from a simulated one, nor transports"},
	{"driver/wheels", []string{"ros2", "msgs", "camera", "odometry", "log", "driver$", "sim", "cmd", "os",
		"net", "golang.org/x/"},
		"the goroutine that stops the wheels waits for the bus and for nothing else: no log, no network, no file"},
	{"driver/epuck2", []string{"ros2", "msgs", "camera", "log", "driver$", "driver/wheels", "driver/parts",
		"driver/pictures", "driver/health",
		"sim", "cmd", "os", "net", "golang.org/x/"},
		"what is known of the robot: mathematics and tables, without ROS and without a clock"},
	{"driver/parts", []string{"ros2", "msgs", "camera", "odometry", "log", "driver$", "driver/wheels", "sim",
		"cmd", "os", "net", "golang.org/x/"},
		"when a part is polled and when its topics exist: it knows neither topics nor chips"},
	{"driver/pictures", []string{"driver$", "driver/wheels", "driver/parts", "odometry", "sim", "ros2/rtps",
		"ros2/rmw", "ros2/rclgo", "cmd", "golang.org/x/"},
		"a camera's topics: any camera, any node"},
	{"driver/health", []string{"driver$", "driver/wheels", "driver/pictures", "odometry", "log", "sim", "cmd",
		"os", "net", "golang.org/x/"},
		"the state of the driver from snapshots: it reads no chip and publishes nothing"},
	{"driver/chips", []string{"driver$", "driver/wheels", "driver/pictures", "driver/health", "ros2",
		"camera", "odometry", "sim", "cmd",
		"os", "net", "golang.org/x/"},
		"a chip's part measures into a reading; topics and the other parts are not its business"},
	{"driver/table", []string{"driver$", "driver/wheels", "sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd",
		"os", "net", "golang.org/x/"},
		"parameters, topics and services and the function that fills each: it has readings and commands, no chip, no wheels and no goroutine"},
	{"driver/mailbox", []string{"driver$", "driver/wheels", "driver/table", "driver/parts", "i2c", "ros2",
		"msgs", "camera", "odometry", "log", "sim",
		"cmd", "os", "net", "golang.org/x/"}, "locks and queues between goroutines, whatever goes through them"},
	{"driver/typewatch", []string{"driver$", "driver/wheels", "driver/parts", "i2c", "camera", "odometry",
		"sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo",
		"cmd", "os", "net", "golang.org/x/"}, "it looks at the graph of the network and at nothing of the robot"},
	{"driver/namewatch", []string{"driver$", "driver/wheels", "driver/parts", "i2c", "camera", "odometry",
		"sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo",
		"cmd", "os", "net", "golang.org/x/"}, "it looks at the graph of the network and at nothing of the robot"},
	{"internal/clockwatch", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera",
		"cmd", "os", "net", "golang.org/x/",
		"periph.io/"}, "it compares two clocks, for any package"},
	{"driver/schedule", []string{"driver$", "driver/wheels", "i2c", "ros2", "log"}, "arithmetic of times"},
	{"internal/task", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera",
		"cmd", "golang.org/x/", "periph.io/"},
		"every layer uses it"},
	{"internal/printable", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera",
		"cmd", "net", "os", "log", "golang.org/x/"},
		"every layer prints: it knows characters alone"},
	{"internal/suggest", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera",
		"cmd", "net", "os", "log", "golang.org/x/"},
		"every layer suggests names: it knows words alone"},
	{"internal/regular", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera",
		"cmd", "net", "log", "golang.org/x/"},
		"every layer may read files of unknown origin: it knows the file system alone"},
	{"internal/timerfd", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera",
		"cmd", "net", "log", "periph.io/"},
		"every layer uses it; it waits for the kernel alone, and for nothing that another package can hold"},
	{"robot", []string{"driver", "i2c", "ros2", "msgs", "msgs/cdr", "odometry", "sim", "camera", "cmd", "os",
		"net", "log", "periph.io/", "golang.org/x/"},
		"the robot as data: constants"},
	{"i2c", []string{"driver", "ros2", "msgs", "odometry", "sim", "camera", "cmd"},
		"chips know nothing of ROS"},
	{"odometry", []string{"i2c", "driver", "ros2", "msgs", "sim", "camera", "cmd", "periph.io/",
		"golang.org/x/", "time/tzdata", "net"},
		"pure mathematics: no bus, no ROS, no clock of its own"},
	{"camera", []string{"driver", "ros2", "msgs", "i2c", "odometry", "sim", "cmd"},
		"frames are useful without ROS"},
	{"calibration/procedure", []string{"driver", "sim", "i2c", "odometry", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "cmd", "net", "periph.io/"},
		"it works through topics and services alone: a real robot and a simulated one are the same to it"},
	{"msgs", []string{"ros2/rtps", "ros2/rmw", "golang.org/x/", "periph.io/"},
		"message types are data: they know their encoding and nothing else"},
	{"ros2", []string{"msgs$", "msgs/std_msgs", "msgs/geometry_msgs", "msgs/nav_msgs", "msgs/sensor_msgs",
		"msgs/tf2_msgs",
		"msgs/diagnostic_msgs", "msgs/visualization_msgs", "msgs/std_srvs", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "periph.io/", "golang.org/x/"},
		"a client library for any robot over any transport; of the interfaces it knows only those every node has (parameters, log, clock, types, lifecycle)"},
	{"ros2/inproc", []string{"ros2$", "ros2/rtps", "ros2/rmw", "msgs", "msgs/cdr", "log", "net", "os",
		"periph.io/", "golang.org/x/"},
		"pointers passed within a process: nothing is encoded, logged or sent"},
	{"msgs/cdr", []string{"ros2/rtps", "ros2/rmw", "msgs", "net", "golang.org/x/", "periph.io/"},
		"an encoding knows no topics"},
	{"ros2/dynamic", []string{"msgs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "os", "periph.io/",
		"golang.org/x/"},
		"messages known at run time: the caller passes the definitions"},
	{"ros2/shell", []string{"msgs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "periph.io/", "golang.org/x/"},
		"tools for any ROS 2 graph: the caller passes the network and the types"},
	{"ros2/tasks", []string{"msgs$", "msgs/cdr", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "periph.io/", "golang.org/x/"},
		"executes functions of any program; of the interfaces it knows that of its diagnostics"},
	{"ros2/waitset", []string{"msgs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "periph.io/"},
		"waits for entities of any type on any transport"},
	{"ros2/thread", []string{"msgs", "ros2", "net", "periph.io/"},
		"threads of Linux: it knows no ROS"},
	{"ros2/rmw", []string{"msgs", "periph.io/"},
		"ROS 2's conventions on DDS, for any robot"},
	{"ros2/rtps", []string{"msgs", "ros2/rmw", "msgs/cdr", "periph.io/", "go.yaml.in/"},
		"a DDSI-RTPS participant knows no ROS names"},
	{"ros2/rtps/internal/alarm", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$", "ros2/rtps/wire",
		"ros2/rtps/internal/send", "ros2/rtps/internal/history", "periph.io/", "golang.org/x/"},
		"points in time, for any purpose"},
	{"ros2/rtps/internal/history", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$", "ros2/rtps/udp",
		"ros2/rtps/internal/send", "ros2/rtps/internal/alarm", "net", "periph.io/", "golang.org/x/"},
		"a writer's samples: it knows neither readers nor sending"},
	{"ros2/rtps/internal/count", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$", "ros2/rtps/udp",
		"net", "periph.io/", "golang.org/x/"},
		"which counts are accepted, of any submessage"},
	{"ros2/rtps/internal/interval", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$", "ros2/rtps/udp",
		"ros2/rtps/internal/send", "net", "time", "periph.io/",
		"golang.org/x/"}, "sets of sequence or fragment numbers"},
	{"ros2/rtps/internal/memory", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps", "net", "time",
		"periph.io/", "golang.org/x/"},
		"numbers of bytes, for any purpose"},
	{"ros2/rtps/internal/reassembly", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$", "ros2/rtps/udp",
		"ros2/rtps/internal/send", "ros2/rtps/internal/alarm", "ros2/rtps/internal/history", "net", "periph.io/",
		"golang.org/x/"},
		"reassembly of fragments: it requests none and delivers nothing"},
	{"ros2/rtps/internal/discovery", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$",
		"ros2/rtps/internal/history", "periph.io/", "golang.org/x/"},
		"remote participants: it knows neither local endpoints nor samples"},
	{"ros2/rtps/internal/send", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps$",
		"ros2/rtps/internal/alarm", "ros2/rtps/internal/history", "ros2/rtps/internal/reassembly", "periph.io/",
		"golang.org/x/"},
		"datagrams for the network: it knows neither writers nor readers"},
	{"ros2/rtps/udp", []string{"msgs", "ros2/rmw", "msgs/cdr", "ros2/rtps/wire", "periph.io/", "go.yaml.in/"},
		"sockets carry datagrams of any content"},
	{"ros2/rtps/wire", []string{"msgs", "ros2/rmw", "golang.org/x/", "periph.io/", "os"},
		"a codec opens nothing"},
	{"sim", []string{"driver", "ros2", "msgs", "odometry", "i2c/mcu", "cmd"},
		"the simulated chips are an independent reading of the firmware: sharing a codec would hide its mistakes"},
	{"sim/traci", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "fleet", "camera", "periph.io/"},
		"SUMO's protocol for a world: it knows neither ROS nor how the robots are driven"},
	{"sim/traci/wire", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "sim", "net", "os", "periph.io/"},
		"a codec knows no world and opens nothing"},
	{"sim/lanes", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "fleet", "sim$", "sim/traci", "net",
		"os", "periph.io/"},
		"SUMO's networks: text in, lanes and lights out; it opens nothing and knows no robots"},
	{"sim/traffic", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "fleet", "sim$", "sim/traci", "net",
		"os", "periph.io/"},
		"vehicles on lanes: it decides speeds and moves nothing"},
	{"sim/webots", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "fleet", "camera",
		"sim/traci", "periph.io/"},
		"Webots' protocol for a world: it knows neither ROS nor what else drives robots"},
	{"sim/webots/wire", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "sim", "net", "os",
		"periph.io/"},
		"a codec knows no world and opens nothing"},
	{"sim/timesource", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "sim$", "sim/traci", "fleet",
		"net", "os", "periph.io/"},
		"the interface between what sets a simulation's time and what runs a world"},
	{"wifi/robot", []string{"driver", "ros2", "msgs", "odometry", "sim", "cmd"},
		"a robot over Wi-Fi is a bus, a camera and a battery: it knows no ROS and no driver"},
	{"sim/wifi", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "fleet", "periph.io/"},
		"the Wi-Fi of simulated robots: it knows neither ROS nor the driver"},
	{"sim/robots", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "fleet", "net",
		"periph.io/"},
		"descriptions of robots: text and the model in it"},
	{"sim/machine", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "fleet",
		"sim/traci", "sim/wifi", "sim/robots/library", "net", "os",
		"periph.io/"}, "robots by their descriptions: it knows neither files nor drivers"},
	{"sim/robots/proto", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "fleet",
		"sim$", "sim/world", "net", "os", "periph.io/"},
		"Webots' descriptions of robots: text in, a robot out; it opens nothing"},
	{"wifi/packet", []string{"driver", "ros2", "msgs", "odometry", "i2c", "sim", "camera", "cmd", "net", "os",
		"periph.io/"},
		"a codec knows no robot and opens nothing"},
	{"web", []string{"driver", "i2c", "odometry", "sim", "camera", "calibration", "cmd", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "fleet/groundtruth", "periph.io/"},
		"it shows any robot of any network, by topics, services and parameters alone"},
	{"cmd/epuck-driver/internal/teleop", []string{"ros2", "msgs", "driver", "i2c", "sim", "cmd", "net", "os"},
		"bytes of keys and joysticks to speeds: it opens nothing and sends nothing"},
	{"fleet/groundtruth", []string{"driver", "i2c", "odometry", "camera", "cmd", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "web",
		"periph.io/"},
		"a simulated world as topics, for its subscribers"},
	{doctorFolder, []string{"driver", "ros2", "msgs", "odometry", "camera", "sim", "cmd"},
		"it knows Linux and the robot's chips; the caller passes what it found of ROS"},
	{"fleet/genericdriver", []string{"driver", "i2c", "camera", "cmd", "fleet", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "sim/world", "sim/robots/library", "net", "os",
		"periph.io/"}, "a node for any robot that is described: it knows no robot by its name"},
	{"fleet", []string{"ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "calibration", "bag", "periph.io/"},
		"many robots on any network: the caller passes transport and hardware"},
	{"bag", []string{"driver", "i2c", "odometry", "sim", "camera", "cmd", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "periph.io/"},
		"recordings are of any ROS 2 network: the caller passes the network and the types"},
	{"bag/mcap", []string{"ros2", "msgs", "driver", "i2c", "sim", "cmd", "net"},
		"a file format knows no topics"},
	{"mapping", []string{"ros2", "msgs", "msgs/cdr", "driver", "i2c", "sim", "camera", "cmd", "mapping/node", "net"},
		"grids and files, for readings wherever they come from"},
	{"navigation", []string{"ros2", "msgs", "msgs/cdr", "driver", "i2c", "sim", "camera", "cmd",
		"mapping/node", "navigation/node", "net", "os"},
		"mathematics: poses in, speeds out"},
	{"mapping/node", []string{"driver", "i2c", "sim", "camera", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo"},
		"it sees a robot by its topics alone"},
	{"navigation/node", []string{"driver", "i2c", "sim", "camera", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo"},
		"it drives a robot by its topics alone"},
	{"examples", []string{"driver", "i2c", "sim", "camera", "cmd", "internal"},
		"programs as users write them: on the public packages and by topics"},
	{"sim/armcost", []string{"ros2", "msgs", "msgs/cdr", "driver", "i2c", "odometry", "sim", "camera", "cmd",
		"fleet", "internal/task", "net", "log", "golang.org/x/",
		"periph.io/"}, "it measures any program"},
	{"sim/armcost/machine", []string{"ros2", "msgs", "msgs/cdr", "driver", "i2c", "odometry", "sim", "camera",
		"cmd", "fleet", "net", "log", "periph.io/"},
		"it runs any program: the caller passes the buses"},
	{"deploy/card", []string{"ros2", "msgs", "msgs/cdr", "driver", "sim", "camera", "odometry", "cmd", "net",
		"golang.org/x/", "periph.io/"},
		"settings of a system: programs of a few MB, which start before everything else"},
	{"cmd", []string{"ros2/rtps/wire", "i2c/mcu", "odometry"},
		"the program joins packages: bytes or mathematics here belong in another package"},
	{"cmd/epuck-driver/internal/build", []string{"ros2$", "msgs", "msgs/cdr", "driver", "i2c", "odometry",
		"sim", "camera", "fleet", "bag", "web", "net"},
		"version and features of this program"},
	{"cmd/epuck-driver/internal/tty", []string{"msgs", "driver", "i2c", "odometry", "sim", "camera", "fleet",
		"bag", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "github.com/spf13/"},
		"a terminal: it knows no command"},
	{"cmd/epuck-driver/internal/frame", []string{"msgs", "driver$", "i2c", "odometry", "sim", "camera",
		"fleet", "bag", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/network",
		"cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"the command line without its commands: the caller passes them"},
	{"cmd/epuck-driver/internal/simclient", []string{"i2c", "odometry", "camera", "fleet$", "fleet/swarm",
		"bag", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware",
		"cmd/epuck-driver/internal/simulate"},
		"commands that see a simulation by its services alone"},
	{"cmd/epuck-driver/internal/driving", []string{"driver", "i2c", "odometry", "sim", "camera", "fleet",
		"bag", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware",
		"cmd/epuck-driver/internal/simulate"},
		"commands that see a robot by its topics alone"},
	{"cmd/epuck-driver/internal/calibrations", []string{"i2c", "odometry", "sim", "fleet", "bag", "web",
		"ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware",
		"cmd/epuck-driver/internal/simulate"},
		"commands that see a robot by its topics and services alone"},
	{"cmd/epuck-driver/internal/bags", []string{"i2c$", "i2c/mcu", "odometry", "sim", "camera", "fleet",
		"ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware",
		"cmd/epuck-driver/internal/simulate"},
		"recordings are of any ROS 2 network"},
	{"cmd/epuck-driver/internal/studies", []string{"driver", "i2c", "odometry", "camera", "msgs", "ros2/rtps",
		"ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/network", "cmd/epuck-driver/internal/hardware",
		"cmd/epuck-driver/internal/simulate"},
		"commands that compute without a network"},
}

// doctorFolder has the program's diagnosis of a machine.
const doctorFolder = "cmd/epuck-driver/internal/doctor"

func TestFoldersImportOnlyWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources(t) {
		i := ruleFor(s.folder)
		if i < 0 {
			continue
		}
		seen[importRules[i].folder] = true
		if s.test {
			continue
		}
		for _, imp := range s.imports {
			own := strings.TrimPrefix(imp, module+"/")
			for _, banned := range importRules[i].mayNot {
				if banned == "msgs" && own == "msgs/cdr" { // the encoding knows no message: it has bans of its own
					continue
				}
				if s.folder == doctorFolder && own == "ros2/rmw/security" { // it reads keys as nodes do
					continue
				}
				if under(own, banned) && !under(own, s.folder) && !under(s.folder, own) {
					t.Errorf("%s imports %s: %s", s.path, own, importRules[i].why)
				}
			}
		}
	}
	for _, r := range importRules {
		if !seen[r.folder] {
			t.Errorf("the rule for %s decides nothing: no Go file of its own", r.folder)
		}
	}
}

// ruleFor gives the row with the longest folder that holds folder, −1 if none does.
func ruleFor(folder string) int {
	best, length := -1, -1
	for i, r := range importRules {
		if under(folder, r.folder) && len(r.folder) > length {
			best, length = i, len(r.folder)
		}
	}
	return best
}

// under reports whether path is prefix or is below it; a prefix that ends in "$" means itself only.
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
