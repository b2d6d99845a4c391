// SPDX-License-Identifier: Apache-2.0

package mcu

import "math"

// Constants of the firmware's src/motors.c and src/gumstix.c.
const (
	// Addr is the 7-bit I2C address of the MCU.
	Addr = 0x1F
	// stepsPerTurn is the number of full motor steps of one wheel turn (20-step motor, 50:1 gear).
	stepsPerTurn = 1000
	// MaxSpeed is the highest speed the firmware accepts, steps/s; it clips larger ones.
	MaxSpeed Speed = 1100
	// RadPerStep is the wheel angle of one full step, rad. (The older ROS 2 driver used 0.0068, a typing error.)
	RadPerStep = 2 * math.Pi / stepsPerTurn

	motorTimerHz = 100_000 // MOTOR_TIMER_FREQ
	microsteps   = 2       // microsteps of one full step
)

// Speed is a wheel speed in full motor steps per second, positive forwards; 1000 steps/s is one wheel turn per second.
type Speed int16

// SpeedFromRadians returns the speed nearest to radPerS, rad/s, clipped to ±[MaxSpeed]. NaN gives 0.
func SpeedFromRadians(radPerS float64) Speed {
	steps := math.Round(radPerS / RadPerStep)
	switch {
	case math.IsNaN(steps):
		return 0
	case steps > float64(MaxSpeed):
		return MaxSpeed
	case steps < -float64(MaxSpeed):
		return -MaxSpeed
	}
	return Speed(steps)
}

// clip returns the speed that the firmware uses for s: at most ±[MaxSpeed].
func (s Speed) clip() Speed { return max(-MaxSpeed, min(MaxSpeed, s)) }

// Actual returns the speed at which the wheel really turns, steps/s: the firmware steps by a 100 kHz timer whose
// period is a whole number, rounded down, so the wheel is not slower than commanded (TestActual); 1100 becomes
// 1111.1.
func (s Speed) Actual() float64 {
	c := int(s.clip())
	if c == 0 {
		return 0
	}
	sign := 1.0
	if c < 0 {
		c, sign = -c, -1
	}
	period := motorTimerHz / (microsteps * c)
	return sign * float64(motorTimerHz) / float64(microsteps*period)
}

// topSpeed is the highest real wheel speed, steps/s: [MaxSpeed] after the timer's rounding.
const topSpeed = float64(motorTimerHz) / (microsteps * (motorTimerHz / (microsteps * 1100)))
