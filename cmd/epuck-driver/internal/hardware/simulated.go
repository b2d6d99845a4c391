// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Simulated is the hardware of a simulated robot.
func Simulated(r *sim.Firmware) (Parts, error) {
	charger, err := pipuck.NewCharger(r.Pin(pipuck.PinCharger))
	if err != nil {
		return Parts{}, err
	}
	return Parts{
		Bus: r.Bus(), Board: r.BoardBus(), files: r.BatteryFS(), charger: charger.Connected, Optics: simulatedCamera(r),
		Close: func() error { return errors.Join(r.Bus().Close(), r.BoardBus().Close()) },
	}, nil
}
