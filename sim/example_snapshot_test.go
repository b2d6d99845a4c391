// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bytes"
	"fmt"
	"log"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// A world continues from a snapshot as if it had not been interrupted.
func ExampleRestore() {
	w, err := sim.LoadWorld("arena")
	if err != nil {
		log.Fatal(err)
	}
	clock := sim.NewClock()
	first, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Sleep: clock.Sleep, Settled: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := sim.RobotsOf[*sim.Firmware](first)[0].Bus().Tx(0x1F, command(500, 500), make([]byte, 47)); err != nil {
		log.Fatal(err)
	}
	clock.Sleep(time.Second)
	var snapshot bytes.Buffer
	if err := first.Snapshot(&snapshot); err != nil {
		log.Fatal(err)
	}
	second, err := sim.Restore(&snapshot, sim.Options{Now: clock.Now, Sleep: clock.Sleep}, nil)
	if err != nil {
		log.Fatal(err)
	}
	clock.Sleep(time.Second)
	fmt.Println(sim.RobotsOf[*sim.Firmware](first)[0].Pose() == sim.RobotsOf[*sim.Firmware](second)[0].Pose(), second.Elapsed() == first.Elapsed())
	// Output: true true
}
