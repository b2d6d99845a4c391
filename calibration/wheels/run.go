// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"
)

// Kind is the shape of a run.
type Kind string

// The kinds of runs.
const (
	CCW      Kind = "ccw"      // a square with left turns
	CW       Kind = "cw"       // a square with right turns
	Straight Kind = "straight" // a straight line
	TurnCCW  Kind = "turn-ccw" // turns on the spot, to the left
	TurnCW   Kind = "turn-cw"  // and to the right
)

// Run is one run: the rotations of the wheels, and the robot's true end pose relative to its start.
type Run struct {
	Name  string `json:"name"`
	Kind  Kind   `json:"kind"`
	Turns []Turn `json:"turns"`
	End   Pose   `json:"end"`
	// Position and Heading are set for the parts of End that were measured.
	Position bool `json:"position"`
	Heading  bool `json:"heading"`
}

// rows returns the number of measured values.
func (r *Run) rows() int {
	n := 0
	if r.Position {
		n += 2
	}
	if r.Heading {
		n++
	}
	return n
}

// maxTurns is the maximum length of a run: about an hour at 50 Hz.
const maxTurns = 200_000

func (r *Run) check() error {
	switch {
	case len(r.Turns) == 0:
		return fmt.Errorf("%w: run %q: the wheels did not turn", errData, r.Name)
	case len(r.Turns) > maxTurns:
		return fmt.Errorf("%w: run %q: %d steps", errData, r.Name, len(r.Turns))
	case r.rows() == 0:
		return fmt.Errorf("%w: run %q: neither position nor heading of its end was measured", errData, r.Name)
	}
	for _, v := range [...]float64{r.End.X, r.End.Y, r.End.Theta} {
		if math.IsNaN(v) || math.Abs(v) > 1000 {
			return fmt.Errorf("%w: run %q ends at %v", errData, r.Name, r.End)
		}
	}
	for _, t := range r.Turns {
		if !(math.Abs(t.Left) < 100 && math.Abs(t.Right) < 100) {
			return fmt.Errorf("%w: run %q: wheels turned by %v", errData, r.Name, t)
		}
	}
	return nil
}

// difference returns the measured end less the computed one: x, y, theta, without those that were not measured.
func (r *Run) difference(g Geometry) []float64 {
	p := g.End(r.Turns)
	var d []float64
	if r.Position {
		d = append(d, r.End.X-p.X, r.End.Y-p.Y)
	}
	if r.Heading {
		d = append(d, wrap(r.End.Theta-p.Theta))
	}
	return d
}

// covariance returns the covariance of the difference: the variances of the reading plus slip² times the spread q.
func (r *Run) covariance(q [9]float64, read Reading, slip float64) [][]float64 {
	var pick []int
	if r.Position {
		pick = append(pick, 0, 1)
	}
	if r.Heading {
		pick = append(pick, 2)
	}
	own := [3]float64{read.Position * read.Position, read.Position * read.Position, read.Heading * read.Heading}
	c := make([][]float64, len(pick))
	for i, a := range pick {
		c[i] = make([]float64, len(pick))
		for j, b := range pick {
			c[i][j] = slip * slip * q[3*a+b]
		}
		c[i][i] += own[a]
	}
	return c
}

// whiten returns L⁻¹·d with L·Lᵀ = c, so that the result has unit covariance.
func whiten(c [][]float64, d []float64) []float64 {
	n := len(d)
	var l [3][3]float64 // there are no more: x, y, theta
	out := make([]float64, n)
	for i := range n {
		for j := 0; j <= i; j++ {
			sum := c[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(max(sum, 1e-30))
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
		sum := d[i]
		for k := range i {
			sum -= l[i][k] * out[k]
		}
		out[i] = sum / l[i][i]
	}
	return out
}
