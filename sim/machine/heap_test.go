// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// heap drives so many robots of a kind into each other for 30 s, in steps of an automaton that turns back at times, and
// returns the collisions of each.
func heap(t *testing.T, kind string, n int) (collisions []uint64) {
	t.Helper()
	text := "arena: {size: [0.8, 0.8]}\nrobots:\n"
	for i := range n {
		at := 2 * math.Pi * float64(i) / float64(n)
		text += fmt.Sprintf("  - {name: r%d, %s, position: [%.4f, %.4f], yaw: %.4f}\n", i, kind, 0.25*math.Cos(at), 0.25*math.Sin(at), math.Remainder(at+3+0.1*float64(i), 2*math.Pi))
	}
	r := newRig(t, text)
	for k := range 30 {
		for i, robot := range r.sim.Robots() {
			left, right := float64(400+60*((i+k)%4)), float64(500-50*((i*3+k)%3))
			if (i+k)%5 == 4 {
				left, right = -left, -right/2
			}
			driven(t, robot, left, right)
		}
		r.pass(time.Second)
	}
	for _, robot := range r.sim.Robots() {
		collisions = append(collisions, robot.GroundTruth().Collisions)
	}
	return collisions
}

// TestCollisionsOfAHeap: the three levels count the collisions of one and of two robots exactly alike, and those of more
// so far as their movements are alike: the firmware's bodies move in steps of 1 ms and the others of 10 ms, and who of
// several robots that touch at once comes first changes what follows.
func TestCollisionsOfAHeap(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8} {
		want := heap(t, levels()["functional"], n)
		for level, kind := range levels() {
			got := heap(t, kind, n)
			if n <= 2 && !slices.Equal(got, want) {
				t.Errorf("%d robots, %s: %v, functional %v", n, level, got, want)
			}
			sum, all := 0.0, 0.0
			for i := range got {
				sum, all = sum+float64(got[i]), all+float64(want[i])
				near(t, fmt.Sprintf("%d robots, %s: collisions of robot %d", n, level, i), float64(got[i]), float64(want[i]), 5)
			}
			near(t, fmt.Sprintf("%d robots, %s: all collisions", n, level), sum, all, 1+0.2*all)
		}
	}
}
