// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestStore: settings go into the file, the rest stays, and ROS reads it.
func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "params.yaml")
	settings := []Setting{{"wheel_radius", 0.0201}, {"wheel_distance", 0.055}, {"wheel_covariance", []float64{1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 2e-6}},
		{"calibration.wheels", "2026-11-22T08:00:00Z r a=1"}, {"camera.camera_name", "mine"}}
	text := "# ours\nepuck_driver:\n  ros__parameters:\n    rate: 30.0 # fast\n    wheel_radius: 0.02\n    camera:\n      camera_name: old\nother:\n  ros__parameters:\n    wheel_radius: 1.0\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Store(path, "epuck_driver", settings); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	for _, want := range []string{"# ours", "rate: 30.0 # fast", "wheel_radius: 0.0201", "camera_name: \"mine\"", "wheel_radius: 1.0", "1.0e-06"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is not in\n%s", want, data)
		}
	}
	if err := driver.CheckParameterFile(path); err != nil {
		t.Errorf("%v\n%s", err, data)
	}
	if _, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", path}); err != nil {
		t.Error(err)
	}
	got, err := Stored(path, "epuck_driver")
	if err != nil || got["wheel_distance"] != 0.055 || got["calibration.wheels"] != "2026-11-22T08:00:00Z r a=1" {
		t.Errorf("%v, %v", got, err)
	}
	if s, err := os.Stat(path); err != nil || s.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", s.Mode(), err)
	}
	empty := filepath.Join(t.TempDir(), "new", "params.yaml")
	if err := Store(empty, "epuck_driver", settings); err != nil {
		t.Fatal(err)
	}
	if err := driver.CheckParameterFile(empty); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"[1, 2]", "epuck_driver: 5", "a: [", "epuck_driver:\n  ros__parameters: 7\n"} {
		if _, err := withSettings([]byte(bad), "epuck_driver", settings); !errors.Is(err, errFile) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
