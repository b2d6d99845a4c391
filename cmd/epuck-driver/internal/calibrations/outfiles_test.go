// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package calibrations

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"
)

// TestCalibrationsCheckTheirFilesFirst: before the robot moves.
func TestCalibrationsCheckTheirFilesFirst(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "x")
	there := filepath.Join(t.TempDir(), "x")
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"store":         {(&calibration{store: missing}).checkFiles(), outfile.ErrFolder},
		"plot":          {(&calibration{store: there}).checkFiles(missing), outfile.ErrFolder},
		"store nothing": {(&calibration{store: "none"}).checkFiles(), nil},
		"dry run":       {(&calibration{store: missing, onlyReport: true}).checkFiles(), nil},
		"camera":        {(&cameraCommand{calibration: calibration{store: there}, out: missing, keepIn: there}).checkOutput(), outfile.ErrFolder},
		"pictures":      {(&cameraCommand{calibration: calibration{store: there}, out: there, keepIn: "/dev/null/x"}).checkOutput(), outfile.ErrFolder},
		"from pictures": {(&cameraCommand{images: ".", out: missing}).checkOutput(), outfile.ErrFolder},
		"fine":          {(&cameraCommand{calibration: calibration{store: there}, out: there, keepIn: missing}).checkOutput(), nil},
	} {
		if !errors.Is(c.err, c.want) || c.want == nil && c.err != nil {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}
