// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// node is what a launch file would start.
type node struct {
	Package, Executable, Name, Namespace string
	Arguments                            []string
	Files                                []string       // of parameters, in the order in which they are read
	Parameters                           map[string]any // those that the launch file gives itself
	Remappings                           map[string]string
}

// launch does what a launch file says on a release of ROS 2, with fakes of ROS 2's own modules.
func launch(t *testing.T, file, release string, arguments ...string) (nodes []node, err error) {
	t.Helper()
	share, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", append([]string{
		"testdata/standins/run.py", filepath.Join(root, "launch", file+".launch.py"),
	}, arguments...)...)
	cmd.Env = append(os.Environ(), "PYTHONPATH=testdata/standins", "PYTHONDONTWRITEBYTECODE=1", "EPUCK_SHARE="+share,
		"ROS_DISTRO="+release)
	out, err := cmd.Output()
	if err != nil {
		stderr := ""
		if failed, ok := err.(*exec.ExitError); ok {
			stderr = string(failed.Stderr)
		}
		return nil, fmt.Errorf("%s %v on %s: %w\n%s", file, arguments, release, err, stderr)
	}
	var raw []struct {
		Package, Executable, Name, Namespace string
		Arguments                            []string
		Parameters                           []any
		Remappings                           [][]string
	}
	if err := json.Unmarshal(out, &raw); err != nil {
		t.Fatal(err)
	}
	for _, r := range raw {
		n := node{r.Package, r.Executable, r.Name, r.Namespace, r.Arguments, nil, map[string]any{}, map[string]string{}}
		for _, p := range r.Parameters {
			if path, ok := p.(string); ok {
				n.Files = append(n.Files, path)
			} else if values, ok := p.(map[string]any); ok {
				for k, v := range values {
					n.Parameters[k] = v
				}
			}
		}
		for _, m := range r.Remappings {
			n.Remappings[m[0]] = m[1]
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func launched(t *testing.T, file, release string, arguments ...string) []node {
	t.Helper()
	nodes, err := launch(t, file, release, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// started gives the node of an executable.
func started(t *testing.T, nodes []node, executable string) node {
	t.Helper()
	i := slices.IndexFunc(nodes, func(n node) bool { return n.Executable == executable })
	if i < 0 {
		t.Fatalf("no %s among %v", executable, executables(nodes))
	}
	return nodes[i]
}

func executables(nodes []node) (names []string) {
	for _, n := range nodes {
		names = append(names, n.Executable)
	}
	return names
}

var releases = []string{"humble", "jazzy", "kilted", "lyrical"}

// servers are what every release is given, whatever its nav2_bringup would start.
var servers = []string{
	"controller_server", "planner_server", "behavior_server", "bt_navigator", "waypoint_follower", "velocity_smoother",
	"collision_monitor",
}

// TestNavigationStarts: what the lifecycle managers bring up is what is started, and all of it; what starts depends on
// the arguments and not on the release, but for slam_toolbox, which is to be brought up from Jazzy on.
func TestNavigationStarts(t *testing.T) {
	for _, release := range releases {
		for _, c := range []struct {
			arguments, first []string
			managed          []string
		}{
			{nil, []string{"async_slam_toolbox_node"}, []string{"slam_toolbox"}},
			{[]string{"slam:=cones"}, []string{"epuck-driver"}, nil},
			{[]string{"slam:=none"}, nil, nil},
			{[]string{"map:=/a.yaml"}, []string{"map_server", "amcl"}, []string{"map_server", "amcl"}},
			{[]string{"map:=/a.yaml", "localization:=odometry"}, []string{"map_server", "static_transform_publisher"}, []string{"map_server"}},
		} {
			nodes := launched(t, "navigation", release, c.arguments...)
			if release == "humble" && c.arguments == nil {
				c.managed = nil
			}
			want := slices.Clone(c.first)
			if c.managed != nil {
				want = append(want, "lifecycle_manager")
			}
			want = append(append(want, servers...), "lifecycle_manager")
			if got := executables(nodes); !slices.Equal(got, want) {
				t.Errorf("%s %v starts %q, want %q", release, c.arguments, got, want)
			}
			brought := map[string][]string{}
			for _, n := range nodes {
				if n.Executable == "lifecycle_manager" {
					brought[n.Name] = texts(n.Parameters["node_names"])
				}
			}
			if !slices.Equal(brought["lifecycle_manager_navigation"], servers) || !slices.Equal(brought["lifecycle_manager_localization"], c.managed) {
				t.Errorf("%s %v brings up %v", release, c.arguments, brought)
			}
		}
	}
}

func texts(v any) (out []string) {
	list, _ := v.([]any)
	for _, e := range list {
		out = append(out, fmt.Sprint(e))
	}
	return out
}

// TestOtherReleases: one that the files do not name is a newer one, but for Iron, which is like Humble.
func TestOtherReleases(t *testing.T) {
	for release, like := range map[string]string{"rolling": "lyrical", "": "lyrical", "iron": "humble"} {
		got, want := launched(t, "navigation", release), launched(t, "navigation", like)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q starts %v, %s %v", release, got, like, want)
		}
	}
}

// TestNavigationRefuses: what a release cannot do, and unknown words, are reported at once.
func TestNavigationRefuses(t *testing.T) {
	for _, c := range [][]string{
		{"humble", "stamped:=true"}, {"jazzy", "slam:=gmapping"}, {"jazzy", "map:=/a.yaml", "localization:=magic"},
		{"jazzy", "map:=/a.yaml", "x:=left"},
	} {
		if nodes, err := launch(t, "navigation", c[0], c[1:]...); err == nil {
			t.Errorf("%v starts %v", c, executables(nodes))
		}
	}
	if _, err := launch(t, "tools", "jazzy", "mapper:=true", "map:=/a.yaml"); err == nil {
		t.Error("a map is made and read")
	}
}

// TestCommandsReachTheRobot: from the controller and the behaviours over smoother and monitor to the driver's cmd_vel,
// stamped where the driver wants it so.
func TestCommandsReachTheRobot(t *testing.T) {
	for _, release := range releases {
		for _, stamped := range []bool{false, true} {
			if release == "humble" && stamped {
				continue
			}
			nodes := launched(t, "navigation", release, fmt.Sprintf("stamped:=%v", stamped), "cmd_vel:=cmd_vel_auto")
			for _, server := range []string{"controller_server", "behavior_server", "velocity_smoother"} {
				if got := started(t, nodes, server).Remappings["cmd_vel"]; got != "cmd_vel_nav" {
					t.Errorf("%s: %s has cmd_vel at %q", release, server, got)
				}
			}
			for _, server := range servers {
				got := started(t, nodes, server).Parameters["enable_stamped_cmd_vel"]
				if want := any(stamped); release == "humble" && got != nil || release != "humble" && got != want {
					t.Errorf("%s: enable_stamped_cmd_vel of %s is %v", release, server, got)
				}
			}
			monitor := started(t, nodes, "collision_monitor")
			if got := monitor.Remappings["cmd_vel"]; got != "" {
				t.Errorf("the monitor's cmd_vel is moved to %s", got)
			}
			if got := monitor.Parameters["cmd_vel_out_topic"]; got != "cmd_vel_auto" {
				t.Errorf("the monitor speaks on %v", got)
			}
			if got := at(t, parameters(t, monitor, "collision_monitor"), "cmd_vel_in_topic"); got != "cmd_vel_smoothed" {
				t.Errorf("the monitor listens to %v", got)
			}
		}
	}
}

// TestSeveralRobots: namespace and frames of one do not reach another.
func TestSeveralRobots(t *testing.T) {
	for _, release := range releases {
		for _, file := range []string{"navigation", "tools"} {
			nodes := launched(t, file, release, "namespace:=epuck2", "frame_prefix:=epuck2/", "relative_tf:=true", "nav:=true")
			for _, n := range nodes {
				if n.Namespace != "epuck2" {
					t.Errorf("%s is in the namespace %q", n.Executable, n.Namespace)
				}
				if n.Executable != "lifecycle_manager" && (n.Remappings["/tf"] != "tf" || n.Remappings["/tf_static"] != "tf_static") {
					t.Errorf("%s: transforms are at %v", n.Executable, n.Remappings)
				}
				for name, v := range n.Parameters {
					text := fmt.Sprint(v)
					frame := strings.Contains(name, "frame") && !strings.HasPrefix(name, "use_")
					if frame && text != "map" && !strings.HasPrefix(text, "epuck2/") {
						t.Errorf("%s: %s is %s", n.Executable, name, text)
					}
				}
			}
			// The costmaps' own nodes are a level deeper, where a relative topic would be another one.
			for _, server := range []string{"controller_server", "planner_server"} {
				n := started(t, nodes, server)
				if got := n.Parameters["obstacle_layer.scan.topic"]; got != "/epuck2/scan" {
					t.Errorf("%s: the scan is %v", server, got)
				}
				if n.Name != "" {
					t.Errorf("%s has a name: its costmap does not get its parameters then", server)
				}
			}
		}
	}
	if got := started(t, launched(t, "navigation", "jazzy"), "controller_server").Parameters["obstacle_layer.scan.topic"]; got != "/scan" {
		t.Errorf("alone, the scan is %v", got)
	}
}

// TestToolsKnowTheOldArguments: the arguments of webots_ros2_epuck's robot_tools_launch do what they did there.
func TestToolsKnowTheOldArguments(t *testing.T) {
	for _, c := range []struct{ arguments, starts, config string }{
		{"", "rviz2", "robot"},
		{"rviz:=false", "", ""},
		{"mapper:=true", "epuck-driver rviz2", "mapping"},
		{"mapper:=true fill_map:=false rviz:=false", "epuck-driver", ""},
		{"nav:=true map:=/a.yaml", "map_server amcl lifecycle_manager " + strings.Join(servers, " ") + " lifecycle_manager rviz2", "navigation"},
		{"nav:=true mapper:=true rviz:=false", "epuck-driver " + strings.Join(servers, " ") + " lifecycle_manager", ""},
	} {
		nodes := launched(t, "tools", "humble", append(strings.Fields(c.arguments), "use_sim_time:=true")...)
		if got := strings.Join(executables(nodes), " "); got != c.starts {
			t.Errorf("%s starts %s, want %s", c.arguments, got, c.starts)
		}
		for _, n := range nodes {
			if n.Parameters["use_sim_time"] != true {
				t.Errorf("%s: %s has another time", c.arguments, n.Executable)
			}
			if n.Executable == "rviz2" && filepath.Base(n.Arguments[1]) != c.config+".rviz" {
				t.Errorf("%s shows %s", c.arguments, n.Arguments[1])
			}
			if n.Executable == "epuck-driver" && slices.Contains(n.Arguments, "--no-free") != strings.Contains(c.arguments, "fill_map:=false") {
				t.Errorf("%s maps with %v", c.arguments, n.Arguments)
			}
		}
	}
}
