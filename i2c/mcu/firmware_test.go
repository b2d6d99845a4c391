// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"encoding/binary"
	"time"

	"periph.io/x/conn/v3/physic"
)

// firmware is the I2C side of the extension firmware, as far as the tests of Dev need it, with its own clock, which is
// advanced only by transactions and the tests. The reply is built when a write has ended, before the command is
// executed.
type firmware struct {
	now     time.Time
	rx      [CommandSize]byte // receive buffer: a short write leaves old bytes
	work    [CommandSize]byte // what the command thread reads: the last packet
	pending bool              // the thread's semaphore
	flagged bool              // an I2C error was detected: the next command is dropped

	speed    [2]float64 // steps/s
	count    [2]float64 // the counters
	truth    [2]float64 // actual steps since the start of the test
	calUntil time.Time  // the thread calibrates until then
	calTaken [2]int16   // the numbers it had read from the packet before

	sensors      Sensors
	leds         byte
	melodies     []byte
	calibrations int
	movedInCal   bool
	commands     int // accepted
	transactions int
	onCommand    func(left Speed) // called with each packet
	ignore       int              // number of next writes that are answered, but not executed
	replyFirst   byte             // with york: the register
	york         bool
	silent       bool // the reply buffer stays empty
}

func newFirmware() *firmware {
	f := &firmware{now: time.Unix(1_000_000, 0)}
	f.sensors = Sensors{Selector: SelectorPi, Microphone: [4]uint16{10, 20, 30, 40}}
	for i := range 8 {
		f.sensors.Proximity[i], f.sensors.Ambient[i] = uint16(10*i), uint16(3000+i)
	}
	return f
}

func (f *firmware) String() string                  { return "firmware" }
func (f *firmware) SetSpeed(physic.Frequency) error { return nil }
func (f *firmware) clock() time.Time                { return f.now }

// restart is a power cycle of the robot.
func (f *firmware) restart() {
	*f = firmware{
		now: f.now, truth: f.truth, sensors: f.sensors, melodies: f.melodies, calibrations: f.calibrations,
		commands: f.commands, transactions: f.transactions,
	}
}

// Tx is one transaction at 100 kHz: 90 µs for each byte.
func (f *firmware) Tx(addr uint16, w, r []byte) error {
	f.transactions++
	f.pass(time.Duration(len(w)) * 90 * time.Microsecond)
	if f.york {
		f.replyYork(w, r)
		return nil
	}
	var reply [SensorsSize]byte
	if len(w) > 0 {
		copy(f.rx[:], w)
		f.work, f.pending = f.rx, true
		if f.onCommand != nil {
			f.onCommand(Speed(binary.LittleEndian.Uint16(w)))
		}
		f.sensors.LeftSteps, f.sensors.RightSteps = int16(int64(f.count[0])), int16(int64(f.count[1]))
		f.sensors.Put(&reply)
		f.thread()
	}
	if !f.silent {
		copy(r, reply[:])
	}
	f.pass(time.Duration(len(r)) * 90 * time.Microsecond)
	return nil
}

// replyYork is the register firmware: a register, repeated as long as the master reads.
func (f *firmware) replyYork(w, r []byte) {
	if len(w) == 1 && w[0] == 254 {
		f.replyFirst++
	}
	for i := range r {
		r[i] = f.replyFirst
	}
}

// pass advances the time: wheels turn, a calibration ends.
func (f *firmware) pass(d time.Duration) {
	for d > 0 {
		step := d
		busy := !f.calUntil.IsZero()
		if busy {
			step = min(step, f.calUntil.Sub(f.now))
		}
		for i, v := range f.speed {
			f.count[i] += v * step.Seconds()
			f.truth[i] += v * step.Seconds()
			f.movedInCal = f.movedInCal || busy && v != 0
		}
		f.now = f.now.Add(step)
		d -= step
		if busy && !f.now.Before(f.calUntil) {
			f.calUntil = time.Time{}
			f.speedsOrSteps(f.calTaken) // by the settings of the packet that is in work by now
			f.thread()
		}
	}
}

// thread is the command thread, which is blocked during a calibration.
func (f *firmware) thread() {
	if !f.pending || !f.calUntil.IsZero() {
		return
	}
	f.pending = false
	switch {
	case f.flagged:
		f.flagged = false
		return
	case f.ignore > 0:
		f.ignore--
		return
	case checksum(f.work[:19]) != f.work[19]:
		return
	}
	f.commands++
	taken := [2]int16{int16(binary.LittleEndian.Uint16(f.work[0:])), int16(binary.LittleEndian.Uint16(f.work[2:]))}
	if m := f.work[4]; m >= 1 && m <= 3 {
		f.melodies = append(f.melodies, m)
	}
	f.leds = f.work[5]
	if f.work[18]&1 != 0 {
		f.calibrations++
		f.calTaken, f.calUntil = taken, f.now.Add(time.Second)
		return
	}
	f.speedsOrSteps(taken)
}

// speedsOrSteps evaluates the settings of the packet in the work buffer, even if the numbers are another packet's.
func (f *firmware) speedsOrSteps(taken [2]int16) {
	for i, n := range taken {
		if f.work[18]&4 != 0 {
			f.count[i] = float64(n)
		} else {
			f.speed[i] = Speed(n).Actual()
		}
	}
}
