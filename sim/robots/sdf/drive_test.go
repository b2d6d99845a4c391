// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

// wheeled is a model with four wheels and what is given in it, in a line of its own.
func wheeled(plugins string) []byte {
	var text strings.Builder
	text.WriteString(`<sdf version="1.9"><model name="m"><link name="base"/>`)
	for _, wheel := range []string{"fl", "bl", "fr", "br"} {
		fmt.Fprintf(&text, `<link name="%s_link"/><joint name="%[1]s" type="revolute">`, wheel)
		fmt.Fprintf(&text, `<parent>base</parent><child>%s_link</child><axis><xyz>0 1 0</xyz></axis></joint>`, wheel)
	}
	return []byte(text.String() + "\n" + plugins + "</model></sdf>")
}

func TestDriveInTheWordsOfEachGazebo(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want description.Drive
	}{
		"gz": {`<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
			<left_joint>fl</left_joint><left_joint>bl</left_joint><right_joint>fr</right_joint><right_joint>br</right_joint>
			<wheel_separation>0.5</wheel_separation><wheel_radius>0.1</wheel_radius>
			<max_linear_velocity>1.5</max_linear_velocity><max_linear_acceleration>2</max_linear_acceleration><steps_per_turn>400</steps_per_turn>
			<topic>/model/m/cmd_vel</topic><odom_topic>/model/m/odometry</odom_topic>
			</plugin>`, description.Drive{
			Left: []string{"fl", "bl"}, Right: []string{"fr", "br"}, Separation: .5, Radius: .1, Speed: 1.5, Acceleration: 2, StepsPerTurn: 400,
			CommandTopic: "/model/m/cmd_vel", OdometryTopic: "/model/m/odometry",
		}},
		"ignition": {`<plugin filename="libignition-gazebo-diff-drive-system.so" name="ignition::gazebo::systems::DiffDrive">
			<left_joint>fl</left_joint><right_joint>fr</right_joint>
			<wheel_separation>0.5</wheel_separation><wheel_radius>0.1</wheel_radius>
			<max_velocity>1</max_velocity><max_acceleration>3</max_acceleration>
			</plugin>`, description.Drive{Left: []string{"fl"}, Right: []string{"fr"}, Separation: .5, Radius: .1, Speed: 1, Acceleration: 3}},
		"gazebo_ros of ROS 2": {`<plugin filename="libgazebo_ros_diff_drive.so" name="drive">
			<left_joint>fl</left_joint><right_joint>fr</right_joint>
			<wheel_separation>0.5</wheel_separation><wheel_diameter>0.25</wheel_diameter>
			<command_topic>cmd_vel</command_topic><odometry_topic>odom</odometry_topic>
			</plugin>`, description.Drive{
			Left: []string{"fl"}, Right: []string{"fr"}, Separation: .5, Radius: .125, CommandTopic: "cmd_vel", OdometryTopic: "odom",
		}},
		"gazebo_ros of ROS 2, a size for each pair": {`<plugin filename="libgazebo_ros_diff_drive.so" name="drive">
			<num_wheel_pairs>2</num_wheel_pairs>
			<left_joint>fl</left_joint><right_joint>fr</right_joint><left_joint>bl</left_joint><right_joint>br</right_joint>
			<wheel_separation>0.5</wheel_separation><wheel_separation>0.5</wheel_separation>
			<wheel_diameter>0.25</wheel_diameter><wheel_diameter>0.25</wheel_diameter>
			</plugin>`, description.Drive{Left: []string{"fl", "bl"}, Right: []string{"fr", "br"}, Separation: .5, Radius: .125}},
		"gazebo_ros of ROS 1": {`<plugin filename="libgazebo_ros_diff_drive.so" name="drive">
			<leftJoint>fl</leftJoint><rightJoint>fr</rightJoint>
			<wheelSeparation>0.5</wheelSeparation><wheelDiameter>0.25</wheelDiameter>
			<commandTopic>cmd_vel</commandTopic><odometryTopic>odom</odometryTopic>
			</plugin>`, description.Drive{
			Left: []string{"fl"}, Right: []string{"fr"}, Separation: .5, Radius: .125, CommandTopic: "cmd_vel", OdometryTopic: "odom",
		}},
		"a radius counts before a diameter": {`<plugin filename="diff-drive" name="d">
			<left_joint>fl</left_joint><right_joint>fr</right_joint>
			<wheel_separation>0.5</wheel_separation><wheel_radius>0.1</wheel_radius><wheel_diameter>0.25</wheel_diameter>
			</plugin>`, description.Drive{Left: []string{"fl"}, Right: []string{"fr"}, Separation: .5, Radius: .1}},
	} {
		r, err := sdf.Parse("m", wheeled(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c.want.Line = 2
		if diff := cmp.Diff(&c.want, r.Drive); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDrivesThatCanNotBe(t *testing.T) {
	const start = `<plugin filename="diff_drive" name="d">`
	for want, text := range map[string]string{
		`line 2: differential drive: wheels of radius 0 m, 0.5 m apart`: start + `
			<left_joint>fl</left_joint><right_joint>fr</right_joint><wheel_separation>0.5</wheel_separation></plugin>`,
		`no wheel on one side`: start + `
			<left_joint>fl</left_joint><wheel_separation>1</wheel_separation><wheel_radius>1</wheel_radius></plugin>`,
		`no joint "legs" that turns`: start + `
			<left_joint>fl</left_joint><right_joint>legs</right_joint>
			<wheel_separation>1</wheel_separation><wheel_radius>1</wheel_radius></plugin>`,
		`m:3: <wheel_radius>: it is "wide": "wide" is no finite number`: start + `
			<wheel_radius>wide</wheel_radius></plugin>`,
		`<plugin>: it has no filename`: `<plugin name="d"/>`,
	} {
		if _, err := sdf.Parse("m", wheeled(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// What publishes joints is done without it; other plug-ins are listed with their lines, and drive nothing.
func TestOtherPlugins(t *testing.T) {
	r, err := sdf.Parse("m", wheeled(`<plugin filename="libgazebo_ros_joint_state_publisher.so" name="j"><joint_name>fl</joint_name></plugin>
		<plugin filename="gz-sim-joint-state-publisher-system" name="gz::sim::systems::JointStatePublisher"/>
		<plugin filename="libgazebo_ros_imu.so" name="imu"><topic>imu</topic></plugin>
		<plugin filename="gz-sim-pose-publisher-system" name="gz::sim::systems::PosePublisher"/>
	`))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{4 the plug-in "imu" of "libgazebo_ros_imu.so"} {5 the plug-in "gz::sim::systems::PosePublisher" of "gz-sim-pose-publisher-system"}]`
	if got := fmt.Sprint(r.Ignored); got != want || r.Drive != nil {
		t.Errorf("%s, %+v\nwant %s", got, r.Drive, want)
	}
}
