// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"errors"
	"fmt"
	"math"
)

// ErrConfig is matched when a geometry or noise parameter is out of range; the error names the field.
var ErrConfig = errors.New("odometry: bad configuration")

// Config describes the robot. A zero field means its default, an e-puck2.
type Config struct {
	// WheelRadius in m. It defaults to 0.020.
	WheelRadius float64
	// WheelDistance between the wheels' contact points in m. It defaults to 0.05685.
	WheelDistance float64
	// StepsPerTurn is the number of counted steps of one wheel turn. It defaults to 1000.
	StepsPerTurn float64
	// TopSpeed is the highest wheel speed the motors can have, steps/s. It defaults to 1111.1 (firmware limit 1100 after
	// the rounding of its timer).
	TopSpeed float64

	// SlipStd is the standard deviation of a wheel's path after 1 m of it, m; the variance grows in proportion to the
	// path, wheels independent (Chong and Kleeman's model). It defaults to 0.002, which makes the
	// heading uncertain by 0.05 rad after 1 m.
	SlipStd float64
	// TurnStd is the standard deviation of the heading after a turn of 1 rad on the spot, rad, beyond what SlipStd gives:
	// the uncertain wheel distance. The variance grows in proportion to the turn. It defaults to 0.02.
	TurnStd float64
	// QuantStd is the standard deviation of a counter difference, steps. It enters the twist, whose time base is short,
	// and not the pose, where rounding does not add up. It defaults to 0.41 (two roundings, 1/√6).
	QuantStd float64
}

// withDefaults fills in the defaults.
func (c Config) withDefaults() Config {
	def := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	def(&c.WheelRadius, 0.020)
	def(&c.WheelDistance, 0.05685)
	def(&c.StepsPerTurn, 1000)
	def(&c.TopSpeed, 100000.0/90)
	def(&c.SlipStd, 0.002)
	def(&c.TurnStd, 0.02)
	def(&c.QuantStd, 1/math.Sqrt(6))
	return c
}

// validate names the first field that is out of its range. The ranges are wide; they keep the arithmetic finite.
func (c Config) validate() error {
	for _, f := range []struct {
		name        string
		v, min, max float64
		unit        string
	}{
		{"WheelRadius", c.WheelRadius, 1e-3, 10, "m"}, {"WheelDistance", c.WheelDistance, 1e-3, 10, "m"},
		{"StepsPerTurn", c.StepsPerTurn, 1, 1e7, "steps"}, {"TopSpeed", c.TopSpeed, 1, 1e7, "steps/s"},
		{"SlipStd", c.SlipStd, 1e-9, 10, "m"}, {"TurnStd", c.TurnStd, 1e-9, 10, "rad"},
		{"QuantStd", c.QuantStd, 1e-9, 1e3, "steps"},
	} {
		if !(f.v >= f.min && f.v <= f.max) { // NaN fails too
			return fmt.Errorf("%w: %s is %v %s, want %v to %v", ErrConfig, f.name, f.v, f.unit, f.min, f.max)
		}
	}
	return nil
}
