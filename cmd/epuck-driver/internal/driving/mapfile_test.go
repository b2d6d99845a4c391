// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package driving

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/internal/outfile"
)

// TestMapChecksItsFileFirst: a map that could not be saved is not begun.
func TestMapChecksItsFileFirst(t *testing.T) {
	for path, want := range map[string]error{
		filepath.Join(t.TempDir(), "no", "x"): outfile.ErrFolder, filepath.Join(t.TempDir(), "no", "x.yaml"): outfile.ErrFolder,
		"/dev/null/x": outfile.ErrFolder,
	} {
		var out, problem bytes.Buffer
		o := mapOptions{method: "cones", resolution: 0.01, file: path}
		err := o.run(t.Context(), &frame.Program{Streams: frame.Streams{Out: &out, Err: &problem}}, network.Choice{})
		if !errors.Is(err, want) || out.Len() > 0 {
			t.Errorf("--file %s: %v, %q", path, err, out.String())
		}
	}
	if err := (&mapOptions{}).checkFile(); err != nil {
		t.Errorf("a map that is not saved: %v", err)
	}
}
