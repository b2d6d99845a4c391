// SPDX-License-Identifier: Apache-2.0

//go:build peers

package traci_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// python runs a script of testdata with SUMO's own client and returns what it prints. Without the client the test
// fails: scripts/setup.sh installs sumo-tools.
func python(t *testing.T, script string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", append([]string{"testdata/" + script}, args...)...)
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s with sumo-tools (scripts/setup.sh installs it): %v\n%s%s", script, err, out.String(), failed.String())
	}
	return out.String()
}

func (g *rig) port() string {
	_, port, err := net.SplitHostPort(g.server.Addr().String())
	if err != nil {
		g.t.Fatal(err)
	}
	return port
}

// SUMO's own client drives a swarm, and what it reads is the true state.
func TestPythonClientDrivesASwarm(t *testing.T) {
	g := serve(t, town, nil)
	facts := map[string]any{}
	for _, line := range strings.Split(strings.TrimSpace(python(t, "swarm.py", g.port())), "\n") {
		var fact [2]any
		if err := json.Unmarshal([]byte(line), &fact); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		facts[fmt.Sprint(fact[0])] = fact[1]
	}
	g.over()
	for what, want := range map[string]string{
		"version": "20", "before": "[]", "departed": "[a b]", "time": "2.1", "pending": "[late]", "came": "[late]",
		"context": "[a b late]", "persons": "[ann]", "has gone": "[]", "victims": "[bob]",
		"polygons": "[[crate building 4] [cylinder0 building 16] [arena arena 5]]",
		"zone":     "[[[0 0] [1 0] [1 1]] [0 255 0 255] zone]", "lamps": "[[lamp lamp [1 1]]]", "notes": "[wait [level functional]]",
		"arrived": "[late]", "left": "[a b]", "late": "[1.5 0.5 0]", "moved": "[2 1.5 90]", "slow": "0",
	} {
		if got := fmt.Sprint(facts[what]); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	// a: 2 s at 0.02 m/s to the east; b: at 0.04 m/s to the north.
	near(t, "robot a", facts["robot a"], 2e-3, 0.5+0.04, 0.5, 90, 0.02, 255, 0, 0, 255)
	near(t, "robot b", facts["robot b"], 2e-3, 0.5, 1.5+0.08, 0, 0.04, 0, 0, 0, 255)
	near(t, "half slow", []any{facts["half slow"]}, 2e-3, 0.02)
	near(t, "walks", facts["walks"], 1e-2, 1.3, 1, 0.5)
	near(t, "bumps", facts["bumps"], 2e-3, 2.3-0.15-0.037, 1.5, 1)
	for _, m := range g.sim.Robots() {
		if m.Name() == "late" {
			t.Error("the robot that was removed is still there")
		}
	}
	if n := len(g.sim.Persons()); n != 1 {
		t.Errorf("%d persons are in the world, want bob alone", n)
	}
	if v := sim.RobotsOf[*sim.Functional](g.sim)[0].GroundTruth().V; math.Abs(v-0.02) > 1e-3 {
		t.Errorf("robot a drives at %g m/s", v)
	}
}

// near compares numbers.
func near(t *testing.T, what string, got any, tolerance float64, want ...float64) {
	t.Helper()
	list, _ := got.([]any)
	ok := len(list) == len(want)
	for i := range min(len(list), len(want)) {
		v, isNumber := list[i].(float64)
		ok = ok && isNumber && math.Abs(v-want[i]) <= tolerance
	}
	if !ok {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
