// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// TestStepsOfAnyRobot: the motors of a robot whose description has steps turn by whole steps a second, and others by any
// speed.
func TestStepsOfAnyRobot(t *testing.T) {
	step := func(steps float64) float64 { return 2 * math.Pi / steps }
	for _, c := range []struct {
		steps, timer string
		want         float64
	}{
		{"", "", 1.2345},
		{"0", "", 1.2345},
		{"400", "", 79 * step(400)},
		{"50", "", 10 * step(50)},
		{"4", "", step(4)},
		{"160000", "", 31436 * step(160000)},
		{"400", "0.00001", 50000. / 632 * step(400)}, // 50,000/79 is 632.9
		{"400", "0.001", 500. / 6 * step(400)},
	} {
		text := cart("")
		if c.steps != "" {
			text = strings.Replace(text, "<wheel_radius>", fmt.Sprintf("<steps_per_turn>%s</steps_per_turn><wheel_radius>", c.steps), 1)
		}
		if c.timer != "" {
			text = strings.Replace(text, "<wheel_radius>", fmt.Sprintf("<step_timer>%s</step_timer><wheel_radius>", c.timer), 1)
		}
		r := modelled(t, arena(robotAt("r", "cart", -0.5, 0, 0)), text)
		r.drive(0, 1.2345, 1.2345)
		r.pass(time.Second)
		r.do(0, func(m *machine.Machine) {
			_, speeds := m.WheelState()
			near(t, fmt.Sprint(c, ": speed"), speeds[0], c.want, 1e-9)
		})
	}
}

// TestDrivesThatCannotBeAreRefused: steps and timers below 0, and wheels that are in one place.
func TestDrivesThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"<wheel_radius>", "<steps_per_turn>-1</steps_per_turn><wheel_radius>", "steps_per_turn"},
		{"<wheel_radius>", "<step_timer>-1</step_timer><wheel_radius>", "step_timer"},
		{"<wheel_separation>0.1<", "<wheel_separation>1e-170<", "1e-170 m apart"},
	} {
		desc, err := library.Parse("cart", []byte(strings.Replace(cart(""), c.old, c.new, 1)))
		if err == nil {
			err = desc.Check()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}
