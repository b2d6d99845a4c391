// SPDX-License-Identifier: Apache-2.0

// Package hardware opens the hardware of a driver: this robot, one over Wi-Fi, or a simulated one.
package hardware

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"time"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	pi2c "periph.io/x/conn/v3/i2c"
	_ "periph.io/x/host/v3/bcm283x" // the Raspberry Pi's pins; package host brings all boards' along, 0.5 MB

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/internal/timerfd"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Parts is the hardware of a driver, real or simulated: either robot, or the chips on Bus and the other parts.
type Parts struct {
	robot      hardware.Hardware // nil: the chips on the buses below
	Bus, Board pi2c.Bus
	openBus    func() (pi2c.BusCloser, error)              // opens Bus once more; nil: all users share it
	Timer      func(d time.Duration) (wheels.Timer, error) // of the wheels' loop; nil: the Go runtime's timer
	files      fs.FS
	charger    func() (connected, known bool)
	button     *pipuck.Button
	powerOff   func() error
	Optics     Optics
	Close      func() error
}

// Config returns the driver's configuration for a node on this hardware.
func (h Parts) Config(n *ros2.Node) driver.Config {
	robot := h.robot
	if robot == nil {
		robot = &chips.Robot{Bus: h.Bus, OpenBus: h.openBus, BoardBus: h.Board, Files: h.files, Charger: h.charger, Button: h.button}
	}
	return driver.Config{
		Node: n, Hardware: robot, PowerOff: h.powerOff, WheelTimer: h.Timer,
		Camera: h.Optics.Open, CameraCodecs: h.Optics.codecs, CameraCalibration: h.Optics.calibration,
	}
}

// OpenRobot opens the buses of the robot this machine is mounted on: the one of the parameter i2c_bus, and the
// Pi-puck board's if there is one.
func OpenRobot(n *ros2.Node, log *slog.Logger) (Parts, error) {
	name, err := table.BusName(n)
	if err != nil {
		return Parts{}, err
	}
	openBus := func() (pi2c.BusCloser, error) {
		bus, err := i2c.Open(i2c.Config{Bus: name, Logger: log})
		if err != nil { // not a nil pointer in an interface
			return nil, err
		}
		return bus, nil
	}
	bus, err := openBus()
	if err != nil {
		return Parts{}, err
	}
	h := Parts{Bus: bus, openBus: openBus, Timer: KernelTimer, files: os.DirFS("/"), charger: charger(log), button: button(log), powerOff: powerOff, Optics: robotCamera(log), Close: bus.Close}
	board, err := i2c.Open(i2c.Config{Bus: i2c.Board, Logger: log})
	if err != nil {
		log.Warn("no bus of the Pi-puck board: its LEDs and magnetometer are left out", "error", err)
		return h, nil
	}
	h.Board = board
	h.Close = func() error { return errors.Join(bus.Close(), board.Close()) }
	return h, nil
}

// KernelTimer starts a timer of the kernel. It is only for robots whose transfers are system calls, see package
// timerfd.
func KernelTimer(d time.Duration) (wheels.Timer, error) {
	t, err := timerfd.New(d)
	if err != nil { // not a nil pointer in an interface
		return nil, err
	}
	return t, nil
}

// pin finds a pin of the Raspberry Pi; nil if this machine has no such pin.
func pin(number int, log *slog.Logger) gpio.PinIO {
	if _, err := driverreg.Init(); err != nil {
		log.Warn("no pins: the Pi-puck's button and whether the battery is being charged are not known", "error", err)
		return nil
	}
	return gpioreg.ByName("GPIO" + strconv.Itoa(number))
}

// button watches the Pi-puck's button; nil if this machine has no such pin.
func button(log *slog.Logger) *pipuck.Button {
	pin := pin(pipuck.PinButton, log)
	if pin == nil {
		return nil
	}
	b, err := pipuck.NewButton(pin, nil)
	if err != nil {
		log.Warn("the Pi-puck's button will not switch off", "error", err)
		return nil
	}
	return b
}

// charger watches the pin that is high while the charger is connected; nil if this machine has no such pin.
func charger(log *slog.Logger) func() (connected, known bool) {
	pin := pin(pipuck.PinCharger, log)
	if pin == nil {
		return nil
	}
	c, err := pipuck.NewCharger(pin)
	if err != nil {
		log.Warn("no charger pin: whether the battery is being charged is not known", "error", err)
		return nil
	}
	return c.Connected
}
