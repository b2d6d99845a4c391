// SPDX-License-Identifier: Apache-2.0

package odometry

import "math"

// rk4 returns the displacement of the unicycle x' = v cos θ, y' = v sin θ, θ' = ω over one interval in which it moves
// by path m and turns by turn rad, both at a constant rate, by one step of the classical Runge-Kutta method. With a
// constant rate the two middle slopes coincide, so this is Simpson's rule; the error of a step is path·turn⁴/2880.
func rk4(theta, path, turn float64) (dx, dy float64) {
	s0, c0 := Sincos(theta)
	s1, c1 := Sincos(theta + float64(turn/2))
	s2, c2 := Sincos(theta + turn)
	return path * (c0 + float64(4*c1) + c2) / 6, path * (s0 + float64(4*s1) + s2) / 6
}

const (
	maxTurn     = 0.25 // rad, in one Runge-Kutta step: an error below 1.4e-6 of the path
	maxSubsteps = 1024
)

// integrate moves a pose by path m and turn rad, in equal steps small enough for rk4: one for a usual control interval,
// several for an interval with lost packets.
func integrate(x, y, theta, path, turn float64) (float64, float64, float64) {
	n := min(max(math.Ceil(math.Abs(turn)/maxTurn), 1), maxSubsteps)
	for i := range int(n) {
		dx, dy := rk4(theta+turn*float64(i)/n, path/n, turn/n)
		x, y = x+dx, y+dy
	}
	return x, y, wrap(theta + turn)
}

// wrap normalises an angle, rad, to (−π, π].
func wrap(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	a = math.Remainder(a, 2*math.Pi) // in [−π, π]
	if a <= -math.Pi {
		return math.Pi
	}
	return a
}
