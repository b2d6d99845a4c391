// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
)

func TestCameraSetupCanBeDisabled(t *testing.T) {
	r, _ := steppedRig(t, rigOptions{parts: true, args: "-p camera.setup:=false"})
	if p := r.driver.Status().Part(parts.Camera); p.Name != "" {
		t.Errorf("%+v", p)
	}
}
