// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// notOfDescription are the driver's topics that no device of the description stands for, and why.
func notOfDescription() map[string]string {
	return map[string]string{
		"ps_raw":               "counts before calibration: of the chip",
		"mic":                  "no microphones in descriptions",
		"button":               "no buttons in descriptions",
		"selector":             "the same",
		"tv_remote":            "the same",
		"speaker":              "no loudspeakers in descriptions",
		"mag":                  "a chip of some robots, which the description leaves out",
		"battery_state":        "the Pi-puck's monitor, which the description leaves out",
		"pi_led":               "LEDs of the Pi-puck's board, the same",
		"image_raw/compressed": "JPEG is the driver's",
		"/diagnostics":         "of chips and buses",
	}
}

// The interface of the e-puck2's description is the driver's: each of its topics has the driver's name, direction, type
// and quality of service, and what the driver has beyond that is listed with its reason.
func TestInterfaceOfTheEPuck2(t *testing.T) {
	r := newRig(t, options{model: "epuck2"})
	offered := map[string]endpoint{}
	for _, e := range r.endpoints() {
		offered[e.name] = e
	}
	without := notOfDescription()
	for _, row := range table.Topics() {
		if _, left := without[row.Name]; left {
			delete(without, row.Name)
			continue
		}
		for _, name := range row.Names() {
			name = strings.TrimPrefix(name, "/")
			e, there := offered[name]
			delete(offered, name)
			if !there {
				t.Errorf("%s is missing", name)
				continue
			}
			if e.kind != row.Type || e.published != (row.Direction == table.Published) {
				t.Errorf("%s is %s (published: %v), the driver's %s", name, e.kind, e.published, row.Type)
			}
			if e.qos.Reliability != row.QoS.Reliability || e.qos.Durability != row.QoS.Durability || e.qos.Depth != row.QoS.Depth {
				t.Errorf("%s has %+v, the driver's has %+v", name, e.qos, row.QoS)
			}
		}
	}
	for name := range without {
		t.Errorf("the driver has no topic %s any more", name)
	}
	for name := range offered {
		t.Errorf("the driver has no topic %s", name)
	}
}

// TestKheperaAsInTheThesis: the topics that the thesis' universal driver gave a Khepera IV (its table 7.3), by their
// kinds.
func TestKheperaAsInTheThesis(t *testing.T) {
	r := newRig(t, options{model: "khepera4"})
	kinds := map[string]int{}
	for _, e := range r.endpoints() {
		kinds[strings.TrimRight(e.name, "0123456789")+" "+e.kind]++
	}
	for kind, n := range map[string]int{
		"image_raw sensor_msgs/msg/Image": 1, "camera_info sensor_msgs/msg/CameraInfo": 1, "cmd_vel geometry_msgs/msg/Twist": 1,
		"ir sensor_msgs/msg/Range": 8, "ground sensor_msgs/msg/Range": 4, "led std_msgs/msg/Int": 0, "led std_msgs/msg/Int32": 3,
		"us sensor_msgs/msg/Range": 5, "imu sensor_msgs/msg/Imu": 1, "joint_states sensor_msgs/msg/JointState": 1,
		"odom nav_msgs/msg/Odometry": 1, "robot_description std_msgs/msg/String": 1, "tf tf2_msgs/msg/TFMessage": 1,
	} {
		if kinds[kind] != n {
			t.Errorf("%d × %s, the thesis has %d: %v", kinds[kind], kind, n, kinds)
		}
	}
}

// tablesOf are the tables of docs/howto/generic-driver.md: what each of three robots has, and the parameters.
func tablesOf(t *testing.T) string {
	var b strings.Builder
	for _, model := range []string{"epuck2", "khepera4", "turtlebot3_burger"} {
		r := newRig(t, options{model: model})
		fmt.Fprintf(&b, "\n`%s`:\n\n| topic | type | |\n| --- | --- | --- |\n", model)
		rows := map[string][]string{}
		var order []string
		for _, e := range r.endpoints() {
			way := "subscribed"
			if e.published {
				way = "published"
			}
			stem := strings.TrimRight(e.name, "0123456789")
			key := stem + "|" + e.kind + "|" + way
			if rows[key] == nil {
				order = append(order, key)
			}
			rows[key] = append(rows[key], strings.TrimPrefix(e.name, stem))
		}
		for _, key := range order {
			f, numbers := strings.Split(key, "|"), rows[key]
			name := f[0] + numbers[0]
			if len(numbers) > 1 {
				name += " … " + f[0] + numbers[len(numbers)-1]
			}
			fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", name, f[1], f[2])
		}
	}
	b.WriteString(compareWithThesis(t))
	r := newRig(t, options{})
	b.WriteString("\n| parameter (`TestTablesOfThePage`) | of a TurtleBot3 | |\n| --- | --- | --- |\n")
	for _, p := range r.robot.Parameters().All() {
		d, err := r.robot.Parameters().Describe(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.Name, "drive.") || strings.HasPrefix(p.Name, "scan.") || p.Name == "frame_prefix" {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, shown(p.Value), d.Description)
		}
	}
	return b.String()
}

// shown is a parameter's value as a table has it.
func shown(v ros2.ParameterValue) string {
	switch v.Type() {
	case ros2.ParameterDouble:
		return fmt.Sprintf("%g", v.Double())
	case ros2.ParameterBool:
		return fmt.Sprint(v.Bool())
	}
	return "`" + v.Str() + "`"
}

const page, begin, end = "../../docs/howto/generic-driver.md", "<!-- tables -->\n", "<!-- end of tables -->"

// TestTablesOfThePage: the tables of docs/howto/generic-driver.md are those of the robots as they are. With
// EPUCK_WRITE_TABLES set it writes them.
func TestTablesOfThePage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	was, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for tables", page)
	}
	want := tablesOf(t) + "\n"
	if was == want {
		return
	}
	if os.Getenv("EPUCK_WRITE_TABLES") == "" {
		lines := strings.Split(was, "\n")
		for _, l := range strings.Split(want, "\n") {
			if !slices.Contains(lines, l) {
				t.Errorf("the page lacks %q", l)
			}
		}
		t.Fatal("the tables of the page are old: EPUCK_WRITE_TABLES=1 go test -run TablesOfThePage ./fleet/genericdriver")
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
