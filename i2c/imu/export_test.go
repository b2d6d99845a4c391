// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"math"
)

// model is the model found last, [ModelUnknown] if none was found yet.
func (d *Dev) model() Model { return d.plan.model }

// ranges returns the full scales, m/s² and rad/s.
func (d *Dev) ranges() (accel, gyro float64) {
	return float64(d.opts.AccelRange) * standardGravity, float64(d.opts.GyroRange) * math.Pi / 180
}
