// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// radius of the robot, m.
const radius = 0.035

// parameters gives those of a node as ROS 2 reads them: one file after the other, then those of the launch file.
func parameters(t *testing.T, n node, name string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, file := range n.Files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]map[string]map[string]any
		if err := yaml.Unmarshal(data, &tree); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for key := range tree {
			if !strings.HasPrefix(key, "/**") {
				t.Errorf("%s: %s suits no namespace", filepath.Base(file), key)
			}
		}
		merge(all, tree["/**/"+name]["ros__parameters"])
	}
	for dotted, v := range n.Parameters {
		words := strings.Split(dotted, ".")
		for i := len(words) - 1; i > 0; i-- {
			v = map[string]any{words[i]: v}
		}
		merge(all, map[string]any{words[0]: v})
	}
	return all
}

func merge(into, from map[string]any) {
	for k, v := range from {
		below, ok := v.(map[string]any)
		if !ok {
			into[k] = v
			continue
		}
		if next, ok := into[k].(map[string]any); ok {
			merge(next, below)
			continue
		}
		next := map[string]any{}
		merge(next, below)
		into[k] = next
	}
}

// TestParametersByRelease: names that changed between the releases of Nav2 are those of the release, as Nav2's
// sources have them (1.1.20, 1.3.13, 1.4.2, 1.5.1).
func TestParametersByRelease(t *testing.T) {
	for _, release := range releases {
		nodes := launched(t, "navigation", release, "map:=/a.yaml")
		of := func(server string, path ...string) any {
			m := any(parameters(t, started(t, nodes, server), server))
			for _, key := range path {
				next, _ := m.(map[string]any)
				m = next[key]
			}
			return m
		}
		humble, lyrical := release == "humble", !slices.Contains([]string{"humble", "jazzy", "kilted"}, release)
		separator := map[bool]string{true: "/", false: "::"}[humble]
		for _, c := range []struct {
			server string
			path   []string
			want   any
		}{
			{"planner_server", []string{"GridBased", "plugin"}, "nav2_navfn_planner" + separator + "NavfnPlanner"},
			{"behavior_server", []string{"spin", "plugin"}, "nav2_behaviors" + separator + "Spin"},
			{"behavior_server", []string{"backup", "plugin"}, "nav2_behaviors" + separator + "BackUp"},
			{"behavior_server", []string{"drive_on_heading", "plugin"}, "nav2_behaviors" + separator + "DriveOnHeading"},
			{"behavior_server", []string{"wait", "plugin"}, "nav2_behaviors" + separator + "Wait"},
			{"behavior_server", []string{"global_frame"}, map[bool]string{true: "odom", false: "map"}[humble]},
			{"behavior_server", []string{"local_frame"}, "odom"},
			{"controller_server", []string{"FollowPath", "plugin"}, "nav2_regulated_pure_pursuit_controller::RegulatedPurePursuitController"},
			{"controller_server", []string{"FollowPath", "use_interpolation"}, nil},
			{"controller_server", []string{"progress_checker", "plugin"}, "nav2_controller::SimpleProgressChecker"},
			{"controller_server", []string{"goal_checker", "plugin"}, "nav2_controller::SimpleGoalChecker"},
			{"waypoint_follower", []string{"wait_at_waypoint", "plugin"}, "nav2_waypoint_follower::WaitAtWaypoint"},
			{"amcl", []string{"robot_model_type"}, "nav2_amcl::DifferentialMotionModel"},
		} {
			if got := of(c.server, c.path...); got != c.want {
				t.Errorf("%q: %s %v is %v, want %v", release, c.server, c.path, got, c.want)
			}
		}
		for name, here := range map[string]bool{
			"desired_linear_vel": !lyrical, "max_linear_vel": lyrical, "transform_tolerance": !lyrical,
			"max_robot_pose_search_dist": false,
		} {
			if got := of("controller_server", "FollowPath", name); (got != nil) != here {
				t.Errorf("%q: %s is %v", release, name, got)
			}
		}
		if got := of("controller_server", "progress_checker_plugin"); (got != nil) != humble {
			t.Errorf("%q: progress_checker_plugin is %v", release, got)
		}
		if got := of("bt_navigator", "plugin_lib_names"); (got != nil) != humble {
			t.Errorf("%q: plugin_lib_names is %v", release, got)
		}
		// 0 stops a robot of Nav2 1.1.15 and later forever.
		if got := of("collision_monitor", "Hull", "max_points"); (got != nil) != humble || humble && got != 1 {
			t.Errorf("%q: max_points is %v", release, got)
		}
	}
}

