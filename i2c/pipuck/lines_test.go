// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
)

var errBusy = errors.New("device or resource busy")

// TestButton plays the pin's levels, 10 ms each ("_" pressed), and checks the events.
func TestButton(t *testing.T) {
	for _, c := range []struct {
		name, levels, want string
		opts               *ButtonOpts
	}{
		{"never", "------------", "", nil},
		{"a press", "---______------", "pressed@6 released@12", nil},
		{"bounces", "--_-_-_______-_-------", "pressed@9 released@18", nil},
		{"too short", "--__----", "", nil},
		{"a gap too short", "---_______--____----", "pressed@6 released@19", nil},
		{"held", "--" + strings.Repeat("_", 210) + "----", "pressed@5 held@202 released@215", nil},
		{"not long enough", "--" + strings.Repeat("_", 199) + "----", "pressed@5 released@204", nil},
		{"down from the start", strings.Repeat("_", 300) + "-----___-", "released@303", nil},
		{"down from the start, then held", "_-----" + strings.Repeat("_", 220) + "-----", "released@4 pressed@9 held@206 released@229", nil},
		{"own times", "--_________--", "pressed@3 held@7 released@12", &ButtonOpts{Debounce: 10 * time.Millisecond, Hold: 50 * time.Millisecond}},
	} {
		pin := vgpio.New(PinButton)
		b, err := NewButton(pin, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, l := range c.levels {
			if l == '_' {
				pin.Drive(gpio.Low)
			} else {
				pin.Release() // the pull-up that NewButton has set
			}
			was := b.Pressed()
			e := b.Poll(at(10 * i))
			if e != ButtonNone {
				got += fmt.Sprintf(" %v@%d", e, i)
			}
			if (e == ButtonPressed || e == ButtonReleased) != (was != b.Pressed()) && i > 0 {
				t.Errorf("%s: %v at %d, pressed %v", c.name, e, i, b.Pressed())
			}
		}
		if got = strings.TrimPrefix(got, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if fmt.Sprint(ButtonNone, ButtonHeld, ButtonEvent(7)) != "none held event 7" {
		t.Error("names")
	}
}

func TestCharger(t *testing.T) {
	pin := vgpio.New(PinCharger)
	c, err := NewCharger(pin)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []gpio.Level{gpio.Low, gpio.High, gpio.Low} {
		pin.Drive(l)
		if on, known := c.Connected(); on != bool(l) || !known {
			t.Error(l, on, known)
		}
	}
	if pin.Pull() != gpio.Float || pin.Output() {
		t.Error("the charger's signal must not be pulled")
	}
	var none *Charger
	if on, known := none.Connected(); on || known {
		t.Error("a charger without a pin is known")
	}
}

// TestPinsThatCannotBeUsed: missing, invalid, or used by another program.
func TestPinsThatCannotBeUsed(t *testing.T) {
	busy := vgpio.New(1)
	busy.Fail(errBusy)
	for name, pin := range map[string]gpio.PinIO{"none": nil, "invalid": gpio.INVALID, "busy": busy} {
		_, e1 := NewButton(pin, nil)
		_, e2 := NewCharger(pin)
		for _, err := range []error{e1, e2} {
			if !errors.Is(err, errPin) || errors.Is(err, errBusy) != (name == "busy") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := NewButton(vgpio.New(6), &ButtonOpts{Hold: -1}); !errors.Is(err, device.ErrOption) {
		t.Error(err)
	}
}
