// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// BenchmarkAmongRobots measures a cycle of 100 functional e-pucks that drive among articulated robots, which are at
// rest or drive. Those that drive cost their own motion: its share is reported for each.
func BenchmarkAmongRobots(b *testing.B) {
	for _, c := range []struct {
		n     int
		speed float64 // of the wheels, rad/s
	}{{0, 0}, {800, 0}, {800, 2}} {
		n := c.n
		b.Run(fmt.Sprintf("turtlebots=%d/speed=%g", n, c.speed), func(b *testing.B) {
			var text strings.Builder
			text.WriteString("robots:\n")
			for i := range 100 {
				fmt.Fprintf(&text, "  - {name: e%d, level: functional, position: [%d, %d]}\n", i, i%10, i/10-20)
			}
			for i := range n {
				text.WriteString(robotAt(fmt.Sprint("t", i), "turtlebot3_burger", float64(i%40), float64(i/40), 0))
			}
			r := newRig(b, text.String(), func(o *sim.Options) { o.Trace, o.Workers = false, 1 })
			for _, a := range sim.RobotsOf[*sim.Functional](r.sim) {
				a.Do(func(c *sim.Control) { c.SetWheels(2, 3) })
			}
			for i, a := range sim.RobotsOf[*sim.Articulated](r.sim) {
				if c.speed == 0 {
					break
				}
				driven(b, a, c.speed*1000/(2*math.Pi), float64(c.speed*float64(2+i%3)/3)*1000/(2*math.Pi))
			}
			for b.Loop() {
				r.pass(10 * time.Millisecond)
			}
			if n > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/turtlebot")
			}
		})
	}
}
