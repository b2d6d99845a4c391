// SPDX-License-Identifier: Apache-2.0

package rospackage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// topic returns the row of the driver's table that has the topic, nil if none has.
func topic(name string) *table.Topic {
	name = strings.TrimPrefix(name, "/")
	for _, t := range table.Topics() {
		for _, n := range t.Names() {
			if strings.TrimPrefix(n, "/") == name {
				return &t
			}
		}
	}
	return nil
}

func defaultOf(name string) ros2.ParameterValue {
	for _, p := range table.Parameters() {
		if p.Name == name {
			return p.Default
		}
	}
	return ros2.ParameterValue{}
}

// shows tells which message type a display of RViz shows.
var shows = map[string]string{
	"LaserScan": "sensor_msgs/msg/LaserScan", "Range": "sensor_msgs/msg/Range", "Odometry": "nav_msgs/msg/Odometry",
	"Image": "sensor_msgs/msg/Image", "RobotModel": "std_msgs/msg/String",
}

// TestRVizShowsWhatThereIs: topics, types and quality of service of the displays are the driver's.
func TestRVizShowsWhatThereIs(t *testing.T) {
	displays, ok := at(t, readYAML(t, "rviz/robot.rviz"), "Visualization Manager", "Displays").([]any)
	if !ok {
		t.Fatal("no displays")
	}
	var shown []string
	for _, d := range displays {
		display, _ := d.(map[string]any)
		class := strings.TrimPrefix(fmt.Sprint(display["Class"]), "rviz_default_plugins/")
		source, _ := display["Topic"].(map[string]any)
		if source == nil {
			source, _ = display["Description Topic"].(map[string]any)
		}
		if source == nil {
			continue
		}
		name := fmt.Sprint(source["Value"])
		shown = append(shown, strings.TrimPrefix(name, "/"))
		row := topic(name)
		if row == nil {
			t.Errorf("%s shows %s, which the driver does not publish", class, name)
			continue
		}
		if row.Direction != table.Published || row.Type != shows[class] {
			t.Errorf("%s shows %s, which is %s", class, name, row.Type)
		}
		if p := ros2.IncompatiblePolicies(row.QoS, quality(source)); p != 0 {
			t.Errorf("%s asks for more than %s offers: %v", class, name, p)
		}
		if row.QoS.Durability == ros2.TransientLocal && quality(source).Durability != ros2.TransientLocal {
			t.Errorf("%s comes too late for %s", class, name)
		}
	}
	// robot.launch.py moves just these into the namespace.
	launch := read(t, "launch/robot.launch.py")
	list := regexp.MustCompile(`SHOWN = \[([^\]]*)\] \+ \['ps%d' % i for i in range\((\d)\)\]`).FindStringSubmatch(launch)
	if list == nil {
		t.Fatal("robot.launch.py has no list SHOWN")
	}
	var moved []string
	for _, name := range strings.Split(list[1], ",") {
		moved = append(moved, strings.Trim(name, " '"))
	}
	for i := range int(list[2][0] - '0') {
		moved = append(moved, fmt.Sprintf("ps%d", i))
	}
	slices.Sort(moved)
	slices.Sort(shown)
	if !slices.Equal(moved, shown) {
		t.Errorf("shown %q, moved %q", shown, moved)
	}
	if at(t, readYAML(t, "rviz/robot.rviz"), "Visualization Manager", "Global Options", "Fixed Frame") != defaultOf("odom_frame").Str() {
		t.Error("the fixed frame is not odom_frame")
	}
}

// quality is what a display asks for.
func quality(source map[string]any) (q ros2.QoS) {
	if source["Reliability Policy"] == "Best Effort" {
		q.Reliability = ros2.BestEffort
	}
	if source["Durability Policy"] == "Transient Local" {
		q.Durability = ros2.TransientLocal
	}
	return q
}

