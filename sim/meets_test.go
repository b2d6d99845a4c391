// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Islands without robots of the firmware level move once an infrared cycle and make no physics step in between.
func TestAllThatMeetInTheNextCyclesAreKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "robots")
		side := math.Sqrt(float64(n)/rapid.Float64Range(20, 70).Draw(t, "density")) + 0.1
		s, clock := pack(t, n, side, rapid.SliceOfN(rapid.SampledFrom([]int{1, 4, 10, 15}), 1, 3).Draw(t, "periods"))
		for range rapid.IntRange(1, 20).Draw(t, "looks") {
			clock.Sleep(time.Duration(rapid.IntRange(1, 300).Draw(t, "ms")) * time.Millisecond)
			s.Elapsed()
			s.muster()
			meets := make([][]int32, n)
			for i, u := range s.units {
				meets[i] = slices.Clone(u.meet())
			}
			clock.Sleep(time.Duration(rapid.Int64Range(0, s.maxStep).Draw(t, "cycles")) * vmcu.SamplePeriod)
			s.Elapsed()
			for i, u := range s.units {
				for _, o := range s.units {
					apart := o.position().Sub(u.position()).Norm()
					if o != u && apart < 2*physics.BodyRadius+cycleWay && !slices.Contains(meets[i], int32(o.place)) {
						t.Fatalf("%s does not know %s, %g m away", u.name, o.name, apart)
					}
				}
			}
		}
	})
}
