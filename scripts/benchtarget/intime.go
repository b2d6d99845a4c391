// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/targetlevel"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// errEnded is returned when the program under test ends too early.
var errEnded = errors.New("benchtarget: the program has ended")

// span is the simulated time that is counted, after the time warmUp.
const span, warmUp = 10 * time.Second, 5 * time.Second

// inTime counts what the release's program executes on a simulated robot whose time advances with the program's
// instructions: wake-ups do not depend on the load of this machine. The count is per control cycle.
func (t tools) inTime(ctx context.Context, p armcost.Parameters) (count, error) {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		return count{}, err
	}
	// All parts are present: the driver searches for missing ones again and again.
	if err := w.Refit(sim.Equipment{Magnetometer: "bmm150"}); err != nil {
		return count{}, err
	}
	w.Robots[0].Level = world.LevelTarget
	env := t.environment()
	said := &output{}
	c, err := targetlevel.New(ctx, targetlevel.Config{World: w, Seed: 1, Parameters: p, Programs: func(string) []machine.Program {
		return []machine.Program{{
			Args: []string{t.release, "run", "--web=off", "--ros-args", "-p", "i2c_bus:=12"}, Env: env, Out: said, Err: said, Slack: t.service.slack,
		}}
	}})
	if err != nil {
		return count{}, err
	}
	defer func() { _ = c.Close() }()
	if err := c.Advance(ctx, c.Age()+warmUp); err != nil {
		return count{}, err
	}
	before := c.Report()[0]
	if err := c.Advance(ctx, c.Age()+span); err != nil {
		return count{}, err
	}
	after := c.Report()[0]
	if after.Programs[0].Ended {
		return count{}, fmt.Errorf("%w\n%s", errEnded, said)
	}
	cycles := float64(after.Control.Made - before.Control.Made)
	return count{cycles, after.Programs[0].Counts.Minus(before.Programs[0].Counts)}, nil
}

// output stores the output of a program. It is safe for concurrent use.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (w *output) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

// String returns the output so far.
func (w *output) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
