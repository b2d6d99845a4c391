// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

// Host is what the parts need of their robot. It is used by the polling goroutine only.
type Host struct {
	// Now returns the time, and Stamp the stamp of a measurement at a time.
	Now   func() time.Time
	Stamp func(t time.Time) builtin_interfaces.Time
	// Corrections returns the current corrections.
	Corrections func() *table.Corrections
	// AtRest reports whether the wheels are known to be at rest.
	AtRest func() bool
	Log    *slog.Logger
	// Calibrated, if set, gets the results of calibrations of the IMU that were not requested, of failures the first:
	// the gyroscope's bias in rad/s or an error. They are logged at level debug then, else at level info. It must not
	// block.
	Calibrated func(gyroBias [3]float64, err error)
}
