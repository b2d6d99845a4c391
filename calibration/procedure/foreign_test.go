// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/filekind/filekindtest"
)

// TestForeignFilesInsteadOfACalibration: the file is neither read as a calibration nor overwritten by one. The store
// makes a file of parameters from an empty one.
func TestForeignFilesInsteadOfACalibration(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		_, err := Stored(path, "epuck_driver")
		return err
	}, filekind.Parameters)
	filekindtest.Refused(t, func(path string) error {
		was, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		err = Store(path, "epuck_driver", []Setting{{Name: "odometry.wheel_separation", Value: 0.05}})
		if now, _ := os.ReadFile(path); string(now) != string(was) {
			t.Errorf("a file of another kind was overwritten: %q", was)
		}
		return err
	}, filekind.Parameters, filekind.Empty)
}

// TestForeignFilesInsteadOfEnds: a file without one end of a run is no file of ends.
func TestForeignFilesInsteadOfEnds(t *testing.T) {
	filekindtest.Refused(t, func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, bad := ReadEnds(f)
		if err := f.Close(); err != nil {
			return err
		}
		return filekind.Explain(path, bad)
	})
}
