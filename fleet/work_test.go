// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// laboring is a rig of a world whose robots' work takes time as the world says.
func laboring(t *testing.T, text string) *rig {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	var g *rig
	clock := func() time.Time { return g.clock.Now() }
	made := false
	cores := func(m sim.Robot) (*core.Core, error) {
		if m.Cost() == (world.Cost{}) {
			return nil, nil //nolint:nilnil // it costs nothing
		}
		prices, err := core.PricesOf(m.Cost(), p.Parameters["core"].Interval)
		if err != nil {
			return nil, err
		}
		now := clock
		if !made { // the rig is being made
			start := sim.NewClock().Now()
			now = func() time.Time {
				if g == nil {
					return start
				}
				return g.clock.Now()
			}
		}
		return core.New(core.Config{Robot: m.Name(), Prices: prices, How: m.Cost().String(), Parameters: p, Now: now})
	}
	g = newRigOf(t, w, sim.Options{Seed: 1, Settled: true}, fleet.Config{Core: cores})
	made = true
	return g
}

// count counts the messages of odom.
func count(g *rig, topic string) *int {
	g.t.Helper()
	n := new(int)
	sub, err := ros2.NewSubscription(g.node, topic, ros2.DefaultQoS(), func(*nav_msgs.Odometry, ros2.MessageInfo) { *n++ })
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = sub.Close() })
	return n
}

// TestOverloadedRobotsLoseCycles: at either level, a robot whose callbacks fit makes all its cycles, one whose don't
// makes as many as fit, and in the same world one without costs is not touched by that.
func TestOverloadedRobotsLoseCycles(t *testing.T) {
	text := "robots:\n"
	x := 0.0
	for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		for cost, name := range map[string]string{"none": "free", "0.005": "light", "0.08": "heavy", "table": "table"} {
			text += fmt.Sprintf("  - {name: %s_%s, level: %s, cost: %s, position: [%g, 0]}\n", level, name, level, cost, x)
			x += 0.3
		}
	}
	g := laboring(t, text)
	heard := map[string]*int{}
	for _, m := range g.sim.Robots() {
		heard[m.Name()] = count(g, "/"+m.Name()+"/odom")
	}
	g.run(5 * time.Second)
	for name, n := range heard {
		want := 100
		if strings.HasSuffix(name, "heavy") {
			want = 62
		}
		if *n < want-4 || *n > want+2 {
			t.Errorf("%s published its odometry %d times, want %d", name, *n, want)
		}
	}
	reports := g.fleet.Cores()
	if len(reports) != 6 {
		t.Fatalf("%d cores, want 6", len(reports))
	}
	for _, r := range reports {
		low, high, lost := 0.0095, 0.035, 0
		switch {
		case strings.HasSuffix(r.Robot, "light"):
			low, high = 0.099, 0.102
		case strings.HasSuffix(r.Robot, "heavy"):
			low, high, lost = 0.99, 1.0001, 37
		}
		if r.Share.Likely < low || r.Share.Likely > high || r.Control.Lost < lost-2 || r.Control.Lost > lost+1 {
			t.Errorf("%+v, want a share of %g to %g, %d cycles lost", r, low, high, lost)
		}
	}
}

// TestCommandsComeLate: an overloaded robot hears a command when it has the time for it.
func TestCommandsComeLate(t *testing.T) {
	for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		t.Run(level, func(t *testing.T) {
			late := func(cost string) (at time.Duration) {
				g := laboring(t, fmt.Sprintf("robots: [{name: r, level: %s, cost: %s}]", level, cost))
				g.run(990 * time.Millisecond)
				move := say[geometry_msgs.Twist](g, "/r/cmd_vel")
				begun := g.clock.Now()
				for range 200 {
					move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
					g.run(10 * time.Millisecond)
					if truth := g.sim.Robots()[0].GroundTruth(); truth.LeftSpeed != 0 {
						return g.clock.Now().Sub(begun)
					}
				}
				t.Fatalf("cost %s: it does not drive", cost)
				return 0
			}
			free, busy := late("none"), late("0.2")
			if free > 100*time.Millisecond || busy < free+50*time.Millisecond {
				t.Errorf("it drives after %v without costs, after %v with", free, busy)
			}
		})
	}
}

// TestServicesWait: a request is answered, and charged.
func TestServicesWait(t *testing.T) {
	g := laboring(t, "robots: [{name: r, level: functional, cost: 0.01}]")
	c, err := ros2.NewClient(g.node, rcl_interfaces.GetParameters{}, "/r/"+driver.NodeName+"/get_parameters")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	g.run(100 * time.Millisecond)
	before := g.fleet.Cores()[0]
	answered := make(chan error, 1)
	go func() {
		_, err := c.Call(t.Context(), &rcl_interfaces.GetParametersRequest{Names: []string{"rate"}})
		answered <- err
	}()
	for waiting := true; waiting; {
		select {
		case err := <-answered:
			if err != nil {
				t.Fatal(err)
			}
			waiting = false
		default:
			g.run(10 * time.Millisecond)
		}
	}
	if after := g.fleet.Cores()[0]; after.Callbacks != before.Callbacks+1 {
		t.Errorf("%d callbacks, and %d", before.Callbacks, after.Callbacks)
	}
}

// TestBatteryPaysForWork: a robot that works all the time has less in its battery, at either level.
func TestBatteryPaysForWork(t *testing.T) {
	for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		charge := func(cost string) float64 {
			g := laboring(t, fmt.Sprintf("robots: [{name: r, level: %s, cost: %s}]", level, cost))
			g.run(20 * time.Second)
			m := g.sim.Robots()[0]
			return m.GroundTruth().Charge
		}
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		paid := (charge("0.0001") - charge("0.2")) * w.Robots[0].Battery.Capacity * core.CellVoltage
		if want := 0.255 * 20; math.Abs(paid-want) > 0.05*want {
			t.Errorf("%s: the battery paid %.2f J for 20 s of work, want %.2f", level, paid, want)
		}
	}
}

// TestNewcomersCost: participants that come to the network cost every robot's processor time.
func TestNewcomersCost(t *testing.T) {
	g := laboring(t, "robots: [{name: r, level: functional, cost: table}]")
	g.run(time.Second)
	before := g.fleet.Cores()[0]
	for i := range 10 {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: fmt.Sprintf("newcomer%d", i), Transport: g.node.Transport()})
		if err != nil {
			t.Fatal(err)
		}
		g.run(100 * time.Millisecond)
		if err := n.Close(); err != nil {
			t.Fatal(err)
		}
	}
	after := g.fleet.Cores()[0]
	share := after.Share.Likely*after.For.Seconds() - before.Share.Likely*before.For.Seconds()
	if share < 0.2 || share > 0.6 || before.Share.Likely > 0.1 {
		t.Errorf("ten newcomers in a second take %.2f s, before %.3f", share, before.Share.Likely)
	}
}
