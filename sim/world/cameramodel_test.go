// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestCameraModel: without one a camera is ideal, what is left out is zero, and values beyond the limits are errors.
func TestCameraModel(t *testing.T) {
	for text, want := range map[string]world.CameraModel{
		"":                                       {},
		"camera_model: {}":                       {},
		"camera_model: {noise: 1}":               {Noise: 1},
		"camera_model: {vignetting: 4}":          {Vignetting: 4},
		"camera_model: {distortion: {k1: -0.4}}": {Distortion: world.Distortion{K1: -0.4}},
	} {
		w, err := world.Parse([]byte("robots:\n- name: r\n  " + text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := w.Robots[0].CameraModel; got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"{noise: -1}":                ".noise: must be 0 to 100, is -1",
		"{noise: .inf}":              ".noise: must be 0 to 100",
		"{vignetting: 17}":           ".vignetting: must be 0 to 16, is 17",
		"{vignetting: -1}":           ".vignetting: must be 0 to 16, is -1",
		"{distortion: {k1: -0.5}}":   ".distortion.k1: must be -0.4 to 0.4",
		"{distortion: {k2: 0.5}}":    ".distortion.k2: must be -0.4 to 0.4",
		"{distortion: {k3: .nan}}":   ".distortion.k3: must be -0.4 to 0.4",
		"{distortion: {p1: 0.03}}":   ".distortion.p1: must be -0.02 to 0.02",
		"{distortion: {p2: -0.03}}":  ".distortion.p2: must be -0.02 to 0.02",
		"{distortion: {k4: 0.1}}":    ".distortion.k4",
		"{distortion: [0, 0, 0, 0]}": ".distortion",
	} {
		_, err := world.Parse([]byte("robots: [{name: r, camera_model: " + text + "}]"))
		if err == nil || !strings.Contains(err.Error(), "robots[0].camera_model"+want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
