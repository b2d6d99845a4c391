// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/outfile"
)

// TestSimulationChecksItsFilesFirst: each file that is written during a run, or at its end.
func TestSimulationChecksItsFilesFirst(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "x")
	for flag, o := range map[string]*simOptions{
		"--truth":     {truth: missing},
		"--snapshot":  {snapshot: missing + ".png"},
		"--report":    {swarm: swarmOptions{report: missing}},
		"--save":      {controller: controllerOptions{save: missing}},
		"--order-log": {order: orderOptions{log: missing}},
	} {
		o.world = "arena"
		var out, problem bytes.Buffer
		err := o.run(t.Context(), frame.Streams{Out: &out, Err: &problem})
		if !errors.Is(err, outfile.ErrFolder) || !strings.HasPrefix(err.Error(), flag+": ") || out.Len() > 0 {
			t.Errorf("%s: %v, %q", flag, err, out.String())
		}
	}
	dir := t.TempDir()
	if err := (&simOptions{truth: filepath.Join(dir, "t"), swarm: swarmOptions{report: filepath.Join(dir, "r")}}).checkFiles(); err != nil {
		t.Error(err)
	}
}
