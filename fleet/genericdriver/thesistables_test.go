// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// thesisRow is what the thesis has, and what stands for it here: of table 7.3 a pattern of topics, of the others
// names of parameters or the message of a kind of device.
type thesisRow struct{ theirs, ours string }

// table73 is what the thesis' universal driver gave a Khepera IV.
var table73 = []struct {
	theirs  string
	n       int    // as the thesis has it
	pattern string // of name and type here
}{
	{"camera", 1, `^image_raw sensor_msgs/msg/Image$`}, {"`cmd_vel`", 1, `^cmd_vel geometry_msgs/msg/Twist$`},
	{"infrared sensors", 12, `^(ir|ground)\d+ sensor_msgs/msg/Range$`}, {"LEDs", 3, `^led\d+ std_msgs/msg/Int32$`},
	{"ultrasonic sensors", 5, `^us\d+ sensor_msgs/msg/Range$`}, {"`imu`", 1, `^imu sensor_msgs/msg/Imu$`},
	{"`joint_states`", 1, `^joint_states sensor_msgs/msg/JointState$`}, {"`odom`", 1, `^odom nav_msgs/msg/Odometry$`},
	{"`robot_description`", 1, `^robot_description std_msgs/msg/String$`}, {"`tf`", 1, `^tf tf2_msgs/msg/TFMessage$`},
}

// ofDevices are the parameters of a device, ofDrive those of the wheels (table 6.2), ofKinds the messages.
func ofDevices() []thesisRow {
	return []thesisRow{
		{"enabled", "scan.enabled"}, {"topicName", "scan.topic_name"}, {"updateRate", "scan.update_rate"},
		{"alwaysOn", "scan.always_on"}, {"frameName", "scan.frame_name"},
	}
}

func ofDrive() []thesisRow {
	return []thesisRow{
		{"left, right joint", "drive.left_joint drive.right_joint"}, {"left, right encoder", "drive.left_joint drive.right_joint"},
		{"wheel_distance", "drive.wheel_distance"}, {"wheel_radius", "drive.wheel_radius"}, {"command_topic", "drive.command_topic"},
		{"odometry_topic", "drive.odometry_topic"}, {"odometry_frame", "drive.odometry_frame"}, {"robot_base_frame", "drive.robot_base_frame"},
	}
}

func ofKinds() []thesisRow {
	return []thesisRow{
		{"distance sensor: Range", "ps0 sensor_msgs/msg/Range"}, {"light sensor: Illuminance", "ls0 sensor_msgs/msg/Illuminance"},
		{"LED: Int32", "led0 std_msgs/msg/Int32"}, {"camera: Image, CameraInfo", "image_raw sensor_msgs/msg/Image; camera_info sensor_msgs/msg/CameraInfo"},
		{"accelerometer, gyro, inertial unit: one Imu", "imu sensor_msgs/msg/Imu"},
		{"motors and position sensors: joint_states", "joint_states sensor_msgs/msg/JointState"},
		{"differential drive: cmd_vel, odom, TF", "cmd_vel geometry_msgs/msg/Twist; odom nav_msgs/msg/Odometry; tf tf2_msgs/msg/TFMessage"},
		{"tree: robot_description", "robot_description std_msgs/msg/String"},
	}
}

// compareWithThesis returns its tables next to the results here; a row that is missing here fails the test.
func compareWithThesis(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| Khepera IV, the thesis' table 7.3 | thesis | here |\n| --- | --- | --- |\n")
	topics := map[string][]string{}
	for _, model := range []string{"khepera4", "epuck2"} {
		for _, e := range newRig(t, options{model: model}).endpoints() {
			topics[model] = append(topics[model], e.name+" "+e.kind)
		}
	}
	for _, row := range table73 {
		pattern, n := regexp.MustCompile(row.pattern), 0
		for _, topic := range topics["khepera4"] {
			if pattern.MatchString(topic) {
				n++
			}
		}
		if n != row.n {
			t.Errorf("table 7.3: %d × %s, the thesis has %d", n, row.theirs, row.n)
		}
		fmt.Fprintf(&b, "| %s | %d | %d |\n", row.theirs, row.n, n)
	}
	declared := " "
	for _, p := range newRig(t, options{}).robot.Parameters().All() {
		declared += p.Name + " "
	}
	for _, table := range []struct {
		title string
		rows  []thesisRow
		in    string
		sep   string
	}{
		{"parameter of a device (`TestTablesOfThePage`), the thesis", ofDevices(), declared, " "},
		{"of the wheels, the thesis' table 6.2", ofDrive(), declared, " "},
		{"device, the thesis", ofKinds(), " " + strings.Join(topics["epuck2"], " ") + " ", "; "},
	} {
		fmt.Fprintf(&b, "\n| %s | here |\n| --- | --- |\n", table.title)
		for _, row := range table.rows {
			ours := strings.Split(row.ours, table.sep)
			for _, name := range ours {
				if !strings.Contains(table.in, " "+name+" ") {
					t.Errorf("%s: there is no %s", table.title, name)
				}
			}
			fmt.Fprintf(&b, "| %s | `%s` |\n", row.theirs, strings.Join(ours, "`, `"))
		}
	}
	return b.String()
}