// TestNavigationSuitsTheRobot: sizes and speeds are the robot's, on every release.
func TestNavigationSuitsTheRobot(t *testing.T) {
	fastest := defaultOf("wheel_radius").Double() * defaultOf("max_wheel_speed").Double()
	for _, release := range releases {
		nodes := launched(t, "navigation", release, "map:=/a.yaml")
		control := started(t, nodes, "controller_server")
		costmaps := map[string]map[string]any{
			"local":  parameters(t, control, "local_costmap/local_costmap"),
			"global": parameters(t, started(t, nodes, "planner_server"), "global_costmap/global_costmap"),
		}
		for name, m := range costmaps {
			r, cell := number(t, m, "robot_radius"), number(t, m, "resolution")
			if r < radius || r > radius+cell {
				t.Errorf("%s: the robot of %v m has radius %v in cells of %v m", name, radius, r, cell)
			}
			if pad := number(t, m, "footprint_padding"); pad != 0 {
				t.Errorf("%s: the hull is %v m thicker than it is", name, pad)
			}
			if far := number(t, m, "obstacle_layer", "scan", "obstacle_max_range"); far > 0.9 {
				t.Errorf("%s: readings of %v m are believed", name, far)
			}
			if at(t, m, "robot_base_frame") != defaultOf("base_frame").Str() {
				t.Errorf("%s: base frame %v", name, at(t, m, "robot_base_frame"))
			}
		}
		if at(t, costmaps["local"], "global_frame") != defaultOf("odom_frame").Str() || at(t, costmaps["global"], "global_frame") != "map" {
			t.Error("a costmap is in another frame")
		}
		c := parameters(t, control, "controller_server")
		follow, _ := at(t, c, "FollowPath").(map[string]any)
		cruise := follow["desired_linear_vel"]
		if cruise == nil {
			cruise = follow["max_linear_vel"]
		}
		smoother := parameters(t, started(t, nodes, "velocity_smoother"), "velocity_smoother")
		limits, _ := at(t, smoother, "max_velocity").([]any)
		top, _ := limits[0].(float64)
		if v, ok := cruise.(float64); !ok || v > top || top > fastest {
			t.Errorf("Nav2 drives %v m/s and lets %v through, the wheels can %v", cruise, top, fastest)
		}
		if rate := number(t, c, "controller_frequency"); 2/rate > defaultOf("cmd_vel_timeout").Double() {
			t.Errorf("at %v commands/s one lost command stops the wheels", rate)
		}
		if within := number(t, c, "goal_checker", "xy_goal_tolerance"); within > 0.02 {
			t.Errorf("the robot stops %v m off", within)
		}
		monitor := parameters(t, started(t, nodes, "collision_monitor"), "collision_monitor")
		for _, list := range []string{"polygons", "observation_sources"} {
			if len(texts(monitor[list])) == 0 {
				t.Errorf("%q: the monitor has no %s and would not start", release, list)
			}
		}
		if r := number(t, monitor, "Hull", "radius"); r > radius {
			t.Errorf("the monitor stops a robot that is %v m from a wall forever", r-radius)
		}
		const scanHeight = 0.033
		if low, high := number(t, monitor, "scan", "min_height"), number(t, monitor, "scan", "max_height"); low > scanHeight || high < scanHeight {
			t.Errorf("the monitor sees from %v to %v m, the scan is at %v", low, high, scanHeight)
		}
		for _, n := range nodes {
			if p := parameters(t, n, n.Executable); p["odom_topic"] != nil && (p["odom_topic"] != "odom" || topic("odom") == nil) {
				t.Errorf("%s: odometry is %v", n.Executable, p["odom_topic"])
			}
		}
	}
}

// TestSpecksOfMaps: what slam_toolbox draws is cleared of specks, which closed doorways and covered robots; other maps
// keep what is small. What the sensors mark is often one cell: it comes after and stays.
func TestSpecksOfMaps(t *testing.T) {
	for argument, cleared := range map[string]bool{"": true, "namespace:=epuck2": true, "slam:=cones": false, "slam:=none": false, "map:=/a.yaml": false} {
		nodes := launched(t, "navigation", "humble", strings.Fields(argument)...)
		for server, costmap := range map[string]string{
			"controller_server": "local_costmap/local_costmap", "planner_server": "global_costmap/global_costmap",
		} {
			m := parameters(t, started(t, nodes, server), costmap)
			if got := at(t, m, "denoise_layer", "enabled"); got != cleared {
				t.Errorf("%q: %s: %v, want %v", argument, costmap, got, cleared)
			}
			layers := texts(m["plugins"])
			if i := slices.Index(layers, "denoise_layer"); i < 0 || layers[i-1] != "static_layer" || slices.Index(layers, "obstacle_layer") < i {
				t.Errorf("%s: layers %v", costmap, layers)
			}
			// A wall of slam_toolbox's is a row of cells, one thick.
			if least := number(t, m, "denoise_layer", "minimal_group_size"); least < 2 || least > 4 {
				t.Errorf("%s: groups of fewer than %v cells are specks", costmap, least)
			}
		}
	}
}

