// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestRestoredRunIsNotYounger: --for and --at are ages of the run, so a run of a file cannot end, or be saved, earlier.
func TestRestoredRunIsNotYounger(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	simulate := func(line string) error {
		t.Helper()
		o, err := parseSim("--controller avoid --real-time-factor max " + line)
		if err != nil {
			t.Fatal(err)
		}
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		o.world = "empty"
		o.controller.given = func(string) bool { return false }
		return o.controlled(t.Context(), frame.Streams{Out: io.Discard, Err: io.Discard}, w)
	}
	if err := simulate("--for 1s --save " + file + " --at 1s"); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"--for 500ms":                            "--for 500ms: the run in " + file + " is 1s old already",
		"--for 2s --save " + file + "2 --at 1ms": "--at 1ms: the run in " + file + " is 1s old already",
		"--for 2s":                               "",
	} {
		err := simulate(line + " --restore " + file)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
