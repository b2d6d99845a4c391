// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// --robot replaces the world's robots by one: given by name, the beginning of a name, or a file.
func TestRobotOption(t *testing.T) {
	const text = `<robot name="mine"><link name="a"/></robot>`
	file := filepath.Join(t.TempDir(), "my robot.urdf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][3]string{
		"turtlebot3": {"turtlebot3_burger", "turtlebot3_burger", ""}, "epuck": {"epuck", "epuck", ""},
		file: {"my_robot", "my robot.urdf", text},
	} {
		w, err := sim.LoadWorld("swarm")
		if err != nil {
			t.Fatal(err)
		}
		o := swarmOptions{distribution: "uniform", model: modelOptions{name: name}}
		if err := o.populate(w, 1); err != nil {
			t.Fatal(err)
		}
		r := w.Robots[0]
		if got := [3]string{r.Name, r.Model, string(r.Description)}; len(w.Robots) != 1 || got != want {
			t.Errorf("--robot %s: %q, not %q", name, got, want)
		}
		if !o.several(w) {
			t.Errorf("--robot %s has no generic driver", name)
		}
	}
}

func TestRobotOptionErrors(t *testing.T) {
	folder := t.TempDir()
	big := filepath.Join(folder, "big.urdf")
	if err := os.WriteFile(big, make([]byte, world.MaxModelSize+10), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		big: xmltree.ErrSyntax, filepath.Join(folder, "none.urdf"): os.ErrNotExist, strings.Repeat("x", 1000): library.ErrNoRobot, "nonsense": library.ErrNoRobot,
	} {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		if err := (&modelOptions{name: name}).replace(w); !errors.Is(err, want) {
			t.Errorf("--robot %.40s: %v", name, err)
		}
	}
}

// --robots spreads robots of another kind by their own size: three TurtleBot3 fit into an arena that may not grow,
// sixty do not.
func TestRobotsOfAnotherKind(t *testing.T) {
	for n, want := range map[int]error{3: nil, 60: sim.ErrOccupied} {
		w, err := sim.LoadWorld("arena")
		if err != nil {
			t.Fatal(err)
		}
		w.Arena.Grow = false
		o := swarmOptions{distribution: "uniform", robots: n, model: modelOptions{name: "turtlebot3"}}
		if err := o.populate(w, 1); !errors.Is(err, want) {
			t.Errorf("%d robots: %v", n, err)
		} else if want != nil {
			continue
		}
		if _, err := sim.New(w, sim.Options{Mechanisms: models()}); err != nil || len(w.Robots) != n {
			t.Errorf("%d robots: %v", len(w.Robots), err)
		}
	}
}

// --robot-settings is for the robots of --robot: what it says is theirs.
func TestRobotSettings(t *testing.T) {
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, c := range []struct {
		robot, file, problem string
	}{
		{"turtlebot3", write("good.yaml", "devices: {scan: {update_rate: 2}}"), ""},
		{"turtlebot3", "", ""},
		{"", write("good.yaml", "devices: {}"), "goes with --robot"},
		{"turtlebot3", write("bad.yaml", "nonsense: 3"), "bad.yaml"},
		{"turtlebot3", filepath.Join(t.TempDir(), "none.yaml"), "none.yaml"},
		{"turtlebot3", "/dev/zero", "not a regular file"}, // which has no end
	} {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		o := modelOptions{name: c.robot, file: c.file}
		switch err := o.replace(w); {
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %v", c.file, err)
		case c.problem == "" && err != nil:
			t.Error(err)
		case c.problem == "" && c.file == "" && o.settingsOf(w) != nil:
			t.Error("settings out of nothing")
		case c.problem == "" && c.file != "" && *o.settingsOf(w)["turtlebot3_burger"].Devices["scan"].Rate != 2:
			t.Errorf("%+v", o.settingsOf(w))
		}
	}
	if err := (&modelOptions{name: "x", file: write("bad.yaml", "nonsense: 3")}).read(); !errors.Is(err, genericdriver.ErrSettings) {
		t.Error(err)
	}
}
