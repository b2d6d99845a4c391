// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

// importRules is the architecture: what a room (a folder and all below it, the longest matching row decides) may not
// import, and why. A name that ends in "$" means that package alone, not those below it. Paths without a dot in their
// first element and not of the standard library are the project's own. Tests may join rooms; the rules are for the
// program. What a whole lot may not import stands in lots.
var importRules = []struct {
	room   string
	mayNot []string
	why    string
}{
	{"driver", []string{"sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "golang.org/x/", "periph.io/x/host/"},
		"the driver can't tell a robot from the simulated one, nor one transport from the other"},
	{"driver/wheels", []string{"ros2", "msgs", "camera", "odometry", "log", "driver$", "sim", "cmd", "os", "net", "golang.org/x/"},
		"the hand that stops the wheels waits for the bus and for nothing else: no log, no network, no file"},
	{"driver/epuck2", []string{"ros2", "msgs", "camera", "log", "driver$", "driver/wheels", "driver/parts", "driver/pictures", "driver/health",
		"sim", "cmd", "os", "net", "golang.org/x/"},
		"what is known of the robot: mathematics and tables, without ROS and without a clock"},
	{"driver/parts", []string{"ros2", "msgs", "camera", "odometry", "log", "driver$", "driver/wheels", "sim", "cmd", "os", "net", "golang.org/x/"},
		"when a part is polled and when its topics exist: it knows neither topics nor chips"},
	{"driver/pictures", []string{"driver$", "driver/wheels", "driver/parts", "odometry", "sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "golang.org/x/"},
		"a camera's topics: any camera, any node"},
	{"driver/health", []string{"driver$", "driver/wheels", "driver/pictures", "odometry", "log", "sim", "cmd", "os", "net", "golang.org/x/"},
		"what is right and wrong, judged by snapshots alone: it asks no chip and publishes nothing"},
	{"driver/chips", []string{"driver$", "driver/wheels", "driver/pictures", "driver/health", "ros2", "camera", "odometry", "sim", "cmd",
		"os", "net", "golang.org/x/"},
		"a chip's part measures into a reading; topics and the other parts are not its business"},
	{"driver/table", []string{"driver$", "driver/wheels", "sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "os", "net", "golang.org/x/"},
		"parameters, topics and services with what makes each: it has readings and wishes, no chip, no wheels and no goroutine"},
	{"driver/mailbox", []string{"driver$", "driver/wheels", "driver/table", "driver/parts", "i2c", "ros2", "msgs", "camera", "odometry", "log", "sim",
		"cmd", "os", "net", "golang.org/x/"}, "locks and queues between goroutines, whatever goes through them"},
	{"driver/typewatch", []string{"driver$", "driver/wheels", "driver/parts", "i2c", "camera", "odometry", "sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo",
		"cmd", "os", "net", "golang.org/x/"}, "it looks at the graph of the network and at nothing of the robot"},
	{"driver/namewatch", []string{"driver$", "driver/wheels", "driver/parts", "i2c", "camera", "odometry", "sim", "ros2/rtps", "ros2/rmw", "ros2/rclgo",
		"cmd", "os", "net", "golang.org/x/"}, "it looks at the graph of the network and at nothing of the robot"},
	{"internal/clockwatch", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "doctor", "cmd", "os", "net", "golang.org/x/",
		"periph.io/"}, "it compares two clocks, for any package"},
	{"driver/schedule", []string{"driver$", "driver/wheels", "i2c", "ros2", "log"}, "arithmetic of times"},
	{"internal/task", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "doctor", "cmd", "golang.org/x/", "periph.io/"},
		"every lot stands on it"},
	{"internal/printable", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "doctor", "cmd", "net", "os", "log", "golang.org/x/"},
		"every lot may print: it knows characters alone"},
	{"internal/suggest", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "doctor", "cmd", "net", "os", "log", "golang.org/x/"},
		"every lot may suggest a name: it knows words alone"},
	{"internal/regular", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "doctor", "cmd", "net", "log", "golang.org/x/"},
		"every layer may read files of unknown origin: it knows the file system alone"},
	{"internal/timerfd", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "doctor", "cmd", "net", "log", "periph.io/"},
		"every lot stands on it; it waits for the kernel and for nothing that another room can hold"},
	{"robot", []string{"driver", "i2c", "ros2", "msgs", "cdr", "odometry", "sim", "camera", "cmd", "os", "net", "log", "periph.io/", "golang.org/x/"},
		"the robot as data: constants"},
	{"i2c", []string{"driver", "ros2", "msgs", "odometry", "sim", "camera", "cmd"},
		"chips know nothing of ROS"},
	{"odometry", []string{"i2c", "driver", "ros2", "msgs", "sim", "camera", "cmd", "periph.io/", "golang.org/x/", "time/tzdata", "net"},
		"pure mathematics: no bus, no ROS, no clock of its own"},
	{"camera", []string{"driver", "ros2", "msgs", "i2c", "odometry", "sim", "cmd"},
		"frames are useful without ROS"},
	{"calibrate", []string{"driver", "sim", "i2c", "odometry", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "net", "periph.io/"},
		"it works through topics and services alone: a real robot and a simulated one are the same to it"},
	{"msgs", []string{"ros2/rtps", "ros2/rmw", "golang.org/x/", "periph.io/"},
		"message types are data: they know their encoding and nothing else"},
	{"ros2", []string{"msgs$", "msgs/std_msgs", "msgs/geometry_msgs", "msgs/nav_msgs", "msgs/sensor_msgs", "msgs/tf2_msgs",
		"msgs/diagnostic_msgs", "msgs/visualization_msgs", "msgs/std_srvs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "periph.io/", "golang.org/x/"},
		"a client library for any robot over any transport; of the interfaces it knows only those every node has (parameters, log, clock, types, lifecycle)"},
	{"ros2/inproc", []string{"ros2$", "ros2/rtps", "ros2/rmw", "msgs", "cdr", "log", "net", "os", "periph.io/", "golang.org/x/"},
		"pointers handed on within a process: nothing is encoded, logged or sent"},
	{"cdr", []string{"ros2/rtps", "ros2/rmw", "msgs", "net", "golang.org/x/", "periph.io/"},
		"an encoding knows no topics"},
	{"ros2/dynamic", []string{"msgs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "os", "periph.io/", "golang.org/x/"},
		"messages known at run time: the caller hands the definitions in"},
	{"ros2/shell", []string{"msgs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "net", "periph.io/", "golang.org/x/"},
		"tools for any ROS 2 graph: the network and the types are handed in"},
	{"ros2/rmw", []string{"msgs", "periph.io/"},
		"ROS 2's conventions on DDS, for any robot"},
	{"ros2/rtps", []string{"msgs", "ros2/rmw", "cdr", "periph.io/", "go.yaml.in/"},
		"a DDSI-RTPS participant knows no ROS names"},
	{"ros2/rtps/internal/alarm", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/wire", "ros2/rtps/internal/send", "ros2/rtps/internal/history", "periph.io/", "golang.org/x/"},
		"points in time, whatever they are for"},
	{"ros2/rtps/internal/history", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/udp", "ros2/rtps/internal/send", "ros2/rtps/internal/alarm", "net", "periph.io/", "golang.org/x/"},
		"what a writer holds: it knows neither readers nor how it is sent"},
	{"ros2/rtps/internal/count", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/udp", "net", "periph.io/", "golang.org/x/"},
		"which counts are accepted, whatever they count"},
	{"ros2/rtps/internal/interval", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/udp", "ros2/rtps/internal/send", "net", "time", "periph.io/",
		"golang.org/x/"}, "sets of numbers, whatever they number"},
	{"ros2/rtps/internal/memory", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps", "net", "time", "periph.io/", "golang.org/x/"},
		"numbers of bytes, whatever they are for"},
	{"ros2/rtps/internal/reassembly", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/udp", "ros2/rtps/internal/send", "ros2/rtps/internal/alarm", "ros2/rtps/internal/history", "net", "periph.io/", "golang.org/x/"},
		"pieces put together: it asks for none and delivers nothing"},
	{"ros2/rtps/internal/discovery", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/internal/history", "periph.io/", "golang.org/x/"},
		"who else is there: it knows neither own endpoints nor samples"},
	{"ros2/rtps/internal/send", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps$", "ros2/rtps/internal/alarm", "ros2/rtps/internal/history", "ros2/rtps/internal/reassembly", "periph.io/", "golang.org/x/"},
		"datagrams for the network: it knows neither writers nor readers"},
	{"ros2/rtps/udp", []string{"msgs", "ros2/rmw", "cdr", "ros2/rtps/wire", "periph.io/", "go.yaml.in/"},
		"sockets carry datagrams, whatever is in them"},
	{"ros2/rtps/wire", []string{"msgs", "ros2/rmw", "golang.org/x/", "periph.io/", "os"},
		"a codec opens nothing"},
	{"sim", []string{"driver", "ros2", "msgs", "odometry", "i2c/mcu", "cmd"},
		"the simulated chips are an independent reading of the firmware: sharing a codec would hide its mistakes"},
	{"sim/traci", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "swarm", "camera", "periph.io/"},
		"SUMO's protocol for a world: it knows neither ROS nor how the robots are driven"},
	{"sim/traci/wire", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "sim", "net", "os", "periph.io/"},
		"a codec knows no world and opens nothing"},
	{"sim/webots", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "swarm", "camera", "sim/traci", "periph.io/"},
		"Webots' protocol for a world: it knows neither ROS nor what else drives robots"},
	{"sim/webots/wire", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "sim", "net", "os", "periph.io/"},
		"a codec knows no world and opens nothing"},
	{"sim/hold", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "sim$", "sim/traci", "swarm", "net", "os", "periph.io/"},
		"an interface: whoever holds time and whoever runs a world meet here"},
	{"wifi/robot", []string{"driver", "ros2", "msgs", "odometry", "sim", "cmd"},
		"a robot over Wi-Fi is a bus, a camera and a battery: it knows no ROS and not who drives it"},
	{"sim/wifi", []string{"driver", "ros2", "msgs", "odometry", "i2c", "cmd", "swarm", "periph.io/"},
		"the radio of simulated robots: it knows neither ROS nor how a Pi-puck drives them"},
	{"sim/robots", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "swarm", "net", "periph.io/"},
		"descriptions of robots: text, and what it says"},
	{"sim/machine", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "swarm", "sim/traci", "sim/wifi", "sim/robots/library", "net", "os",
		"periph.io/"}, "robots by their descriptions: it knows neither files nor who drives them"},
	{"sim/robots/proto", []string{"driver", "ros2", "msgs", "odometry", "i2c", "camera", "cmd", "swarm", "sim$", "sim/world", "net", "os", "periph.io/"},
		"Webots' descriptions of robots: text in, a robot out; it opens nothing"},
	{"wifi/packet", []string{"driver", "ros2", "msgs", "odometry", "i2c", "sim", "camera", "cmd", "net", "os", "periph.io/"},
		"a codec knows no robot and opens nothing"},
	{"web", []string{"driver", "i2c", "odometry", "sim", "camera", "calibration", "cmd", "ros2/rtps", "ros2/rmw",
		"ros2/rclgo", "worldview", "periph.io/"},
		"it shows any robot of any network: all it knows comes through topics, services and parameters"},
	{"teleop", []string{"ros2", "msgs", "driver", "i2c", "sim", "cmd", "net", "os"},
		"bytes of keys and joysticks to speeds: it opens nothing and sends nothing"},
	{"worldview", []string{"driver", "i2c", "odometry", "camera", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "web",
		"periph.io/"},
		"a simulated world as topics, for its subscribers"},
	{"doctor", []string{"driver", "ros2", "msgs", "odometry", "camera", "sim", "cmd"},
		"it knows Linux and the robot's chips; what ROS has to say is handed in"},
	{"universal", []string{"driver", "i2c", "camera", "cmd", "swarm", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "sim/world", "sim/robots/library", "net", "os",
		"periph.io/"}, "a node for any robot that is described: it knows no robot by its name"},
	{"swarm", []string{"ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd", "calibration", "doctor", "record", "periph.io/"},
		"many robots on any network: transport and hardware are handed in"},
	{"record", []string{"driver", "i2c", "odometry", "sim", "camera", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "periph.io/"},
		"recordings are of any ROS 2 network; the network and the types are handed in"},
	{"record/mcap", []string{"ros2", "msgs", "driver", "i2c", "sim", "cmd", "net"},
		"a file format knows no topics"},
	{"mapping", []string{"ros2", "msgs", "cdr", "driver", "i2c", "sim", "camera", "cmd", "mapper", "net"},
		"grids and files, for readings wherever they come from"},
	{"navigate", []string{"ros2", "msgs", "cdr", "driver", "i2c", "sim", "camera", "cmd", "mapper", "navigator", "net", "os"},
		"mathematics: poses in, speeds out"},
	{"mapper", []string{"driver", "i2c", "sim", "camera", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo"},
		"it sees a robot by its topics alone"},
	{"navigator", []string{"driver", "i2c", "sim", "camera", "cmd", "ros2/rtps", "ros2/rmw", "ros2/rclgo"},
		"it drives a robot by its topics alone"},
	{"examples", []string{"driver", "i2c", "sim", "camera", "cmd", "internal"},
		"programs as users write them: on the public packages and by topics"},
	{"target", []string{"ros2", "msgs", "cdr", "driver", "i2c", "odometry", "sim", "camera", "cmd", "swarm", "internal/task", "net", "log", "golang.org/x/",
		"periph.io/"}, "it measures programs, whatever they are"},
	{"target/machine", []string{"ros2", "msgs", "cdr", "driver", "i2c", "odometry", "sim", "camera", "cmd", "swarm", "net", "log", "periph.io/"},
		"it runs programs, whatever they are: buses are handed in"},
	{"internal/card", []string{"ros2", "msgs", "cdr", "driver", "sim", "camera", "odometry", "cmd", "net", "golang.org/x/", "periph.io/"},
		"settings of a system: programs of a few MB, which start before everything else"},
	{"cmd", []string{"ros2/rtps/wire", "i2c/mcu", "odometry"},
		"main wires rooms together; bytes or mathematics here are logic in the wrong room"},
	{"cmd/epuck-driver/internal/build", []string{"ros2$", "msgs", "cdr", "driver", "i2c", "odometry", "sim", "camera", "swarm", "record", "web", "net"},
		"what this program is, for those above that say it"},
	{"cmd/epuck-driver/internal/tty", []string{"msgs", "driver", "i2c", "odometry", "sim", "camera", "swarm", "record", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "github.com/spf13/"},
		"a terminal: it knows no command"},
	{"cmd/epuck-driver/internal/frame", []string{"msgs", "driver$", "i2c", "odometry", "sim", "camera", "swarm", "record", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/network", "cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"the frame of the command line: the commands are handed in"},
	{"cmd/epuck-driver/internal/simclient", []string{"i2c", "odometry", "camera", "swarm", "record", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"commands that see a simulation by its services alone"},
	{"cmd/epuck-driver/internal/driving", []string{"driver", "i2c", "odometry", "sim", "camera", "swarm", "record", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"commands that see a robot by its topics alone"},
	{"cmd/epuck-driver/internal/calibrations", []string{"i2c", "odometry", "sim", "swarm", "record", "web", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"commands that see a robot by its topics and services alone"},
	{"cmd/epuck-driver/internal/bags", []string{"i2c$", "i2c/mcu", "odometry", "sim", "camera", "swarm", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"recordings are of any ROS 2 network; a replayed bus is a tape"},
	{"cmd/epuck-driver/internal/studies", []string{"driver", "i2c", "odometry", "camera", "msgs", "ros2/rtps", "ros2/rmw", "ros2/rclgo", "cmd/epuck-driver/internal/network", "cmd/epuck-driver/internal/hardware", "cmd/epuck-driver/internal/simulate"},
		"commands that compute without a network"},
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
	for _, r := range importRules {
		if !seen[r.room] {
			t.Errorf("the rule for %s decides nothing: no Go file of its own", r.room)
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
