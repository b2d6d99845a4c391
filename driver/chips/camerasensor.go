// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
)

// cameraPolls is how many transactions a second go into setting the camera's sensor up; afterwards it is looked at
// every few seconds to see whether it was reset.
const cameraPolls = 100

// CameraSensor is the camera's sensor as a part. Nothing else sets it up, and without that its pictures have wrong
// colours; the pictures themselves come by another way.
type CameraSensor struct{ *camsensor.Dev }

// NewCameraSensor looks for the sensor on a bus.
func NewCameraSensor(bus i2c.Bus, set *table.Settings) (CameraSensor, error) {
	dev, err := camsensor.New(bus, &camsensor.Opts{Settings: set.Camera})
	if err != nil {
		return CameraSensor{}, err
	}
	return CameraSensor{dev}, nil
}

// Measure makes one transaction at the most; there is nothing to read. A sensor that can't be set up fails each poll
// that finds that out, and says so in the diagnostics.
func (p CameraSensor) Measure(now time.Time) (news bool, err error) {
	return false, p.Poll(now)
}

// CameraRate gives the polls a second, 0 if another program sets the sensor up.
func CameraRate(s *table.Settings) float64 {
	if s.CameraSetup {
		return cameraPolls
	}
	return 0
}
