// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// readDrive reads the plug-in for a pair of wheels: that of Gazebo, of gazebo_ros for ROS 2 or for ROS 1, whose words
// differ. It reports false for a plug-in that is another's, which is listed as ignored.
func readDrive(e *xmltree.Element) (d *description.Drive, ok bool) {
	file, name := e.Needed("filename"), ""
	name, _ = e.Attribute("name")
	is := func(word string) bool {
		return strings.Contains(strings.ToLower(strings.ReplaceAll(file+" "+name, "-", "_")), word)
	}
	if is("joint_state_publisher") || is("jointstatepublisher") || is("joint_state") {
		e.Know() // what moves is known anyway
		return nil, false
	}
	if !is("diff_drive") && !is("diffdrive") {
		e.Ignore("the plug-in %q of %q", name, file)
		return nil, false
	}
	text := func(names ...string) string {
		for _, n := range names {
			if t := e.Content(n, ""); t != "" {
				return t
			}
		}
		return ""
	}
	number := func(names ...string) float64 {
		for _, n := range names {
			for _, c := range e.All(n) { // gazebo_ros for ROS 2 has one for each pair of wheels: the first counts
				if v, ok := c.Numbers("it", c.Text, 1); ok && v[0] != 0 {
					return v[0]
				}
			}
		}
		return 0
	}
	joints := func(names ...string) (all []string) {
		for _, n := range names {
			for _, j := range e.All(n) {
				all = append(all, j.Text)
			}
		}
		return all
	}
	d = &description.Drive{
		Left: joints("left_joint", "leftJoint"), Right: joints("right_joint", "rightJoint"), Line: e.Line,
		Separation: number("wheel_separation", "wheelSeparation"), Radius: number("wheel_radius"),
		Speed: number("max_linear_velocity", "max_velocity"), Acceleration: number("max_linear_acceleration", "max_acceleration"),
		StepsPerTurn: number("steps_per_turn"), StepTimer: number("step_timer"),
		CommandTopic: text("topic", "command_topic", "commandTopic"), OdometryTopic: text("odom_topic", "odometry_topic", "odometryTopic"),
	}
	if diameter := number("wheel_diameter", "wheelDiameter"); d.Radius == 0 {
		d.Radius = diameter / 2
	}
	return d, true
}

// AddDrive gives the drive of a robot that has been read so far, nil for none, and of one plug-in more. A robot has
// one: the first counts, and the others are listed as ignored.
func AddDrive(so *description.Drive, plugin *xmltree.Element) *description.Drive {
	d, ok := readDrive(plugin)
	switch {
	case !ok:
		return so
	case so != nil:
		plugin.Ignore("a second pair of driven wheels: that of line %d counts", so.Line)
		return so
	}
	return d
}
