// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"errors"
	"io/fs"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// Chips is a simulated robot with chips on buses, such as a [sim.Firmware], with the pins and files of the Raspberry
// Pi and a camera.
type Chips interface {
	Bus() *vbus.Bus
	BoardBus() *vbus.Bus
	Pin(number int) *vgpio.Pin
	BatteryFS() fs.FS
	Camera() camera.Device
	LensDistortion() []float64
}

// Simulated returns the hardware of a simulated robot on its own buses, or on others, which may alter the transfers.
func Simulated(r Chips, bus, board i2c.Bus) (Parts, error) {
	charger, err := pipuck.NewCharger(r.Pin(pipuck.PinCharger))
	if err != nil {
		return Parts{}, err
	}
	return Parts{
		Bus: bus, Board: board, files: r.BatteryFS(), charger: charger.Connected, Optics: simulatedCamera(r),
		Close: func() error { return errors.Join(r.Bus().Close(), r.BoardBus().Close()) },
	}, nil
}
