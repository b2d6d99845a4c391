// SPDX-License-Identifier: Apache-2.0

//go:build linux && !arm

package simulate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		text, want string // levels of the robots, with commas between; empty: it is refused
	}{
		{"", "firmware,firmware,firmware"},
		{"functional", "functional,functional,functional"},
		{"epuck2=target", "firmware,target,firmware"},
		{"functional,epuck1=target,epuck3=firmware", "target,functional,firmware"},
		{"epuck4=target", ""},
		{"epuck1=nothing", ""},
		{"nothing", ""},
		{"epuck1=", ""},
	} {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		o := swarmOptions{robots: 3, distribution: string(sim.Grid), level: c.text, speedText: "1"}
		if err = o.check(false); err == nil {
			err = o.populate(w, 1)
		}
		var got []string
		for _, r := range w.Robots {
			got = append(got, r.Level)
		}
		if (err != nil) != (c.want == "") || err == nil && strings.Join(got, ",") != c.want {
			t.Errorf("--level %q: %v, %v", c.text, got, err)
		}
		if err == nil && hasTargets(w) != strings.Contains(c.want, "target") {
			t.Errorf("--level %q: has targets %v", c.text, hasTargets(w))
		}
	}
}

// TestProgramsAboard: what a robot's computer runs, and that its driver must be there.
func TestProgramsAboard(t *testing.T) {
	o := simOptions{rosLine: []string{"-p", "a:=1"}}
	o.aboard.programs = []string{"./mine --fast", " "}
	all := o.programs("d", "epuck2", false)
	if len(all) != 2 || strings.Join(all[1].Args, " ") != "./mine --fast" {
		t.Errorf("%+v", all)
	}
	if got := strings.Join(all[0].Args, " "); got != "d run --wait --ros-args -p i2c_bus:=12 -r __ns:=/epuck2 -p frame_prefix:=epuck2/ -p a:=1" {
		t.Error(got)
	}
	if got := strings.Join(o.programs("d", "epuck", true)[0].Args, " "); got != "d run --wait --ros-args -p i2c_bus:=12 -p a:=1" {
		t.Error(got)
	}
	t.Chdir(t.TempDir())
	if _, err := o.aboard.program(); !errors.Is(err, errNoRobotProgram) {
		t.Errorf("%v", err)
	}
	file := filepath.Join("bin", driverForRobots)
	if err := errors.Join(os.Mkdir("bin", 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, err := o.aboard.program(); got != file || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	o.aboard.driver = "nothing"
	if _, err := o.aboard.program(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := errors.Join(o.aboard.advance(t.Context(), 1), o.aboard.end(nil), o.aboard.close()); err != nil {
		t.Errorf("without computers: %v", err)
	}
}
