// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// --robot puts one robot in the place of the world's: by a name, the beginning of one, or a file.
func TestRobotOption(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my robot.urdf")
	if err := os.WriteFile(file, []byte("<robot/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][3]string{
		"turtlebot3": {"turtlebot3_burger", "turtlebot3_burger", ""}, "epuck": {"epuck", "epuck", ""}, "nonsense": {"nonsense", "nonsense", ""},
		file: {"my_robot", "my robot.urdf", "<robot/>"},
	} {
		w, err := sim.LoadWorld("swarm")
		if err != nil {
			t.Fatal(err)
		}
		o := swarmOptions{distribution: "uniform", model: modelOptions{name}}
		if err := o.populate(w, 1); err != nil {
			t.Fatal(err)
		}
		r := w.Robots[0]
		if got := [3]string{r.Name, r.Model, string(r.Description)}; len(w.Robots) != 1 || got != want {
			t.Errorf("--robot %s: %q, not %q", name, got, want)
		}
		if !o.several(w) {
			t.Errorf("--robot %s has no universal driver", name)
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
		big: world.ErrWorld, filepath.Join(folder, "none.urdf"): os.ErrNotExist, strings.Repeat("x", 1000): world.ErrWorld,
	} {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		if err := (&modelOptions{name}).replace(w); !errors.Is(err, want) {
			t.Errorf("--robot %.40s: %v", name, err)
		}
	}
}
