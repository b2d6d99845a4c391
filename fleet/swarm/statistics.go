// SPDX-License-Identifier: Apache-2.0

package swarm

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

const (
	// observation is the sampling period of the statistics.
	observation = time.Second
	// cell is the side of the squares that coverage counts, m.
	cell = 0.1
)

// Statistics summarizes a run.
type Statistics struct {
	// Robots is the number of robots, Time the age of the world.
	Robots int
	Time   time.Duration
	// Collisions is the number of contacts of robots with other objects that have begun.
	Collisions uint64
	// Covered is the area of all squares of 0.1 m that a robot's centre was in, m².
	Covered float64
	// Spread is the root mean square distance of the robots from their centroid, m.
	Spread float64
	// Clusters is the number of groups in which each robot is within 0.25 m of another one, Largest the share of the
	// robots in the largest of them.
	Clusters int
	Largest  float64
	// Way is the mean path length of a robot, m, from its positions once a second.
	Way float64
}

// observe adds the current state to the statistics.
func (r *Run) observe() {
	members := r.sim.Robots()
	at := make([]sim.Pose, len(members))
	s := &r.stats
	for i, m := range members {
		t := m.GroundTruth()
		at[i] = t.Pose
		s.Time = t.Time
		s.Collisions += t.Collisions - r.bumps[m.Name()]
		r.bumps[m.Name()] = t.Collisions
		r.cells[[2]int32{int32(math.Floor(at[i].X / cell)), int32(math.Floor(at[i].Y / cell))}] = struct{}{}
	}
	if len(at) == len(r.last) {
		for i := range at {
			s.Way += math.Hypot(at[i].X-r.last[i].X, at[i].Y-r.last[i].Y) / float64(len(at))
		}
	}
	r.last = at
}

// Statistics returns the statistics of the run so far. Values of the current state, which are not sums, are computed
// only here.
func (r *Run) Statistics() Statistics {
	r.observe()
	s := &r.stats
	s.Robots = len(r.last)
	s.Covered = float64(len(r.cells)) * cell * cell
	s.Spread = spread(r.last)
	s.Clusters, s.Largest = clusters(r.last)
	return *s
}

func spread(at []sim.Pose) float64 {
	if len(at) == 0 {
		return 0
	}
	x, y, n := 0.0, 0.0, float64(len(at))
	for _, p := range at {
		x += p.X / n
		y += p.Y / n
	}
	sum := 0.0
	for _, p := range at {
		sum += (float64((p.X-x)*(p.X-x)) + float64((p.Y-y)*(p.Y-y))) / n // no fused multiply-add: portable result
	}
	return math.Sqrt(sum)
}

// reach is the maximum distance between neighbours of a cluster, m.
const reach = 0.25

// clusters returns the number of clusters of robots, and the share of the robots in the largest one.
func clusters(at []sim.Pose) (n int, largest float64) {
	grid := make(map[[2]int32][]int)
	key := func(p sim.Pose) [2]int32 {
		return [2]int32{int32(math.Floor(p.X / reach)), int32(math.Floor(p.Y / reach))}
	}
	for i, p := range at {
		grid[key(p)] = append(grid[key(p)], i)
	}
	seen := make([]bool, len(at))
	for i := range at {
		if seen[i] {
			continue
		}
		n++
		seen[i] = true
		group := []int{i}
		for k := 0; k < len(group); k++ {
			p := at[group[k]]
			c := key(p)
			for dy := int32(-1); dy <= 1; dy++ {
				for dx := int32(-1); dx <= 1; dx++ {
					for _, j := range grid[[2]int32{c[0] + dx, c[1] + dy}] {
						if !seen[j] && math.Hypot(at[j].X-p.X, at[j].Y-p.Y) <= reach {
							seen[j] = true
							group = append(group, j)
						}
					}
				}
			}
		}
		largest = max(largest, float64(len(group))/float64(len(at)))
	}
	return n, largest
}
