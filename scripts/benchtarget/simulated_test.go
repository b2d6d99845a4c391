// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// charged is a simulated robot of level firmware that is charged by the cost table, and a user of it.
type charged struct {
	t     *testing.T
	clock *sim.Clock
	fleet *fleet.Fleet
	core  *core.Core
	own   ros2.Transport // of the robot's nodes
	user  *ros2.Node
}

func newCharged(t *testing.T) *charged {
	t.Helper()
	w, err := sim.LoadWorld("arena")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Refit(sim.Equipment{Magnetometer: "bmm150"}); err != nil { // as the counted robot
		t.Fatal(err)
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	c := &charged{t: t, clock: sim.NewClock()}
	s, err := sim.New(w, sim.Options{Seed: 1, Now: c.clock.Now, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	prices, err := core.PricesOf(world.Cost{Table: true}, p.Parameters["core"].Interval)
	if err != nil {
		t.Fatal(err)
	}
	if c.core, err = core.New(core.Config{Robot: "r", Prices: prices, Parameters: p, Now: c.clock.Now}); err != nil {
		t.Fatal(err)
	}
	network := ros2test.NewNetwork()
	transport, outside := network.NewTransport(), network.NewTransport()
	c.own = c.core.On(transport)
	c.fleet, err = fleet.New(fleet.Config{
		Simulation: s, Transport: transport, Clock: simulated{ros2.SystemClock(), c.clock},
		Core: func(sim.Robot) (*core.Core, error) { return c.core, nil },
		Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
			return driver.Config{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}, func() error { return nil }, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.fleet.Close(); err != nil {
			t.Error(err)
		}
		_, _ = outside.Close(), transport.Close()
	})
	if c.user, err = ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: outside}); err != nil {
		t.Fatal(err)
	}
	return c
}

// simulated is the world's clock for nodes. Its timers are the machine's; lockstep does not use them.
type simulated struct {
	ros2.Clock
	world *sim.Clock
}

func (s simulated) Now() time.Time { return s.world.Now() }

// cycle advances the world by 50 ms.
func (c *charged) cycle() {
	c.t.Helper()
	for range 5 {
		c.clock.Sleep(10 * time.Millisecond)
		if err := c.fleet.Step(); err != nil {
			c.t.Fatal(err)
		}
	}
}

// share returns the turns' share of the core, after some idle cycles.
func (c *charged) share(turns int, turn func(i int)) float64 {
	for range 60 {
		c.cycle()
	}
	before := c.core.Report()
	for i := range turns {
		turn(i)
		c.cycle()
	}
	after := c.core.Report()
	return (after.Share.Likely*after.For.Seconds() - before.Share.Likely*before.For.Seconds()) / (after.For - before.For).Seconds()
}

// subscribeAll subscribes the user to all topics except pictures.
func (c *charged) subscribeAll() {
	c.t.Helper()
	for _, row := range table.Topics() {
		for _, name := range row.Names() {
			if row.Direction != table.Published {
				continue
			}
			if name[0] != '/' {
				name = "/epuck/" + name
			}
			if _, err := c.user.Transport().NewReader(ros2.ReaderConfig{
				EndpointConfig: ros2.EndpointConfig{Node: c.user.Name(), Topic: name, Type: row.Type, QoS: row.QoS},
				OnSample:       func(ros2.Sample) {},
			}); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

// sendPictures returns a function that publishes a picture of 20 kB as the robot.
func (c *charged) sendPictures() func() {
	c.t.Helper()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "pictures", Transport: c.own})
	if err != nil {
		c.t.Fatal(err)
	}
	p, err := ros2.NewPublisher[sensor_msgs.CompressedImage](node, "picture", ros2.DefaultQoS())
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := ros2.NewSubscription(c.user, "picture", ros2.DefaultQoS(), func(*sensor_msgs.CompressedImage, ros2.MessageInfo) {}); err != nil {
		c.t.Fatal(err)
	}
	m := &sensor_msgs.CompressedImage{Format: "jpeg", Data: make([]byte, 20_000)}
	return func() {
		if err := p.Publish(m); err != nil {
			c.t.Fatal(err)
		}
	}
}

// setParameter returns a function that requests the driver to set a parameter, which responds in the next cycle, and
// one that waits for all responses but the last, which may be missing at the end of the episode.
func (c *charged) setParameter() (ask, answered func()) {
	c.t.Helper()
	client, err := ros2.NewClient(c.user, rcl_interfaces.SetParameters{}, "/epuck/"+driver.NodeName+"/set_parameters")
	if err != nil {
		c.t.Fatal(err)
	}
	request := &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{{
		Name: table.ParamTimeout, Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 0.4},
	}}}
	var asked atomic.Int64
	answers := make(chan struct{}, 1000)
	ask = func() {
		number := asked.Add(1)
		err := client.Then(request, func(answer *rcl_interfaces.SetParametersResponse, err error) {
			if errors.Is(err, ros2.ErrNoServer) && number == asked.Load() {
				return
			}
			if err != nil || len(answer.Results) != 1 || !answer.Results[0].Successful {
				c.t.Errorf("request %d of %d: %v, %v", number, asked.Load(), answer, err)
			}
			answers <- struct{}{}
		})
		if err != nil {
			c.t.Fatal(err)
		}
	}
	return ask, func() {
		c.t.Helper()
		for i := int64(1); i < asked.Load(); i++ {
			select {
			case <-answers:
			case <-time.After(time.Minute):
				c.t.Fatalf("%d of %d requests were answered", i-1, asked.Load())
			}
		}
	}
}

