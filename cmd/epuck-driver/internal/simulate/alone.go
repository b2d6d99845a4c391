// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/swarm/fleet"
)

// clockPeriod is how often /clock may be told, of the machine's time.
const clockPeriod = 10 * time.Millisecond

// aloneTime is the time of a world of one robot and its driver: the machine's, until a viewer lets it stand or go at
// another speed.
type aloneTime struct {
	pace  *fleet.Pace
	world *sim.Simulation
}

// newAloneTime makes a world and its time.
func newAloneTime(w *sim.World, seed uint64) (*aloneTime, error) {
	t := &aloneTime{pace: fleet.NewRealTime()}
	var err error
	t.world, err = sim.New(w, sim.Options{Seed: seed, Now: t.pace.Now, Sleep: t.pace.Sleep, Wait: t.pace.Wait, Trace: true})
	return t, err
}

// Clock is what the robot's nodes go by.
func (t *aloneTime) Clock() ros2.Clock { return t.pace }

// Pass lets time pass until ctx ends. Then it goes on even if a viewer had stopped it: the driver stops its wheels. end
// waits for that.
func (t *aloneTime) Pass(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var group task.Group
	group.Go("simulated time", func() { t.pace.Run(ctx, func() { t.world.Elapsed() }) })
	return func() {
		cancel()
		group.Wait()
	}
}

// hostAlone offers what can be changed in the world: where the robot stands, things, and time, which /clock tells,
// unless it is the machine's.
func (o *simOptions) hostAlone(n *ros2.Node, s *sim.Simulation, t *aloneTime) (stop func() error, err error) {
	cfg := fleet.HostConfig{Node: n, Simulation: s, World: o.world, Version: int(o.standard)}
	if t == nil {
		cfg.Held = "Time is the machine's, as other programs are on the robot's bus: no pause, step and speed here."
		h, err := fleet.NewHost(cfg)
		if err != nil {
			return nil, err
		}
		return h.Close, nil
	}
	cfg.Pace = t.pace
	h, err := fleet.NewHost(cfg)
	if err != nil {
		return nil, err
	}
	teller, err := fleet.NewTeller(n, t.pace, s)
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	telling, cancel := context.WithCancel(context.Background())
	var group task.Group
	group.Go("time for others", func() { tellTime(telling, teller) })
	return func() error {
		cancel()
		group.Wait()
		return errors.Join(h.Close(), teller.Close())
	}, nil
}

// tellTime tells the time until ctx ends.
func tellTime(ctx context.Context, t *fleet.Teller) {
	tick := time.NewTicker(clockPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			t.Tick()
		}
	}
}
