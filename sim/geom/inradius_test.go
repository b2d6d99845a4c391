// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func TestInradius(t *testing.T) {
	for name, c := range map[string]struct {
		shape geom.Shape
		want  float64
	}{
		"a disc":     {geom.NewDisc(geom.Vec{X: 1}, 0.2, 1), 0.2},
		"a box":      {geom.NewBox(geom.Vec{X: 1}, geom.Vec{X: 0.4, Y: 0.1}, 0.7, 1), 0.05},
		"a high box": {geom.NewBox(geom.Vec{}, geom.Vec{X: 0.2, Y: 0.6}, 0, 1), 0.1},
	} {
		if got := c.shape.Inradius(); got != c.want {
			t.Errorf("%s: %g m, not %g", name, got, c.want)
		}
	}
}
