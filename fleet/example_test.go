// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Three robots in a world become three nodes on a network.
func Example() {
	w, err := sim.LoadWorld("swarm")
	if err != nil {
		log.Fatal(err)
	}
	for i := range w.Robots {
		w.Robots[i].Level = world.LevelFunctional
	}
	clock := sim.NewClock() // or a simclock.Clock, which Fleet.Run advances
	s, err := sim.New(w, sim.Options{Now: clock.Now})
	if err != nil {
		log.Fatal(err)
	}
	transport := ros2test.NewNetwork().NewTransport() // or one of package ros2/rmw
	robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range transport.Graph().Nodes {
		fmt.Println(n.Namespace, n.Name)
	}
	if err := robots.Close(); err != nil {
		log.Fatal(err)
	}
	if err := transport.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// /epuck1 epuck_driver
	// /epuck2 epuck_driver
	// /epuck3 epuck_driver
}

// A robot lives for ten simulated seconds, as fast as the machine can.
func ExampleFleet_Run() {
	w, err := sim.LoadWorld("plane")
	if err != nil {
		log.Fatal(err)
	}
	w.Robots[0].Level = world.LevelFunctional
	clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: math.Inf(1)})
	if err != nil {
		log.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: clock.Now, Wait: clock.Wait, MaxCatchUp: -1})
	if err != nil {
		log.Fatal(err)
	}
	transport := ros2test.NewNetwork().NewTransport()
	robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	timer := clock.NewTimer(10 * time.Second)
	go func() {
		<-timer.C()
		end()
		timer.Stop()
	}()
	if err := robots.Run(ctx, clock); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the world is", s.Elapsed(), "old")
	clock.Release()
	if err := robots.Close(); err != nil {
		log.Fatal(err)
	}
	if err := transport.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// the world is 10s old
}
