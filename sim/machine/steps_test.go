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
	for steps, want := range map[string]float64{
		"": 1.2345, "400": 79 * 2 * math.Pi / 400, "50": 10 * 2 * math.Pi / 50, "4": 2 * math.Pi / 4, "0": 1.2345,
	} {
		text := cart("")
		if steps != "" {
			text = strings.Replace(text, "<wheel_radius>", fmt.Sprintf("<steps_per_turn>%s</steps_per_turn><wheel_radius>", steps), 1)
		}
		r := modelled(t, arena(robotAt("r", "cart", -0.5, 0, 0)), text)
		r.drive(0, 1.2345, 1.2345)
		r.pass(time.Second)
		r.do(0, func(m *machine.Machine) {
			_, speeds := m.WheelState()
			near(t, steps+" steps: speed", speeds[0], want, 0.002*want) // whole periods of the timer
		})
	}
}

// TestStepsMustBeANumber: those that are none, or below 0, are refused.
func TestStepsMustBeANumber(t *testing.T) {
	text := strings.Replace(cart(""), "<wheel_radius>", "<steps_per_turn>-1</steps_per_turn><wheel_radius>", 1)
	desc, err := library.Parse("cart", []byte(text))
	if err == nil {
		err = desc.Check()
	}
	if err == nil || !strings.Contains(err.Error(), "steps_per_turn") {
		t.Error(err)
	}
}
