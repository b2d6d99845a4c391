// SPDX-License-Identifier: Apache-2.0

package shell

import "strings"

// groupSummaries are the summaries of the groups of commands.
var groupSummaries = map[string]string{
	"action":    "Show actions and send goals, as ros2 action",
	"component": "Show containers of components, as ros2 component",
	"interface": "Show message, service and action types, as ros2 interface",
	"lifecycle": "Show and change the states of managed nodes, as ros2 lifecycle",
	"node":      "Show nodes, as ros2 node",
	"param":     "Show and set parameters, as ros2 param",
	"service":   "Show and call services, as ros2 service",
	"topic":     "Show and publish topics, as ros2 topic",
}

// examples are command lines for each command, without the program's name.
var examples = map[string][]string{
	"action info":      {"action info -t /navigate_to_pose"},
	"action list":      {"action list -t"},
	"action send_goal": {"action send_goal --feedback /fibonacci example_interfaces/action/Fibonacci '{order: 5}'"},

	"component list": {"component list"},

	"interface list":     {"interface list --only-srvs"},
	"interface package":  {"interface package sensor_msgs"},
	"interface packages": {"interface packages"},
	"interface proto":    {"interface proto geometry_msgs/msg/Twist"},
	"interface show":     {"interface show sensor_msgs/msg/Range", "interface show --no-comments nav_msgs/msg/Odometry"},

	"lifecycle get":   {"lifecycle get /map_server"},
	"lifecycle list":  {"lifecycle list /map_server"},
	"lifecycle nodes": {"lifecycle nodes"},
	"lifecycle set":   {"lifecycle set /map_server activate"},

	"node info": {"node info /epuck_driver"},
	"node list": {"node list", "node list --count-nodes"},

	"param delete":   {"param delete /epuck_driver note"},
	"param describe": {"param describe /epuck_driver wheel_radius rate"},
	"param dump":     {"param dump /epuck_driver > robot.yaml"},
	"param get":      {"param get /epuck_driver wheel_radius"},
	"param list":     {"param list /epuck_driver", "param list /epuck_driver --param-prefixes camera --param-type"},
	"param load":     {"param load /epuck_driver robot.yaml"},
	"param set":      {"param set /epuck_driver wheel_radius 0.0201", "param set /epuck_driver publish_tf false"},

	"service call": {"service call /reset_odometry std_srvs/srv/Trigger", "service call /go std_srvs/srv/SetBool '{data: true}'"},
	"service find": {"service find std_srvs/srv/Trigger"},
	"service list": {"service list -t"},
	"service type": {"service type /reset_odometry"},

	"topic bw":    {"topic bw /image_raw/compressed"},
	"topic delay": {"topic delay /scan"},
	"topic echo":  {"topic echo /odom", "topic echo --once --field pose.pose.position /odom", "topic echo --csv /ps0 > ps0.csv"},
	"topic find":  {"topic find sensor_msgs/msg/Range"},
	"topic hz":    {"topic hz /scan --window 100"},
	"topic info":  {"topic info -v /cmd_vel"},
	"topic list":  {"topic list -t"},
	"topic pub": {"topic pub -r 10 /cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.05}}'",
		"topic pub -1 /led0 std_msgs/msg/Int32 '{data: 1}'"},
	"topic type": {"topic type /scan"},
}

// example returns the examples of a command as help shows them.
func example(program, group, name string) string {
	var lines []string
	for _, e := range examples[group+" "+name] {
		lines = append(lines, "  "+program+" "+e)
	}
	return strings.Join(lines, "\n")
}

// groupExample returns the first example of each command of a group.
func groupExample(program, group string) string {
	var lines []string
	all := commands()
	for i := range all {
		if e := examples[group+" "+all[i].name]; all[i].group == group && len(e) > 0 {
			lines = append(lines, "  "+program+" "+e[0])
		}
	}
	return strings.Join(lines, "\n")
}
