// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"log"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robots that come into a running world join the network, and those that leave it go.
func ExampleFleet_Follow() {
	w, err := sim.LoadWorld("plane")
	if err != nil {
		log.Fatal(err)
	}
	w.Robots[0].Level = world.LevelFunctional
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now})
	if err != nil {
		log.Fatal(err)
	}
	transport := ros2test.NewNetwork().NewTransport()
	robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}})
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range []func() error{
		func() error {
			extra := w.Robots[0]
			extra.Name, extra.Position = "extra", world.Point{0.3, 0}
			_, err := s.Spawn(extra)
			return err
		},
		func() error { return s.Remove("extra") },
	} {
		if err := change(); err != nil {
			log.Fatal(err)
		}
		if err := robots.Follow(); err != nil {
			log.Fatal(err)
		}
		fmt.Println(robots.Len(), "on the network")
	}
	if err := robots.Close(); err != nil {
		log.Fatal(err)
	}
	if err := transport.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 on the network
	// 1 on the network
}
