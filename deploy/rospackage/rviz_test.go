// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// shows maps each display of RViz to its message type.
var shows = map[string]string{
	"LaserScan": "sensor_msgs/msg/LaserScan", "Range": "sensor_msgs/msg/Range", "Odometry": "nav_msgs/msg/Odometry",
	"Image": "sensor_msgs/msg/Image", "RobotModel": "std_msgs/msg/String", "Map": "nav_msgs/msg/OccupancyGrid",
	"Path": "nav_msgs/msg/Path", "Polygon": "geometry_msgs/msg/PolygonStamped",
	"PoseWithCovariance": "geometry_msgs/msg/PoseWithCovarianceStamped",
}

// others are the topics of Nav2, AMCL and the mappers that are shown.
var others = map[string]string{
	"map": "nav_msgs/msg/OccupancyGrid", "plan": "nav_msgs/msg/Path",
	"local_costmap/costmap": "nav_msgs/msg/OccupancyGrid", "global_costmap/costmap": "nav_msgs/msg/OccupancyGrid",
	"local_costmap/published_footprint": "geometry_msgs/msg/PolygonStamped",
	"amcl_pose":                         "geometry_msgs/msg/PoseWithCovarianceStamped",
}

// latched are those of them that come once.
var latched = []string{"map", "local_costmap/costmap", "global_costmap/costmap", "amcl_pose"}

// display is one of an RViz configuration that shows a topic.
type display struct {
	class, topic string
	asks         ros2.QoS
}

// displays gives what a configuration shows, and the frame it is shown in.
func displays(t *testing.T, file string) (out []display, frame string) {
	t.Helper()
	all, ok := at(t, readYAML(t, file), "Visualization Manager", "Displays").([]any)
	if !ok || len(all) == 0 {
		t.Fatalf("%s has no displays", file)
	}
	for _, d := range all {
		entry, _ := d.(map[string]any)
		source, _ := entry["Topic"].(map[string]any)
		if source == nil {
			source, _ = entry["Description Topic"].(map[string]any)
		}
		if source != nil {
			out = append(out, display{
				strings.TrimPrefix(fmt.Sprint(entry["Class"]), "rviz_default_plugins/"), fmt.Sprint(source["Value"]), quality(source),
			})
		}
	}
	return out, fmt.Sprint(at(t, readYAML(t, file), "Visualization Manager", "Global Options", "Fixed Frame"))
}

// check says what is wrong with a display of one robot's topic.
func (d display) check(name string) error {
	if kind, ok := others[name]; ok {
		if kind != shows[d.class] {
			return fmt.Errorf("%s shows %s, which is %s", d.class, name, kind)
		}
		if slices.Contains(latched, name) && d.asks.Durability != ros2.TransientLocal {
			return fmt.Errorf("%s comes too late for %s", d.class, name)
		}
		return nil
	}
	row := topic(name)
	switch {
	case row == nil:
		return fmt.Errorf("%s shows %s, which there is not", d.class, name)
	case row.Direction != table.Published || row.Type != shows[d.class]:
		return fmt.Errorf("%s shows %s, which is %s", d.class, name, row.Type)
	case ros2.IncompatiblePolicies(row.QoS, d.asks) != 0:
		return fmt.Errorf("%s asks for more than %s offers", d.class, name)
	case row.QoS.Durability == ros2.TransientLocal && d.asks.Durability != ros2.TransientLocal:
		return fmt.Errorf("%s comes too late for %s", d.class, name)
	}
	return nil
}

// TestRVizShowsWhatThereIs: topics, types and quality of service of the displays are the driver's, Nav2's and the
// mappers', and rviz.launch.py moves them into the robot's namespace.
func TestRVizShowsWhatThereIs(t *testing.T) {
	frames := map[string]string{"robot": defaultOf("odom_frame").Str(), "mapping": "map", "navigation": "map"}
	for config, want := range frames {
		node := started(t, launched(t, "rviz", "jazzy", "config:="+config, "namespace:=epuck1"), "rviz2")
		shown, frame := displays(t, "rviz/"+config+".rviz")
		for _, d := range shown {
			name := strings.TrimPrefix(d.topic, "/")
			if err := d.check(name); err != nil {
				t.Errorf("%s: %v", config, err)
			}
			if node.Remappings["/"+name] != name {
				t.Errorf("%s: %s does not follow the namespace", config, name)
			}
		}
		if frame != want {
			t.Errorf("%s is shown in %s, not in %s", config, frame, want)
		}
		if file := filepath.Base(node.Arguments[1]); file != config+".rviz" {
			t.Errorf("config:=%s opens %s", config, file)
		}
	}
	shown, _ := displays(t, "rviz/robots.rviz")
	robots := map[string]bool{}
	for _, d := range shown {
		robot, name, found := strings.Cut(strings.TrimPrefix(d.topic, "/"), "/")
		if !found {
			robot, name = "", robot
		}
		if err := d.check(name); err != nil {
			t.Errorf("robots: %v", err)
		}
		robots[robot] = true
	}
	if !robots["epuck1"] || !robots["epuck2"] || !robots["epuck3"] {
		t.Errorf("robots shows those of %v", robots)
	}
	if _, err := launch(t, "rviz", "jazzy", "config:=nothing"); err == nil {
		t.Error("a configuration that there is not is opened")
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