// TestGoalsBeyondTheMap: while slam_toolbox draws its map, which ends where it has seen something, plans lead beyond.
func TestGoalsBeyondTheMap(t *testing.T) {
	for argument, rolls := range map[string]bool{"": true, "slam:=cones": false, "slam:=none": false, "map:=/a.yaml": false} {
		nodes := launched(t, "navigation", "humble", strings.Fields(argument)...)
		m := parameters(t, started(t, nodes, "planner_server"), "global_costmap/global_costmap")
		if got := m["rolling_window"] == true; got != rolls {
			t.Errorf("%q: the global costmap rolls: %v", argument, got)
		}
		for _, side := range []string{"width", "height"} {
			if _, given := m[side]; given != rolls || rolls && number(t, m, side) < 2 {
				t.Errorf("%q: %s %v", argument, side, m[side])
			}
		}
		if local := parameters(t, started(t, nodes, "controller_server"), "local_costmap/local_costmap"); number(t, local, "width") != 1 {
			t.Errorf("%q: the local costmap is %v m wide", argument, local["width"])
		}
	}
}

// TestLocalizationKeepsToOdometry: AMCL believes no reading that costmaps do not, and takes odometry for better than
// its readings: with particles that spread by 3 % of a turn it was 7 cm off where odometry was right to millimetres.
func TestLocalizationKeepsToOdometry(t *testing.T) {
	nodes := launched(t, "navigation", "humble", "map:=/a.yaml")
	amcl := parameters(t, started(t, nodes, "amcl"), "amcl")
	local := parameters(t, started(t, nodes, "controller_server"), "local_costmap/local_costmap")
	if far, marked := number(t, amcl, "laser_max_range"), number(t, local, "obstacle_layer", "scan", "obstacle_max_range"); far > marked {
		t.Errorf("readings of %v m are believed, the costmap marks to %v m", far, marked)
	}
	for name, most := range map[string]float64{"alpha1": 0.02, "alpha2": 0.05, "alpha3": 0.02, "alpha4": 0.005, "alpha5": 0.02} {
		if deviation := math.Sqrt(number(t, amcl, name)); deviation == 0 || deviation > most {
			t.Errorf("%s: a deviation of %v, at most %v", name, deviation, most)
		}
	}
	if s, cell := number(t, amcl, "sigma_hit"), number(t, local, "resolution"); s < 2*cell {
		t.Errorf("a reading is taken to be exact to %v m, walls in maps are to two cells of %v m", s, cell)
	}
}

// builtIn are elements of trees that need no library of Nav2, needs the libraries of the others.
var (
	builtIn = []string{"root", "BehaviorTree", "Sequence", "Fallback", "ReactiveFallback", "ReactiveSequence"}
	needs   = map[string]string{
		"RecoveryNode": "nav2_recovery_node_bt_node", "PipelineSequence": "nav2_pipeline_sequence_bt_node",
		"RateController": "nav2_rate_controller_bt_node", "ComputePathToPose": "nav2_compute_path_to_pose_action_bt_node",
		"ClearEntireCostmap": "nav2_clear_costmap_service_bt_node", "FollowPath": "nav2_follow_path_action_bt_node",
		"GoalUpdated": "nav2_goal_updated_condition_bt_node", "RoundRobin": "nav2_round_robin_node_bt_node",
		"Spin": "nav2_spin_action_bt_node", "Wait": "nav2_wait_action_bt_node", "BackUp": "nav2_back_up_action_bt_node",
	}
)

// TestBehaviorTree: Humble is given a library for each element, plug-ins are those that the servers have, and the robot
// goes back no faster than it can.
func TestBehaviorTree(t *testing.T) {
	nodes := launched(t, "navigation", "humble")
	nav := parameters(t, started(t, nodes, "bt_navigator"), "bt_navigator")
	tree := fmt.Sprint(nav["default_nav_to_pose_bt_xml"])
	data, err := os.ReadFile(tree)
	if err != nil {
		t.Fatal(err)
	}
	libraries := texts(nav["plugin_lib_names"])
	planner := parameters(t, started(t, nodes, "planner_server"), "planner_server")
	control := parameters(t, started(t, nodes, "controller_server"), "controller_server")
	decoder, seen := xml.NewDecoder(strings.NewReader(string(data))), map[string]bool{}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		name := e.Name.Local
		seen[name] = true
		if !slices.Contains(builtIn, name) && !slices.Contains(libraries, needs[name]) {
			t.Errorf("Humble has no library for %s", name)
		}
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "planner_id":
				at(t, planner, a.Value, "plugin")
			case "controller_id":
				at(t, control, a.Value, "plugin")
			case "backup_speed", "backup_dist":
				if a.Value != "0.03" {
					t.Errorf("%s is %s", a.Name.Local, a.Value)
				}
			}
		}
	}
	if !seen["FollowPath"] || !seen["ComputePathToPose"] || !seen["BackUp"] {
		t.Errorf("the tree has %v", seen)
	}
	if cmake := read(t, "CMakeLists.txt"); !strings.Contains(cmake, " "+filepath.Base(filepath.Dir(tree))+" DESTINATION") {
		t.Error("the tree is not installed")
	}
}
