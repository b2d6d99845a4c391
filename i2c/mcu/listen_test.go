// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// commanded returns the left speed of each command the firmware got from now on.
func commanded(r *rig) *[]Speed {
	var all []Speed
	r.f.onCommand = func(left Speed) { all = append(all, left) }
	return &all
}

// The first command has zero speeds, and the motion follows in the same call.
func TestFirstCommandHasZeroSpeeds(t *testing.T) {
	r := newRig(t)
	got := commanded(r)
	r.cycle(3, Command{Left: 500, Right: 500})
	if len(*got) != 4 || (*got)[0] != 0 || (*got)[1] != 500 || (*got)[3] != 500 {
		t.Errorf("commands %v", *got)
	}
	r.f.count = [2]float64{30000, 30000}
	r.cycle(1, Command{Left: 500})
	*got = nil
	r.f.restart()
	r.f.onCommand = func(left Speed) { *got = append(*got, left) }
	r.cycle(2, Command{Left: 500}) // the restart is seen in the reply to the first
	if len(*got) != 3 || (*got)[1] != 0 || (*got)[2] != 500 {
		t.Errorf("commands %v after a restart", *got)
	}
}

// A first command that is a stop needs no extra one.
func TestStopCommandIsNotRepeatedAtStart(t *testing.T) {
	r := newRig(t)
	got := commanded(r)
	r.cycle(2, Command{})
	if r.cycle(1, Command{Left: 100}); len(*got) != 3 {
		t.Errorf("commands %v", *got)
	}
}

// Wheels accept commands 0.66 s after the first command that was accepted (not a failed one), until a restart or an
// outage long enough for one.
func TestWheelsListen(t *testing.T) {
	r := newRig(t)
	if r.d.WheelsListen() {
		t.Error("before anything")
	}
	r.bus.Plan(i2cfake.NAK, i2cfake.NAK, i2cfake.NAK)
	_, _ = r.d.Exchange(Command{})
	r.f.pass(time.Second)
	if r.d.WheelsListen() {
		t.Error("after a command that failed")
	}
	r.cycle(13, Command{})
	if r.d.WheelsListen() {
		t.Error("0.65 s after the first command")
	}
	if r.cycle(1, Command{}); !r.d.WheelsListen() {
		t.Error("not 0.70 s after the first command")
	}
	r.bus.Unplug(true)
	r.cycleAny(8)
	r.bus.Unplug(false)
	if r.cycle(1, Command{}); !r.d.WheelsListen() {
		t.Error("they do not listen after an outage shorter than a start")
	}
	r.bus.Unplug(true)
	r.cycleAny(30)
	r.bus.Unplug(false)
	r.cycle(1, Command{})
	if r.d.WheelsListen() {
		t.Error("after an outage of 1.5 s")
	}
	if r.cycle(15, Command{}); !r.d.WheelsListen() {
		t.Error("not 0.75 s later")
	}
}

// Equal counters of wheels that do not accept commands yet prove nothing: Halt sends zero speeds twice as often.
func TestHaltBeforeWheelsListen(t *testing.T) {
	for waiting, want := range map[bool]int{true: haltStartup, false: haltGood} {
		r := newRig(t)
		r.cycle(1, Command{})
		if !waiting {
			r.cycle(15, Command{})
		}
		before := r.f.transactions
		if err := r.d.Halt(); err != nil || r.f.transactions-before != want {
			t.Errorf("not listening %v: %d transactions, want %d; %v", waiting, r.f.transactions-before, want, err)
		}
	}
}

// A calibration waits until the wheels listen: during it they could start to turn, and no command would stop them.
func TestCalibrationWaitsForTheWheels(t *testing.T) {
	r := newRig(t)
	r.d.CalibrateIR()
	r.cycle(12, Command{})
	if r.f.calibrations != 0 {
		t.Error("calibrates with wheels that do not listen")
	}
	if r.cycle(8, Command{}); r.f.calibrations != 1 {
		t.Errorf("%d calibrations", r.f.calibrations)
	}
}
