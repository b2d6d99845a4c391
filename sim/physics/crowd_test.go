// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// bodies draws positions in a field, some of them not there, and the crowd of them.
func bodies(t *rapid.T) ([]geom.Vec, []bool, *physics.Crowd) {
	side := rapid.Float64Range(0.2, 20).Draw(t, "side")
	coordinate := rapid.Float64Range(-side, side)
	at := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) geom.Vec {
		return geom.Vec{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
	}), 0, 60).Draw(t, "at")
	there := make([]bool, len(at))
	for i := range there {
		there[i] = rapid.IntRange(0, 9).Draw(t, "there") > 0
	}
	c := new(physics.Crowd)
	if rapid.Bool().Draw(t, "for far questions") {
		*c = physics.CrowdFor(rapid.Float64Range(0, 3).Draw(t, "for"))
	}
	for range rapid.IntRange(1, 2).Draw(t, "sorts") { // the second one in used memory
		c.Sort(len(at), func(i int) (geom.Vec, bool) { return at[i], there[i] })
	}
	return at, there, c
}

// moved draws how far bodies went since the crowd was sorted.
func moved(t *rapid.T, at []geom.Vec) {
	for i := range at {
		way := geom.Direction(rapid.Float64Range(-3, 3).Draw(t, "way"))
		at[i] = at[i].Add(way.Scale(rapid.Float64Range(0, physics.CrowdSlack*0.999).Draw(t, "far")))
	}
}

// A crowd names every body that is near, each once, in their order.
func TestCrowdAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, there, c := bodies(t)
		moved(t, at)
		p := geom.Vec{X: rapid.Float64Range(-20, 20).Draw(t, "px"), Y: rapid.Float64Range(-20, 20).Draw(t, "py")}
		if len(at) > 0 && rapid.Bool().Draw(t, "next to one") {
			p = at[0]
		}
		reach := rapid.Float64Range(0.01, 2).Draw(t, "reach")
		got := c.Around(p, reach, []int32{77})
		if got[0] != 77 {
			t.Fatal("what was in the slice is gone")
		}
		complete(t, got[1:], at, there, func(q geom.Vec) bool { return q.Sub(p).Norm() <= reach })
	})
}

func TestCrowdAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, there, c := bodies(t)
		moved(t, at)
		v := rapid.Float64Range(-3, 3)
		from := geom.Vec{X: v.Draw(t, "x"), Y: v.Draw(t, "y")}
		to := geom.Vec{X: v.Draw(t, "x"), Y: v.Draw(t, "y")}
		if rapid.Bool().Draw(t, "point") {
			to = from
		}
		reach := rapid.Float64Range(0.01, 0.5).Draw(t, "reach")
		complete(t, c.Along(from, to, reach, nil), at, there, func(q geom.Vec) bool {
			way, r := to.Sub(from), q.Sub(from)
			if n := way.Dot(way); n > 0 {
				r = r.Sub(way.Scale(max(0, min(1, r.Dot(way)/n))))
			}
			return r.Norm() <= reach
		})
	})
}

// complete checks an answer of a crowd.
func complete(t *rapid.T, got []int32, at []geom.Vec, there []bool, near func(geom.Vec) bool) {
	if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Fatalf("not in order or twice: %v", got)
	}
	for i, q := range at {
		found := slices.Contains(got, int32(i))
		if near(q) && there[i] && !found {
			t.Fatalf("body %d at %v is left out of %v", i, q, got)
		}
		if found && !there[i] {
			t.Fatalf("body %d is not there", i)
		}
	}
}

// Asking costs no memory, and sorting none once there is enough.
func TestCrowdDoesNotAllocate(t *testing.T) {
	at := make([]geom.Vec, 500)
	for i := range at {
		at[i] = geom.Vec{X: float64(i%25) * 0.2, Y: float64(i/25) * 0.2}
	}
	c := new(physics.Crowd)
	where := func(i int) (geom.Vec, bool) { return at[i], true }
	c.Sort(len(at), where)
	list := make([]int32, 0, 500)
	if n := testing.AllocsPerRun(100, func() {
		c.Sort(len(at), where)
		list = c.Around(at[260], 0.3, list[:0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(list) == 0 || len(list) > 30 {
		t.Errorf("%d bodies around one in the middle", len(list))
	}
}
