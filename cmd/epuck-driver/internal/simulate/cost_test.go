// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestCosts(t *testing.T) {
	for _, c := range []struct {
		cost, level, want string // costs of the robots; empty: it is refused
	}{
		{"", "", "none,none,none"},
		{"table", "", "table,table,table"},
		{"none", "", "none,none,none"},
		{"0.002", "functional", "0.002,0.002,0.002"},
		{"epuck2=table", "", "none,table,none"},
		{"0.001,epuck2=none,epuck3=table", "", "0.001,none,table"},
		{"table", "epuck1=target", "none,table,table"},
		{"epuck1=none", "epuck1=target", "none,none,none"},
		{"epuck1=table", "epuck1=target", ""},
		{"epuck4=table", "", ""},
		{"tables", "", ""},
		{"11", "", ""},
		{"epuck1=", "", ""},
		{"-1", "", ""},
	} {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		o := simOptions{device: noDevice, swarm: swarmOptions{robots: 3, distribution: string(sim.Grid), level: c.level, speedText: "1"}}
		o.costs.text = c.cost
		if err := o.swarm.check(false); err != nil {
			t.Fatal(err)
		}
		if err := o.swarm.populate(w, 1); err != nil {
			t.Fatal(err)
		}
		err = o.charge(w)
		var got []string
		for _, r := range w.Robots {
			got = append(got, r.Cost.String())
		}
		if (err != nil) != (c.want == "") || err == nil && strings.Join(got, ",") != c.want {
			t.Errorf("--cost %q --level %q: %v, %v", c.cost, c.level, got, err)
		}
		if err == nil && hasCosts(w) != strings.ContainsAny(c.want, "t0") {
			t.Errorf("--cost %q: has costs %v", c.cost, hasCosts(w))
		}
	}
}

// TestCostsElsewhere: where the robots' nodes are not in this process, costs are refused.
func TestCostsElsewhere(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots: [{name: r, cost: table}]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []simOptions{{device: 12}, {device: noDevice, wifi: ":1000"}, {device: noDevice, controller: controllerOptions{name: "avoid"}}} {
		if err := o.charge(w); err == nil || !strings.Contains(err.Error(), "--cost none") {
			t.Errorf("%+v: %v", o, err)
		}
		o.costs.text = "none"
		one := *w
		one.Robots = append([]world.Robot(nil), w.Robots...)
		if err := o.charge(&one); err != nil {
			t.Errorf("with --cost none: %v", err)
		}
	}
	o := simOptions{device: noDevice, swarm: swarmOptions{speed: 1}}
	if err := o.charge(w); err != nil || !o.swarm.several(w) {
		t.Errorf("a robot alone: %v, several %v", err, o.swarm.several(w))
	}
}

// TestCoresOfAWorld: robots with costs get processors, which say what is charged, and others don't.
func TestCoresOfAWorld(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots: [{name: a, cost: table}, {name: b, position: [1, 0]}, {name: c, cost: 0.01, position: [2, 0]}]"))
	if err != nil {
		t.Fatal(err)
	}
	clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := simOptions{device: noDevice}
	if cores, err := o.cores(clock); cores != nil || err != nil {
		t.Errorf("not wanted: %v", err)
	}
	o.costs.wanted = hasCosts(w)
	if !o.ownTime() {
		t.Error("costs, and the clock shows the present time")
	}
	cores, err := o.cores(clock)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, o.simulated(clock))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"the table of costs", "", "0.01 s a callback"} {
		c, err := cores(s.Robots()[i])
		if err != nil || (c == nil) != (want == "") || c != nil && c.Report().How != want {
			t.Errorf("robot %d: %+v, %v", i, c, err)
		}
	}
	o.aboard.parameters = t.TempDir() + "/nothing"
	if _, err := o.cores(clock); err == nil {
		t.Error("parameters that are not there")
	}
}
