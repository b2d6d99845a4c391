// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// runWithout runs a tool that does not know the types of some packages.
func (w *world) runWithout(line string, packages ...string) result {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	env := w.env(&out, &errs)
	types := env.Types
	env.Sources = nil
	env.Types = func(name string) (string, bool) {
		for _, p := range packages {
			if strings.HasPrefix(name, p+"/") {
				return "", false
			}
		}
		return types(name)
	}
	return result{status: shell.Run(ctx, env, split(line)), out: out.String(), err: errs.String()}
}

// TestTypesAreLearntFromNodes: services, actions and messages that the tools do not know are used by the descriptions
// of the nodes.
func TestTypesAreLearntFromNodes(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"service call /robot/switch std_srvs/srv/SetBool '{data: true}'", "success=True, message='on'"},
		{"action send_goal -f /robot/count example_interfaces/action/Fibonacci '{order: 2}'", "Goal finished with status: SUCCEEDED"},
		{"topic pub --once /robot/move geometry_msgs/msg/Twist '{linear: {x: 0.5}}'", "linear=geometry_msgs.msg.Vector3(x=0.5"},
		{"interface show std_srvs/srv/SetBool", "bool data\n---\nbool success\nstring message\n"},
		{"interface show example_interfaces/action/Fibonacci", "int32 order\n---\nint32[] sequence\n---\nint32[] sequence\n"},
		{"interface show geometry_msgs/msg/Twist", "geometry_msgs/Vector3 linear\n\tfloat64 x\n"},
		{"interface proto std_srvs/srv/SetBool", "data: false"},
	} {
		t.Run(c.line, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.act()
				if _, err := ros2.Listen(w.node, "move", ros2.DefaultQoS(), func(*geometry_msgs.Twist) {}); err != nil {
					t.Fatal(err)
				}
				if _, err := ros2.NewService(w.node, std_srvs.SetBool{}, "switch",
					func(_ context.Context, q *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
						return &std_srvs.SetBoolResponse{Success: q.Data, Message: "on"}, nil
					}); err != nil {
					t.Fatal(err)
				}
				r := w.runWithout(c.line, "std_srvs", "example_interfaces", "geometry_msgs")
				if r.status != 0 || !strings.Contains(r.out, c.want) {
					t.Errorf("status %d\n%s%s\nwant %s", r.status, r.out, r.err, c.want)
				}
			})
		})
	}
}

// write writes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTypesOfAFolder: definitions as in a workspace, with comments, constants, bounds and defaults.
func TestTypesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"share/weather_msgs/msg/Sample.msg":       "uint8 KIND_PRESSURE=2  # Pa\nuint8 kind 1 # one\nfloat64 value\n",
		"share/weather_msgs/msg/Reading.msg":      "# of a time\nstd_msgs/Header header\nSample[<=4] samples\nstring<=16 station 'a # b'\n",
		"share/weather_msgs/srv/Place.srv":        "geometry_msgs/msg/Pose pose\n---\nbool success\n",
		"share/weather_msgs/action/Survey.action": "Reading[] places\n---\nReading[] readings\n---\nuint32 done\n",
		"share/weather_msgs/package.xml":          "<package/>",
	})
	inWorld(t, func(w *world) {
		for _, c := range []struct{ line, want string }{
			{"topic pub -t 1 -w 0 --interfaces " + dir + " /r weather_msgs/msg/Reading '{samples: [{value: 2.5}]}'",
				"samples=[weather_msgs.msg.Sample(kind=1, value=2.5)], station='a # b'"},
			{"interface show --interfaces " + dir + " weather_msgs/srv/Place", "geometry_msgs/msg/Pose pose\n"},
			{"interface proto --interfaces " + dir + " weather_msgs/action/Survey", "places: []"},
			{"interface package --interfaces " + dir + " weather_msgs", "weather_msgs/action/Survey\nweather_msgs/msg/Reading\nweather_msgs/msg/Sample\nweather_msgs/srv/Place\n"},
		} {
			if r := w.run(c.line); r.status != 0 || !strings.Contains(r.out, c.want) {
				t.Errorf("%s: status %d\n%s%s\nwant %s", c.line, r.status, r.out, r.err, c.want)
			}
		}
	})
}

// TestUnknownTypesNameTheWay: without a node that describes the type, and with a folder that has no definitions.
func TestUnknownTypesNameTheWay(t *testing.T) {
	empty, broken := t.TempDir(), t.TempDir()
	write(t, broken, map[string]string{"x_msgs/srv/Half.srv": "bool a\n"})
	inWorld(t, func(w *world) {
		for _, c := range []struct{ line, want string }{
			{"service call /x x_msgs/srv/Place", "No node describes it; a folder with its definition can be passed: --interfaces DIR"},
			{"action send_goal /x x_msgs/action/Survey {}", "a folder with its definition can be passed: --interfaces DIR"},
			{"topic pub /x x_msgs/msg/Thing", "a folder with its definition can be passed: --interfaces DIR"},
			{"interface show x_msgs/msg/Thing", "No node describes it; a folder with its definition can be passed: --interfaces DIR"},
			{"interface list --interfaces " + empty, "has no definitions: want PACKAGE/msg/*.msg"},
			{"interface list --interfaces " + broken, `x_msgs/srv/Half.srv: 1 parts separated by "---", want 2`},
			{"interface list --interfaces " + empty + "/none", "no such file or directory"},
		} {
			w.wantError(c.line, c.want, 1)
		}
	})
}
