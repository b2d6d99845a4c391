// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestWhatLacksItsFlagIsExplained: a world, a robot or a number without the flag, and numbers that mean nothing.
func TestWhatLacksItsFlagIsExplained(t *testing.T) {
	groups := []frame.Group{{ID: "x", Title: "X:", Commands: []frame.Maker{NewCommand}}}
	for line, want := range map[string]string{
		"sim run maze":                      "did you mean --world maze?",
		"sim run maez":                      "did you mean --world maze?",
		"sim run mine.yaml":                 "did you mean --world mine.yaml?",
		"sim run turtlebot3":                "did you mean --robot turtlebot3?",
		"sim run 20":                        "did you mean --robots 20?",
		"sim run --robots 0":                "--robots 0: must be 1 to",
		"sim run --robots -3":               "--robots -3: must be 1 to",
		"sim run --robots 0,5":              "--robots 0,5: want a whole number",
		"sim run --robot turtelbot3_burger": "did you mean 'turtlebot3_burger'?",
	} {
		var out, problem bytes.Buffer
		status := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &problem}, strings.Fields(line), groups)
		if status == frame.ExitOK || !strings.Contains(problem.String(), want) {
			t.Errorf("%s: status %d, %q; want %q", line, status, problem.String(), want)
		}
	}
}

func TestCountsAgreeInNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0 simulated robots", 1: "1 simulated robot", 2: "2 simulated robots"} {
		if got := counted(n, "simulated robot"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
