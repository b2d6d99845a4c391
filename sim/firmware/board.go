// SPDX-License-Identifier: Apache-2.0

package firmware

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

// attachPins makes the board's pins and connects what is at their other ends.
func (r *dynamics) attachPins() {
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
func (r *dynamics) resets(was *gpio.Level, f func(held bool)) func(gpio.Level) {
	*was = gpio.High
	return func(l gpio.Level) {
		x := r.World()
		x.Lock()
		defer x.Unlock()
		if l == *was { // Listen reports the first level, too
			return
		}
		*was = l
		x.Kernel.CatchUp()
		f(l == gpio.Low)
	}
}

// Pin returns the pin of the Raspberry Pi with a number of the constants
// above, or nil. It implements periph's gpio.PinIO.
func (r *Robot) Pin(number int) *vgpio.Pin { return r.d.pi.pins[number] }

// BatteryFS returns the part of the Pi's file system in which the kernel shows
// the voltages of the battery; the files are empty of everything else. While the
// part world.BatteryMonitor is off there are none.
func (r *Robot) BatteryFS() fs.FS { return r.d.pi.monitor.FS() }

// BatteryMonitor returns the converter behind BatteryFS, to break it. The
// battery itself is the robot's: SetCharge, SetCharger.
func (r *Robot) BatteryMonitor() *vbattery.Battery { return r.d.pi.monitor }

// PressBoardButton presses (true) or releases the button of the Pi-puck board.
func (r *Robot) PressBoardButton(pressed bool) {
	if pressed {
		r.Pin(PinButton).Drive(gpio.Low)
		return
	}
	r.Pin(PinButton).Release()
}

// SetCharger plugs the charger in (true) or out.
func (r *Robot) SetCharger(on bool) {
	r.d.Act("charger", on, func() {
		r.d.Battery().SetCharger(on)
		r.d.setCharger()
	})
}

// setCharger sets the level of the pin that reports whether the charger is plugged in.
func (r *dynamics) setCharger() {
	r.pi.pins[PinCharger].Drive(gpio.Level(r.Battery().Charging()))
}
