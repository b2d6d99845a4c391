// SPDX-License-Identifier: Apache-2.0

package physics

import "math"

// StepperSpeed returns the speed (rad/s) that a stepper motor makes when it is commanded v, rad/s, if a turn of its wheel
// has so many steps: whole steps a second. A timer of a resolution (s) above 0 makes the half steps, so that their
// periods are whole multiples of it.
func StepperSpeed(v, stepsPerTurn, timer float64) float64 {
	n := math.Round(float64(v * (stepsPerTurn / (2 * math.Pi))))
	switch {
	case !(math.Abs(n) >= 1): // also NaN
		return 0
	case timer == 0:
		return float64(2*math.Pi/stepsPerTurn) * n
	}
	return TimerSpeed(n, stepsPerTurn, math.Round(0.5/timer))
}

// TimerSpeed is the speed (rad/s) of n steps a second whose half steps are whole ticks of the motors' timer, which has so
// many in the time of a half step at 1 step/s.
func TimerSpeed(n, stepsPerTurn, ticks float64) float64 {
	period := max(1, math.Floor(ticks/math.Abs(n)))
	return math.Copysign(float64(2*math.Pi/stepsPerTurn)*ticks/period, n)
}
