// SPDX-License-Identifier: Apache-2.0

package sim

// jobs are the operations on single units, robots or islands, by index (think: index in the islands' store). They are
// created once, so that a step does not allocate.
type jobs struct {
	until                                              int64 // of move
	move, approach, meet, sample, sense, think, listen func(i int)
}

func (s *Simulation) newJobs() jobs {
	return jobs{
		move:     func(i int) { s.moveIsland(i, s.steps, s.jobs.until) },
		approach: func(i int) { s.units[i].approach() },
		meet:     func(i int) { s.units[i].meet() },
		sample:   func(i int) { s.stepped[i].sampleSensors(s.cycle) },
		sense:    func(i int) { s.stepped[i].sense() },
		think:    func(i int) { s.units[s.islands.store[i]].plant.think() },
		listen: func(i int) {
			if u := s.units[i]; u.rab.listens {
				u.hear()
			}
		},
	}
}
