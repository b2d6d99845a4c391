// SPDX-License-Identifier: Apache-2.0

package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

// BenchmarkStep is a step of robots of which each pushes a puck.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("robots=%d", n), func(b *testing.B) {
			side := int(math.Ceil(math.Sqrt(float64(n))))
			var bodies []*rigid.Body
			for i := range n {
				x, y := float64(i%side)*0.6, float64(i/side)*0.2
				bodies = append(bodies, robot(x, y, 0.1, 0), disc(x+0.0551, y+0.002, 0.02, 0.02, 0.3))
			}
			var s rigid.Solver
			var none rigid.Fixed = fixtures{}
			b.ReportAllocs()
			worst := 0.0
			for i := 0; b.Loop(); i++ {
				s.Step(bodies, none, dt)
				if i%50 == 0 {
					for k := 0; k < len(bodies); k += 2 {
						away := bodies[k].Shape.Center().Sub(bodies[k+1].Shape.Center()).Norm()
						worst = max(worst, bodies[k].Shape.Reach()+bodies[k+1].Shape.Reach()-away)
					}
				}
			}
			b.ReportMetric(1000*worst, "mm-overlap")
			_ = geom.Vec{}
		})
	}
}
