// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io/fs"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
)

// The pins of the Raspberry Pi that the Pi-puck board uses, by their BCM2835
// numbers.
const (
	// pinPowerHold keeps the power on.
	pinPowerHold = 5
	// PinButton is the board's button, low while pressed.
	PinButton = 6
	// PinCharger is high while the charger is plugged in.
	PinCharger = 13
	// PinFT903Reset holds the FT903 in reset while low.
	PinFT903Reset = 16
	// PinRobotReset holds the robot's main processor in reset while low.
	PinRobotReset = 24
)

// board is what the Pi-puck adds to the robot.
type board struct {
	ft903   *vft903.Chip
	monitor *vbattery.Battery
	pins    map[int]*vgpio.Pin // never changes
	lines   [2]gpio.Level      // of the resets: FT903, robot
}

// solder makes the board's pins and connects what is at their other ends.
func (r *Firmware) solder() {
	p := make(map[int]*vgpio.Pin)
	for _, n := range []int{pinPowerHold, PinButton, PinCharger, PinFT903Reset, PinRobotReset} {
		p[n] = vgpio.New(n)
	}
	p[PinCharger].Drive(gpio.Low)
	for _, n := range []int{PinFT903Reset, PinRobotReset} { // pulled up on the board
		p[n].Drive(gpio.High)
	}
	r.pi.pins = p
	p[PinFT903Reset].Listen(r.resets(&r.pi.lines[0], func(held bool) { r.pi.ft903.Reset(held) }))
	p[PinRobotReset].Listen(r.resets(&r.pi.lines[1], func(held bool) {
		r.held = held
		r.mcu.Restart()
	}))
}

// resets returns what a reset line does when its level changes. was keeps the level in the robot, where a snapshot sees
// it.
func (r *Firmware) resets(was *gpio.Level, f func(held bool)) func(gpio.Level) {
	*was = gpio.High
	return func(l gpio.Level) {
		r.sim.mu.Lock()
		defer r.sim.mu.Unlock()
		if l == *was { // Listen reports the first level, too
			return
		}
		*was = l
		r.sim.catchUp()
		f(l == gpio.Low)
	}
}

// Pin returns the pin of the Raspberry Pi with a number of the constants
// above, or nil. It implements periph's gpio.PinIO.
func (r *Firmware) Pin(number int) *vgpio.Pin { return r.pi.pins[number] }

// BatteryFS returns the part of the Pi's file system in which the kernel shows
// the voltages of the battery; the files are empty of everything else. While the
// part world.BatteryMonitor is off there are none.
func (r *Firmware) BatteryFS() fs.FS { return r.pi.monitor.FS() }

// BatteryMonitor returns the converter behind BatteryFS, to break it. The
// battery itself is the robot's: SetCharge, SetCharger.
func (r *Firmware) BatteryMonitor() *vbattery.Battery { return r.pi.monitor }

// PressBoardButton presses (true) or releases the button of the Pi-puck board.
func (r *Firmware) PressBoardButton(pressed bool) {
	if pressed {
		r.Pin(PinButton).Drive(gpio.Low)
		return
	}
	r.Pin(PinButton).Release()
}

// SetCharger plugs the charger in (true) or out.
func (r *Firmware) SetCharger(on bool) {
	r.act("charger", on, func() {
		r.battery.SetCharger(on)
		r.setCharger()
	})
}

// setCharger sets the level of the pin that reports whether the charger is plugged in.
func (r *Firmware) setCharger() {
	r.Pin(PinCharger).Drive(gpio.Level(r.battery.Charging()))
}
