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

// A program that wants more than the statistics looks at the world after each control period, and afterwards.
func ExampleRun_Watch() {
	w, err := sim.LoadWorld("plane")
	if err != nil {
		log.Fatal(err)
	}
	w.Robots[0].Level = world.LevelFunctional
	run, err := swarm.New(w, swarm.Config{Seed: 1, Controller: func(string) swarm.Controller { return spinner{2} }})
	if err != nil {
		log.Fatal(err)
	}
	looks := 0
	run.Watch(func(age time.Duration, s *sim.Simulation) {
		if looks++; age == time.Second {
			fmt.Println("after a second:", len(s.Robots()), "robot")
		}
	})
	if err := run.Advance(context.Background(), 2*time.Second); err != nil {
		log.Fatal(err)
	}
	fmt.Println(looks, "looks,", run.Simulation().Elapsed(), "simulated")
	// Output:
	// after a second: 1 robot
	// 20 looks, 2s simulated
}