// TestNavigationSuitsTheRobot: frames and topics are the driver's, sizes and speeds the robot's.
func TestNavigationSuitsTheRobot(t *testing.T) {
	nav := readYAML(t, "config/nav2.yaml")
	base, odom := defaultOf("base_frame").Str(), defaultOf("odom_frame").Str()
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"bt_navigator", "ros__parameters", "robot_base_frame"}, base},
		{[]string{"bt_navigator", "ros__parameters", "odom_topic"}, "odom"},
		{[]string{"controller_server", "ros__parameters", "odom_topic"}, "odom"},
		{[]string{"velocity_smoother", "ros__parameters", "odom_topic"}, "odom"},
		{[]string{"behavior_server", "ros__parameters", "robot_base_frame"}, base},
		{[]string{"behavior_server", "ros__parameters", "local_frame"}, odom},
		{[]string{"local_costmap", "local_costmap", "ros__parameters", "robot_base_frame"}, base},
		{[]string{"local_costmap", "local_costmap", "ros__parameters", "global_frame"}, odom},
		{[]string{"local_costmap", "local_costmap", "ros__parameters", "obstacle_layer", "scan", "topic"}, "scan"},
		{[]string{"global_costmap", "global_costmap", "ros__parameters", "robot_base_frame"}, base},
		{[]string{"global_costmap", "global_costmap", "ros__parameters", "obstacle_layer", "scan", "topic"}, "scan"},
	} {
		if got := at(t, nav, c.path...); got != c.want {
			t.Errorf("%v is %v, want %s", c.path, got, c.want)
		}
		if last := c.path[len(c.path)-1]; strings.HasSuffix(last, "topic") && topic(c.want) == nil {
			t.Errorf("the driver has no topic %s", c.want)
		}
	}
	const radius = 0.035 // m, of the robot
	for _, costmap := range []string{"local_costmap", "global_costmap"} {
		r := number(t, nav, costmap, costmap, "ros__parameters", "robot_radius")
		cell := number(t, nav, costmap, costmap, "ros__parameters", "resolution")
		if r < radius || r > radius+cell {
			t.Errorf("%s: the robot of %v m has radius %v in cells of %v m", costmap, radius, r, cell)
		}
	}
	fastest := defaultOf("wheel_radius").Double() * defaultOf("max_wheel_speed").Double()
	cruise := number(t, nav, "controller_server", "ros__parameters", "FollowPath", "desired_linear_vel")
	limits, ok := at(t, nav, "velocity_smoother", "ros__parameters", "max_velocity").([]any)
	if !ok || len(limits) != 3 {
		t.Fatalf("max_velocity %v", limits)
	}
	top, _ := limits[0].(float64)
	if cruise > top || top > fastest {
		t.Errorf("Nav2 drives %v m/s and lets %v through, the wheels can %v", cruise, top, fastest)
	}
	if rate := number(t, nav, "controller_server", "ros__parameters", "controller_frequency"); 2/rate > defaultOf("cmd_vel_timeout").Double() {
		t.Errorf("at %v commands/s one lost command stops the wheels", rate)
	}
}

func number(t *testing.T, m map[string]any, path ...string) float64 {
	t.Helper()
	switch v := at(t, m, path...).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	default:
		t.Fatalf("%v is %v", path, v)
		return 0
	}
}

func TestSLAMSuitsTheRobot(t *testing.T) {
	slam := readYAML(t, "config/slam_toolbox.yaml")
	for name, want := range map[string]string{"odom_frame": defaultOf("odom_frame").Str(), "base_frame": defaultOf("base_frame").Str(), "scan_topic": "scan"} {
		if got := at(t, slam, "/**", "ros__parameters", name); got != want {
			t.Errorf("%s is %v, want %s", name, got, want)
		}
	}
	if topic("scan") == nil {
		t.Error("the driver has no scan")
	}
}

// TestMuxIsNoSlowerThanTheDriver: who stops sending must not be followed longer than the driver would.
func TestMuxIsNoSlowerThanTheDriver(t *testing.T) {
	topics, ok := at(t, readYAML(t, "config/twist_mux.yaml"), "/**", "ros__parameters", "topics").(map[string]any)
	if !ok || len(topics) < 2 {
		t.Fatalf("topics %v", topics)
	}
	for name := range topics {
		if got := number(t, topics, name, "timeout"); got > defaultOf("cmd_vel_timeout").Double() {
			t.Errorf("%s is followed for %v s", name, got)
		}
	}
	if !strings.Contains(read(t, "launch/robot.launch.py"), "('cmd_vel_out', 'cmd_vel')") || topic("cmd_vel") == nil {
		t.Error("the mux does not lead to cmd_vel")
	}
}
