// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package calibrations

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/internal/outfile"
)

// TestCalibrationsCheckTheirFilesFirst: before the robot moves.
func TestCalibrationsCheckTheirFilesFirst(t *testing.T) {
	missing := "/dev/null/x"
	created := filepath.Join(t.TempDir(), "no", "x")
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
		"fine":          {(&cameraCommand{calibration: calibration{store: there}, out: there, keepIn: created}).checkOutput(), nil},
		"new folder":    {(&calibration{store: created}).checkFiles(created), nil},
		"camera in one": {(&cameraCommand{calibration: calibration{store: created}, out: created, keepIn: created}).checkOutput(), nil},
		"views in one":  {(&cameraCommand{images: ".", out: created}).checkOutput(), nil},
	} {
		if !errors.Is(c.err, c.want) || c.want == nil && c.err != nil {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

// TestCalibrationsCreateTheFoldersOfTheirFiles: what checkFiles accepts is written.
func TestCalibrationsCreateTheFoldersOfTheirFiles(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s, "new", "file") }
	info := &caminfo.Calibration{Name: "camera", Width: 160, Height: 120}
	for what, err := range map[string]error{
		"parameters": procedure.Store(name("store"), "epuck_driver", nil),
		"a plot":     procedure.ReplaceFile(name("plot"), []byte("<svg/>")),
		"a camera":   caminfo.Save(name("camera"), info),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, s := range []string{"store", "plot", "camera"} {
		if _, err := os.Stat(name(s)); err != nil {
			t.Error(err)
		}
	}
}
