// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// errConfig is wrapped when a geometry or noise parameter is out of range; the error names the field.
var errConfig = errors.New("odometry: invalid configuration")

// Config describes the robot. The zero value of a field is its default, that of an e-puck2.
type Config struct {
	// WheelRadius is the mean radius of both wheels, m. It defaults to 0.020.
	WheelRadius float64
	// RadiusRatio is the right wheel's radius over the left wheel's. It defaults to 1.
	RadiusRatio float64
	// WheelDistance is the distance between the wheels' contact points, m. It defaults to 0.05685.
	WheelDistance float64
	// StepsPerTurn is the number of counted steps of one wheel turn. It defaults to 1000.
	StepsPerTurn float64
	// TopSpeed is the maximum wheel speed, steps/s. It defaults to 1111.1 (the firmware's limit of 1100 after the
	// rounding of its timer).
	TopSpeed float64

	// Covariance of the geometry, row-major: relative errors of the left radius, the right radius and the wheel
	// distance, which are constant while the robot drives. Its contribution to the pose's covariance grows with the
	// square of the path and vanishes again when the robot drives back. It defaults to zero: unknown, covered by
	// TurnStd.
	Covariance [9]float64
	// SlipStd is the standard deviation of a wheel's path after 1 m, m. The variance grows in proportion to the path,
	// independently for each wheel (Chong and Kleeman's model). It defaults to 0.002: a heading uncertain by 0.05 rad
	// after 1 m.
	SlipStd float64
	// TurnStd is the standard deviation of the heading after a turn of 1 rad on the spot, rad, in addition to SlipStd:
	// the uncertain wheel distance. The variance grows in proportion to the turn. It defaults to 0.02.
	TurnStd float64
	// QuantStd is the standard deviation of a counter difference, steps. It affects the twist, whose interval is short,
	// but not the pose, where rounding errors do not accumulate. It defaults to 0.41 (two roundings, 1/√6).
	QuantStd float64
}

// withDefaults fills in the defaults.
func (c Config) withDefaults() Config {
	def := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	def(&c.WheelRadius, robot.WheelRadius)
	def(&c.RadiusRatio, 1)
	def(&c.WheelDistance, robot.WheelDistance)
	def(&c.StepsPerTurn, 1000)
	def(&c.TopSpeed, 100000.0/90)
	def(&c.SlipStd, 0.002)
	def(&c.TurnStd, 0.02)
	def(&c.QuantStd, 1/math.Sqrt(6))
	return c
}

// validate returns an error that names the first field out of range. The ranges are wide: they keep the arithmetic
// finite.
func (c Config) validate() error {
	for _, f := range []struct {
		name        string
		v, min, max float64
		unit        string
	}{
		{"WheelRadius", c.WheelRadius, 1e-3, 10, "m"}, {"RadiusRatio", c.RadiusRatio, 0.1, 10, ""}, {"WheelDistance", c.WheelDistance, 1e-3, 10, "m"},
		{"StepsPerTurn", c.StepsPerTurn, 1, 1e7, "steps"}, {"TopSpeed", c.TopSpeed, 1, 1e7, "steps/s"},
		{"SlipStd", c.SlipStd, 1e-9, 10, "m"}, {"TurnStd", c.TurnStd, 1e-9, 10, "rad"},
		{"QuantStd", c.QuantStd, 1e-9, 1e3, "steps"},
	} {
		if !(f.v >= f.min && f.v <= f.max) { // NaN fails too
			return fmt.Errorf("%w: %s is %v %s, want %v to %v", errConfig, f.name, f.v, f.unit, f.min, f.max)
		}
	}
	return checkCovariance(&c.Covariance)
}

// checkCovariance rejects a matrix that is not a covariance of relative errors: not symmetric, negative, above 1.
func checkCovariance(p *[9]float64) error {
	for i := range 3 {
		for j := range 3 {
			v, bound := p[3*i+j], math.Sqrt(p[4*i]*p[4*j])*(1+1e-9)
			if !(p[4*i] >= 0 && p[4*i] <= 1) || !(math.Abs(v) <= bound) || v != p[3*j+i] {
				return fmt.Errorf("%w: Covariance is not a covariance matrix at row %d, column %d: %v", errConfig, i, j, v)
			}
		}
	}
	minor := func(a, b int) float64 { return float64(p[3+a]*p[6+b]) - float64(p[3+b]*p[6+a]) }
	det := float64(p[0]*minor(1, 2)) - float64(p[1]*minor(0, 2)) + float64(p[2]*minor(0, 1))
	if det < -1e-9*p[0]*p[4]*p[8] {
		return fmt.Errorf("%w: Covariance has a negative determinant, %v", errConfig, det)
	}
	return nil
}

// radii returns the radii of the left and the right wheel, m.
func (c *Config) radii() (left, right float64) {
	left = 2 * c.WheelRadius / (1 + c.RadiusRatio)
	return left, left * c.RadiusRatio
}
