// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/swarm/onboard"
	"github.com/epuck-ros2/epuck-driver/target"
	"github.com/epuck-ros2/epuck-driver/target/machine"
)

// errSilent is returned when the program's topics are not heard in simulated time.
var errSilent = errors.New("benchtarget: the topics of the program are not heard")

const (
	// span is the simulated time that counts, after a while of warming up.
	span, warmUp = 10 * time.Second, 5 * time.Second
	// limit is how long all topics may take to be heard, of simulated time.
	limit = 60 * time.Second
	// topics is how many of them must be heard: the camera's, and those that are told when they change, need not be.
	topics = 30
)

// inTime counts what the release's program does on a simulated robot in time that its own instructions make: how often
// it wakes up, and what comes together, does not depend on what else this computer does. With listens a second robot's
// computer subscribes to all topics. The count is of control cycles.
func (t tools) inTime(ctx context.Context, p target.Parameters, listens bool) (count, error) {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		return count{}, err
	}
	robots := 1
	if listens {
		robots = 2
	}
	if err := errors.Join(sim.Distribute(w, robots, sim.Grid, 1), w.Refit(sim.Outfit{Magnetometer: "bmm150"})); err != nil {
		return count{}, err
	}
	for i := range w.Robots {
		w.Robots[i].Level = world.LevelTarget
	}
	silence, end, err := os.Pipe() // the listener listens as long as it can read
	if err != nil {
		return count{}, err
	}
	defer func() { _, _ = silence.Close(), end.Close() }()
	env := append(os.Environ(), network...)
	said, heard := &words{}, &words{}
	c, err := onboard.New(ctx, onboard.Config{World: w, Seed: 1, Parameters: p, Workers: 2, Programs: func(robot string) []machine.Program {
		if robot != w.Robots[0].Name {
			return []machine.Program{{Args: []string{t.robot}, Env: append(env, "EPUCK_TEST_LISTENER=1"), In: silence, Out: heard, Err: said}}
		}
		return []machine.Program{{
			Args: []string{t.release, "run", "--web=off", "--ros-args", "-p", "i2c_bus:=12"}, Env: env, Out: said, Err: said, Slack: t.slack,
		}}
	}})
	if err != nil {
		return count{}, err
	}
	defer func() { _ = c.Close() }()
	for listens && heard.lines() < topics {
		if err := c.Advance(ctx, c.Age()+time.Second); err != nil {
			return count{}, err
		}
		if c.Age() > limit {
			return count{}, fmt.Errorf("%w: %d after %v\n%s\n%s", errSilent, heard.lines(), c.Age(), said, heard)
		}
	}
	if err := c.Advance(ctx, c.Age()+warmUp); err != nil {
		return count{}, err
	}
	before := c.Report()[0]
	if err := c.Advance(ctx, c.Age()+span); err != nil {
		return count{}, err
	}
	after := c.Report()[0]
	if after.Programs[0].Ended {
		return count{}, fmt.Errorf("%w: it has ended\n%s", errSilent, said)
	}
	cycles := float64(after.Control.Made - before.Control.Made)
	return count{cycles, after.Programs[0].Counts.Minus(before.Programs[0].Counts)}, nil
}

// words keeps what a program writes. It is safe for concurrent use.
type words struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (w *words) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *words) lines() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Count(w.text.Bytes(), []byte("\n"))
}

// String returns all of it.
func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
