// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// Removing what does not exist: the errors distinguish robots and persons.
func ExampleSimulation_Remove() {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sim.New(w, sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(errors.Is(s.Remove("nosuch"), sim.ErrNoRobot))
	fmt.Println(errors.Is(s.Dismiss("nosuch"), sim.ErrNoPerson))
	// Output:
	// true
	// true
}
