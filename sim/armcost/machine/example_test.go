// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
)

// A program for ARMv6 runs for ten simulated seconds, and says what it took of the core.
func ExampleRack() {
	run := func(ctx context.Context, plugin, program string, p armcost.Parameters) error {
		rack := machine.NewRack(time.Now(), 1)
		defer func() { _ = rack.Close() }()
		m, err := rack.Add(machine.Config{Plugin: plugin, Parameters: p})
		if err != nil {
			return err
		}
		if err := m.Start(machine.Program{Args: []string{program}, Out: os.Stdout}); err != nil {
			return err
		}
		if err := rack.Advance(ctx, 10*time.Second); err != nil {
			return err
		}
		for _, s := range m.Status() {
			fmt.Println(s.Name, p.Of(s.Counts).Share(10))
		}
		return nil
	}
	_ = run // it needs qemu-arm and the plugin that target.BuildPlugin makes
}
