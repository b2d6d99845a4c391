// SPDX-License-Identifier: Apache-2.0

package swarm_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// spinner is a swarm of one's own: a controller is one method.
type spinner struct{ speed float64 }

// Step implements swarm.Controller.
func (s spinner) Step(r swarm.Robot) {
	if p := r.Proximity(); p[0]+p[7] > 200 {
		s.speed = -s.speed
	}
	r.SetWheels(s.speed, -s.speed)
}

// A hundred robots turn on the spot for a minute, which takes a few milliseconds.
func Example() {
	w, err := sim.LoadWorld("plane")
	if err != nil {
		log.Fatal(err)
	}
	w.Robots[0].Level = world.LevelFunctional
	if err := sim.Distribute(w, 100, sim.Grid, 1); err != nil {
		log.Fatal(err)
	}
	run, err := swarm.New(w, swarm.Config{Seed: 1, Controller: func(string) swarm.Controller { return spinner{2} }})
	if err != nil {
		log.Fatal(err)
	}
	if err := run.Advance(context.Background(), time.Minute); err != nil {
		log.Fatal(err)
	}
	s := run.Statistics()
	fmt.Printf("%d robots, %v, %d collisions\n", s.Robots, s.Time, s.Collisions)
	// Output: 100 robots, 1m0s, 0 collisions
}
