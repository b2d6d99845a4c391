// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
)

// CameraPolls is the polling rate while the camera's sensor is set up, Hz; afterwards it is polled every few seconds to
// detect a reset.
const CameraPolls = 100

// CameraSensor is the part of the camera's sensor. No other program configures it, and unconfigured its pictures have
// wrong colours. The pictures themselves are not transferred over this bus.
type CameraSensor struct{ hardware.CameraSensor }

// Measure makes at most one transaction; there is nothing to read. While the sensor can't be set up, it returns errors,
// which diagnostics report.
func (p CameraSensor) Measure(now time.Time) (news bool, err error) {
	return false, p.Poll(now)
}
