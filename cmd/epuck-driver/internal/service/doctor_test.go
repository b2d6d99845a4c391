// SPDX-License-Identifier: Apache-2.0

package service

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	calnotes "github.com/epuck-ros2/epuck-driver/calibration"
)

// TestWhatTheDoctorKnowsOfCalibrations: the age of each part's calibration by its note; a camera's file from another
// program counts if it is newer, an older one does not.
func TestWhatTheDoctorKnowsOfCalibrations(t *testing.T) {
	home, service := t.TempDir(), t.TempDir()
	t.Setenv("ROS_HOME", home)
	file := filepath.Join(home, "parameters.yaml")
	noted := func(what string, at time.Time) string {
		return "    calibration." + what + ": \"" + calnotes.Note{Time: at, Robot: "r"}.String() + "\"\n"
	}
	wheels, lens := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 5, 2, 0, 0, 0, 0, time.UTC)
	text := "epuck_driver:\n  ros__parameters:\n" + noted("wheels", wheels) + noted("camera", lens) + "    calibration.imu: nonsense\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ages := func() map[string]time.Time {
		t.Helper()
		all, err := calibrations(file, service)
		if err != nil || len(all) != 4 {
			t.Fatalf("%+v, %v", all, err)
		}
		out := map[string]time.Time{}
		for _, c := range all {
			if c.How == "" {
				t.Errorf("%s: no remedy", c.What)
			}
			out[c.What] = c.At
		}
		return out
	}
	got := ages()
	if !got["wheels"].Equal(wheels) || !got["camera"].Equal(lens) || !got["imu"].IsZero() || !got["infrared"].IsZero() {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		folder       string
		stored, want time.Time
	}{
		{home, lens.Add(time.Hour), lens.Add(time.Hour)}, {home, lens.Add(-time.Hour), lens},
		{service, lens.Add(2 * time.Hour), lens.Add(2 * time.Hour)},
	} {
		yaml := filepath.Join(c.folder, "camera_info", "pipuck.yaml")
		for _, err := range []error{os.MkdirAll(filepath.Dir(yaml), 0o700), os.WriteFile(yaml, nil, 0o600), os.Chtimes(yaml, c.stored, c.stored)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := ages()["camera"]; !got.Equal(c.want) {
			t.Errorf("a file of %v: %v", c.stored, got)
		}
	}
	if none, err := calibrations(filepath.Join(home, "none.yaml"), ""); err != nil || len(none) != 4 {
		t.Errorf("no file: %+v, %v", none, err)
	}
}
