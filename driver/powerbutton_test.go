// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// The Pi-puck's button, held for two seconds, stops the wheels and switches the machine off, once; a short press does
// not, nor does holding the button to switch the board on. If the machine can't be switched off the robot continues.
func TestButtonSwitchesOff(t *testing.T) {
	for _, c := range []struct {
		name, args string
		press      time.Duration
		err        error
		off, stops bool
	}{
		{"held", "", 3 * time.Second, nil, true, true},
		{"held for long", "", 10 * time.Second, nil, true, true},
		{"pressed", "", time.Second, nil, false, false},
		{"not wanted", "-p button_poweroff:=false", 3 * time.Second, nil, false, false},
		{"the machine refuses", "", 3 * time.Second, errors.New("no permission"), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var r *rig
				off := 0
				r = newRig(t, rigOptions{args: c.args, noStart: true, press: true, config: func(cfg *Config) {
					cfg.PowerOff = func() error { off++; return c.err }
				}})
				r.run()
				r.drive(0.1, 0, 3*time.Second) // the button is down from the start
				if off != 0 {
					t.Fatal("the press that switched the board on switches it off")
				}
				r.robot.PressBoardButton(false)
				r.drive(0.1, 0, time.Second)
				r.robot.PressBoardButton(true)
				r.drive(0.1, 0, c.press)
				r.robot.PressBoardButton(false)
				r.drive(0.1, 0, time.Second)
				if (off == 1) != c.off || off > 1 {
					t.Errorf("switched off %d times", off)
				}
				if v := r.robot.GroundTruth().V; (v == 0) != c.stops {
					t.Errorf("drives with %v m/s", v)
				}
			})
		})
	}
}

// Without a way to switch off the button is not looked at.
func TestButtonIsNotPolledWithoutPowerOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{press: true})
		for _, p := range r.driver.Status().Parts {
			if p.Name == string(parts.Button) {
				t.Errorf("%+v", p)
			}
		}
	})
}

// buttonOf is the button of the rig's board.
func (r *rig) buttonOf() *pipuck.Button {
	r.Helper()
	b, err := pipuck.NewButton(r.robot.Pin(pipuck.PinButton), nil)
	r.must(err)
	return b
}
