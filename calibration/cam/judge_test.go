// SPDX-License-Identifier: Apache-2.0

package cam_test

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
)

// TestJudge: the found camera is as good as its result says, another one worse by as much as it is wrong, and views
// that were dropped do not count.
func TestJudge(t *testing.T) {
	for _, truth := range truths {
		views := exact(truth, 12, 9, 0.1)
		res, err := cam.Calibrate(views, cam.Options{Width: 640, Height: 480, Model: truth.Model})
		if err != nil {
			t.Fatal(err)
		}
		same, err := cam.Judge(res.Camera, views, res.Views)
		if err != nil || math.Abs(same-res.RMS) > 1e-3*res.RMS {
			t.Errorf("%s: %.5f px, the result says %.5f, %v", truth.Model, same, res.RMS, err)
		}
		off := res.Camera
		off.FX, off.FY, off.CX = off.FX*1.03, off.FY*0.98, off.CX+10
		if worse, err := cam.Judge(off, views, nil); err != nil || worse < 5*res.RMS {
			t.Errorf("%s: %.3f px of a camera that is off, %v", truth.Model, worse, err)
		}
		spoiled := append([]cam.View(nil), views...)
		spoiled[3].Points = spoiled[3].Points[:2]
		if _, err := cam.Judge(res.Camera, spoiled, nil); !errors.Is(err, cam.ErrData) {
			t.Errorf("%s: two points: %v", truth.Model, err)
		}
		results := append([]cam.ViewResult(nil), res.Views...)
		results[3].Dropped = "spoiled"
		if _, err := cam.Judge(res.Camera, spoiled, results); err != nil {
			t.Errorf("%s: %v", truth.Model, err)
		}
	}
	if _, err := cam.Judge(cam.Camera{Model: cam.PlumbBob}, nil, nil); !errors.Is(err, cam.ErrData) {
		t.Error(err)
	}
}
