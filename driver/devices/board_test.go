// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// Changes of the batteries' level are reported with the reading that caused them, and the machine is switched off if
// it can be.
func TestBatteriesReportChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		var levels []battery.Level
		off := 0
		p, err := NewBatteries(r.devices(r.set).Battery, BatteryOpts{
			PowerOff: func() error { off++; return nil },
			Changed: func(c battery.Change, b *table.BatteryReading) {
				if c.From != c.To {
					levels = append(levels, b.Level)
				}
			},
		}, &r.reading)
		r.must(err)
		if news, err := r.poll(p, BatteryPolls, 3*time.Second); news < 2 || err != nil {
			t.Errorf("%d measurements, %v", news, err)
		}
		if b := r.reading.Battery; !b.Robot.Connected || b.Level != battery.LevelOK || off != 0 {
			t.Errorf("%+v, switched off %d times", b, off)
		}
		r.must(r.robot.SetCharge(0))
		_, err = r.poll(p, BatteryPolls, 120*time.Second)
		r.must(err)
		if n := len(levels); n == 0 || levels[n-1] != battery.LevelCritical || off != 1 {
			t.Errorf("levels %v, switched off %d times", levels, off)
		}
	})
}

// A machine without the kernel's files, as most simulated ones are, has no batteries and no error.
func TestNoBatteries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		dev, err := battery.New(&battery.Opts{Root: fstest.MapFS{}})
		r.must(err)
		p, err := NewBatteries(dev, BatteryOpts{Changed: func(battery.Change, *table.BatteryReading) {
			t.Error("a change of nothing")
		}}, &r.reading)
		r.must(err)
		if news, err := r.poll(p, BatteryPolls, 3*time.Second); news != 0 || err != nil {
			t.Errorf("%d measurements, %v", news, err)
		}
		r.wantState(p, device.Absent)
	})
}

// An LED shows the colour that was set, with the next poll.
func TestLEDShowsColourWithNextPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := LEDs{r.devices(r.set).LEDs}
		_, err := r.poll(p, LEDPolls, 2*time.Second)
		r.must(err)
		r.wantState(p, device.Running)
		r.must(p.Set(1, pipuck.ColourOf(0xff00ff)))
		if news, err := r.poll(p, LEDPolls, time.Second); news != 0 || err != nil {
			t.Errorf("%d news of LEDs, %v", news, err)
		}
		if got := r.robot.GroundTruth().BoardLEDs; got != [3]byte{0, 0b101, 0} {
			t.Errorf("the board shows %v", got)
		}
	})
}

// A button that is held is reported once; one that can't be read is not.
func TestHeldButtonIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		button, err := pipuck.NewButton(r.robot.Pin(pipuck.PinButton), nil)
		r.must(err)
		held := 0
		p := NewButton(button, func() { held++ })
		r.wantState(p, device.Running)
		_, err = r.poll(p, ButtonPolls, time.Second)
		r.must(err)
		r.robot.PressBoardButton(true)
		if news, err := r.poll(p, ButtonPolls, time.Second); news != 0 || err != nil || held != 0 {
			t.Errorf("after a second: %d news, held %d times, %v", news, held, err)
		}
		if _, err := r.poll(p, ButtonPolls, 5*time.Second); err != nil || held != 1 {
			t.Errorf("held %d times, %v", held, err)
		}
		r.must(p.Halt())
		if p.String() == "" {
			t.Error("it has no name")
		}
	})
}
