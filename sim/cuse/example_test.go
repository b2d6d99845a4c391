// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/cuse"
)

// A simulated robot's bus becomes /dev/i2c-112 of this machine, where there is a way to make it.
func Example() {
	world, err := sim.LoadWorld("arena")
	if err != nil {
		fmt.Println(err)
		return
	}
	simulation, err := sim.New(world, sim.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := cuse.Open(cuse.Config{Number: 112, Bus: sim.RobotsOf[*sim.Firmware](simulation)[0].Bus()})
	switch {
	case errors.Is(err, cuse.ErrUnavailable): // not root, or the kernel module cuse is not loaded: err says which
	case err != nil:
		fmt.Println(err)
		return
	default:
		defer func() { _ = device.Close() }() // the device file vanishes
	}
	fmt.Println("any program may now open it")
	// Output: any program may now open it
}
