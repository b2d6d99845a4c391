// SPDX-License-Identifier: Apache-2.0

package wifi_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/cosim/wifi"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// A robot at a port of its own. Run serves it.
func ExampleNew() {
	w, err := sim.LoadWorld("plane")
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Robots[0].Level = world.LevelFunctional
	s, err := sim.New(w, sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := wifi.New(wifi.Config{Simulation: s, Address: "127.0.0.1:0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range server.Robots() {
		fmt.Println(r.Name, r.Addr.Network())
	}
	fmt.Println(server.Close())
	// Output:
	// epuck tcp
	// <nil>
}