// replaceNode adds a node to the network and removes the previous one.
func (c *charged) replaceNode() func(i int) {
	var before *ros2.Node
	return func(i int) {
		if i%5 != 0 {
			return
		}
		if before != nil {
			if err := before.Close(); err != nil {
				c.t.Fatal(err)
			}
		}
		var err error
		if before, err = ros2.NewNode(ros2.NodeConfig{Name: fmt.Sprintf("newcomer%d", i), Transport: c.user.Transport()}); err != nil {
			c.t.Fatal(err)
		}
	}
}

// simulate returns an episode's share of the core of a simulated robot that is charged by the table.
func (e episode) simulate(t *testing.T) float64 {
	t.Helper()
	c := newCharged(t)
	switch e.name {
	case allTopics:
		c.subscribeAll()
		return c.share(e.times, func(int) {})
	case cameraOn:
		once := c.sendPictures()
		return c.share(e.times, func(i int) {
			if i%4 < 3 {
				once()
			}
		})
	case twentyParameters:
		ask, answered := c.setParameter()
		defer answered()
		return c.share(e.times, func(int) { ask() })
	case storm:
		return c.share(e.times, c.replaceNode())
	}
	return c.share(e.times, func(int) {})
}

// pauses returns the table's cost of the program between 20 control cycles, as a share of the core.
func pauses(t *testing.T) float64 {
	t.Helper()
	rows := map[string]float64{}
	for _, r := range readCosts(t).Rows {
		rows[r.Operation] = r.Cycles.Likely
	}
	return (rows[wholeProgram().name()] - rows[driverPackage+" CostCycle/nothing"]) * 20 / 1e9
}

// TestSimulatedEpisodes: the cost charged to the simulated robot for an episode is that by the rows of the table; where
// a row counts both ends of an exchange, half of what exceeds an idle cycle. TestTableSaysWhatEpisodesCost compares it
// with counts.
func TestSimulatedEpisodes(t *testing.T) {
	rows := map[string]float64{}
	for _, r := range readCosts(t).Rows {
		rows[r.Operation] = r.Cycles.Likely
	}
	for _, e := range episodes() {
		idle := rows[e.cycle]
		want := (idle+e.often*max(0, rows[e.happens]-idle)/e.ends)*20/1e9 + pauses(t)
		got := e.simulate(t)
		t.Logf("%s: %.2f %% of the core simulated, %.2f %% by the rows", e.name, 100*got, 100*want)
		if math.Abs(got/want-1) > asTheTable {
			t.Errorf("%s: %.2f %% of the core simulated, %.2f %% by the rows", e.name, 100*got, 100*want)
		}
	}
}
