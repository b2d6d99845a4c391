// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"log"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/swarm/fleet"
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
	clock := sim.NewClock() // or a fleet.Pace, whose Run lets time pass
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
