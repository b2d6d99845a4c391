// SPDX-License-Identifier: Apache-2.0

package cam

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// Judge returns the reprojection error of a known camera, px: the root mean square over the views that were used
// (their Dropped is empty; with nil results: all), each with its best pose. It is comparable with [Result.RMS]. It
// fails without views, and if the camera can't have seen one of them.
func Judge(c Camera, views []View, results []ViewResult) (float64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	sum, n := 0.0, 0
	for i, v := range views {
		if i < len(results) && results[i].Dropped != "" {
			continue
		}
		ssr, err := judge(c, v)
		if err != nil {
			return 0, fmt.Errorf("view %q: %w", v.Name, err)
		}
		sum, n = sum+ssr, n+len(v.Points)
	}
	if n == 0 {
		return 0, fmt.Errorf("%w: no views", errData)
	}
	return math.Sqrt(sum / float64(n)), nil
}

// judge returns the sum of squared residuals at the best pose of a view.
func judge(c Camera, v View) (float64, error) {
	if err := checkView(v); err != nil {
		return 0, err
	}
	poses, _ := posesOf(c, []View{v})
	if poses == nil {
		return 0, fmt.Errorf("%w: the camera can't have seen it", errData)
	}
	b := &bundle{views: []View{v}, base: c}
	x := append(append([]float64(nil), poses[0].Rotation[:]...), poses[0].Translation[:]...)
	res, err := lm.Solve(lm.Problem{N: 6, M: 2 * len(v.Points), Residuals: func(x, r []float64) {
		b.residuals(0, &c, poseIn(x), r)
	}}, x, lm.Options{MaxIterations: 300, Tolerance: 1e-9})
	if err != nil {
		return 0, fmt.Errorf("cam: %w", err)
	}
	return res.SSR, nil
}
