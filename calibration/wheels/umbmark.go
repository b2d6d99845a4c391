// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"
)

// umBmark returns the closed form: the geometry that follows from the mean errors of squares of a side (m) and of
// straight runs, for a robot driven with the geometry g. It needs squares in both directions with the positions of
// their ends; without a straight run the mean radius is not changed.
func umBmark(runs []Run, g Geometry, side float64) (Geometry, error) {
	var sum [2]Pose
	var n [2]float64
	var measured, computed float64
	for i := range runs {
		r := &runs[i]
		if !r.Position {
			continue
		}
		p := g.End(r.Turns)
		switch r.Kind {
		case CCW, CW:
			k := 0
			if r.Kind == CW {
				k = 1
			}
			sum[k].X += r.End.X - p.X
			sum[k].Y += r.End.Y - p.Y
			n[k]++
		case Straight:
			measured += math.Hypot(r.End.X, r.End.Y)
			computed += math.Hypot(p.X, p.Y)
		}
	}
	if n[0] == 0 || n[1] == 0 || !(side > 0) {
		return g, fmt.Errorf("%w: %g squares to the left and %g to the right of %g m: both are needed", errData, n[0], n[1], side)
	}
	ccwX, ccwY, cwX, cwY := sum[0].X/n[0], sum[0].Y/n[0], sum[1].X/n[1], sum[1].Y/n[1]
	alpha := (-(cwX+ccwX)/(4*side) + (ccwY-cwY)/(4*side)) / 2
	beta := ((ccwX-cwX)/(4*side) - (cwY+ccwY)/(4*side)) / 2
	mean := g.Radius()
	if computed > 0 && measured > 0 {
		mean *= measured / computed
	}
	ratio := g.Ratio()
	if beta != 0 {
		bend := side / 2 / math.Sin(beta/2)
		ratio *= (bend + g.Distance/2) / (bend - g.Distance/2)
	}
	out := FromRatio(mean, ratio, g.Distance*(math.Pi/2)/(math.Pi/2-alpha)*mean/g.Radius())
	if err := out.check(); err != nil {
		return g, fmt.Errorf("%w: the squares are too far off for the closed form", errData)
	}
	return out, nil
}

// quality returns UMBmark's figure for the geometry g, m: the larger of the magnitudes of the mean error of each
// direction.
func quality(runs []Run, g Geometry) float64 {
	worst := 0.0
	for _, kind := range []Kind{CCW, CW} {
		var x, y, n float64
		for i := range runs {
			if r := &runs[i]; r.Kind == kind && r.Position {
				d := r.difference(g)
				x, y, n = x+d[0], y+d[1], n+1
			}
		}
		if n > 0 {
			worst = max(worst, math.Hypot(x/n, y/n))
		}
	}
	return worst
}
