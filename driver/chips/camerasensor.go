// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
)

// cameraPolls is the polling rate while the camera's sensor is set up, Hz; afterwards it is polled every few seconds to
// detect a reset.
const cameraPolls = 100

// CameraSensor is the part of the camera's sensor. No other program configures it, and unconfigured its pictures have
// wrong colours. The pictures themselves are not transferred over this bus.
type CameraSensor struct{ *camsensor.Dev }

// NewCameraSensor returns the part of the sensor on a bus.
func NewCameraSensor(bus i2c.Bus, set *table.Settings) (CameraSensor, error) {
	dev, err := camsensor.New(bus, &camsensor.Opts{Settings: set.Camera})
	if err != nil {
		return CameraSensor{}, err
	}
	return CameraSensor{dev}, nil
}

// Measure makes at most one transaction; there is nothing to read. While the sensor can't be set up, it returns errors,
// which diagnostics report.
func (p CameraSensor) Measure(now time.Time) (news bool, err error) {
	return false, p.Poll(now)
}

// CameraRate returns the polling rate, Hz; 0 if another program sets the sensor up.
func CameraRate(s *table.Settings) float64 {
	if s.CameraSetup {
		return cameraPolls
	}
	return 0
}
