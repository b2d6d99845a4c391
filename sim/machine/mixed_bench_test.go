// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// BenchmarkStoppedRobots measures a cycle of 100 functional e-pucks that drive among stopped articulated robots.
func BenchmarkStoppedRobots(b *testing.B) {
	for _, n := range []int{0, 800} {
		b.Run(fmt.Sprintf("turtlebots=%d", n), func(b *testing.B) {
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
			for b.Loop() {
				r.pass(10 * time.Millisecond)
			}
		})
	}
}
