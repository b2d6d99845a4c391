// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestTooManyRobotsAreRefusedAtOnce: with the number that fits, before more than one robot of a kind is on the network;
// as many as that fit.
func TestTooManyRobotsAreRefusedAtOnce(t *testing.T) {
	for _, c := range []struct {
		robots, space int
		fits          string // empty: all
	}{{101, 100_000, ""}, {120, 1000, "which is 17 robots"}, {300, 3000, "which is 53 robots"}, {400, 20_000, "which is 357 robots"}} {
		clock := sim.NewClock()
		s, err := sim.New(crowd(t, c.robots, world.LevelFunctional), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
		if err != nil {
			t.Fatal(err)
		}
		transport := ros2test.NewNetwork().NewTransport()
		f, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}, Endpoints: c.space})
		switch {
		case c.fits == "" && err != nil:
			t.Errorf("%d robots, space for %d: %v", c.robots, c.space, err)
		case c.fits != "" && (!errors.Is(err, fleet.ErrSpace) || !strings.Contains(err.Error(), c.fits) || !strings.Contains(err.Error(), "--without")):
			t.Errorf("%d robots, space for %d: %v", c.robots, c.space, err)
		}
		if n := len(transport.Graph().Nodes); c.fits != "" && n != 0 {
			t.Errorf("%d nodes stay", n)
		}
		if f != nil {
			names := s.Robots()
			for i, n := range f.Nodes() {
				if n.Name().Namespace != "/"+names[i].Name() {
					t.Fatalf("robot %d is %s", i, n.FullName())
				}
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		_ = transport.Close()
	}
}

// TestEndpointsOfOthersTakeNoSpace: robots of another participant on the network, of the same names as well, leave all
// space.
func TestEndpointsOfOthersTakeNoSpace(t *testing.T) {
	network := ros2test.NewNetwork()
	names := crowd(t, 120, world.LevelFunctional).Robots
	for i := range 3 {
		outside := network.NewTransport()
		t.Cleanup(func() { _ = outside.Close() })
		for k := range 20 {
			args, _, err := ros2.ParseArgs([]string{"--ros-args", "-r", "__ns:=/" + names[k].Name})
			if err != nil {
				t.Fatal(err)
			}
			name := "epuck_driver"
			if i == 0 {
				name = fmt.Sprintf("other_%d", k)
			}
			node, err := ros2.NewNode(ros2.NodeConfig{Name: name, Args: args, Transport: outside, Standard: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = node.Close() })
		}
	}
	clock := sim.NewClock()
	s, err := sim.New(crowd(t, 120, world.LevelFunctional), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	transport := network.NewTransport()
	_, err = fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}, Endpoints: 1000})
	if !errors.Is(err, fleet.ErrSpace) || !strings.Contains(err.Error(), "which is 17 robots") {
		t.Error(err)
	}
	_ = transport.Close()
}
