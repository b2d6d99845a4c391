// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Islands without robots of the firmware level move once an infrared cycle and make no physics step in between.
func TestOnlyIslandsWithFirmwareMakePhysicsSteps(t *testing.T) {
	w, err := ParseWorld([]byte(`robots:
  - {name: a, level: functional, position: [0, 0]}
  - {name: b, level: functional, position: [0, 0.1]}
  - {name: c, level: functional, position: [2, 0]}
  - {name: d, level: firmware, position: [2, 0.1]}
  - {name: e, level: firmware, position: [4, 0]}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(w, Options{Now: NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	s.muster()
	var got []bool
	for i := range s.islands.list {
		island := &s.islands.list[i]
		got = append(got, island.timings[eachStep])
		var want []plant
		for _, m := range s.islands.members(i) {
			if s.units[m].timing == eachStep {
				want = append(want, s.units[m].plant)
			}
		}
		if stepped := s.islands.stepped(island); !slices.Equal(stepped, want) {
			t.Errorf("island %d: %d robots move in each step, want %d", i, len(stepped), len(want))
		}
	}
	if len(got) != 3 || got[0] || !got[1] || !got[2] {
		t.Errorf("islands with firmware: %v, want [false true true]", got)
	}
}

// The islands of a dense world, found anew for each few cycles, leave out none that a robot meets.
func TestDenseIslandsKnowAllThatMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "robots")
		side := math.Sqrt(float64(n)/rapid.Float64Range(20, 70).Draw(t, "density")) + 0.1
		s, clock := pack(t, n, side, rapid.SliceOfN(rapid.SampledFrom([]int{1, 4, 10, 15}), 1, 3).Draw(t, "periods"))
		for range rapid.IntRange(1, 20).Draw(t, "looks") {
			clock.Sleep(time.Duration(rapid.IntRange(1, 300).Draw(t, "ms")) * time.Millisecond)
			s.Elapsed()
			if s.islands.until < s.steps {
				continue // they are found when they are needed
			}
			for _, u := range s.units {
				for _, o := range s.units {
					apart := o.position().Sub(u.position()).Norm()
					if o != u && apart < 2*physics.BodyRadius+cycleWay && !slices.Contains(u.meets, int32(o.place)) {
						t.Fatalf("%s does not know %s, %g m away", u.name, o.name, apart)
					}
				}
			}
		}
	})
}
