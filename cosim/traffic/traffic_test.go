// SPDX-License-Identifier: Apache-2.0

package traffic_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traffic"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

const (
	body = 0.074 // diameter, m
	tick = 10 * time.Millisecond
)

// rig moves vehicles as they want to be moved.
type rig struct {
	t       testing.TB
	net     *lanes.Net
	signals *lanes.Signals
	traffic *traffic.Traffic
	cars    []*traffic.Car
	now     time.Duration
}

func newRig(t testing.TB) *rig {
	t.Helper()
	text, err := os.ReadFile("../traci/testdata/cross/cross.net.xml")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t}
	if r.net, err = lanes.Parse("cross.net.xml", text); err != nil {
		t.Fatal(err)
	}
	r.signals = lanes.NewSignals(r.net.Light("c"))
	r.traffic = traffic.New(r.net, func(l *lanes.Link) byte {
		if l.Light != nil {
			return r.signals.State()[l.Signal]
		}
		return l.State
	})
	return r
}

func (r *rig) add(lane string, pos float64, edges ...string) *traffic.Car {
	var route []*lanes.Edge
	for _, e := range edges {
		route = append(route, r.net.Edge(e))
	}
	c := traffic.NewCar(fmt.Sprintf("c%02d", len(r.cars)), r.net.Lane(lane), pos, route)
	c.Length, c.Track, c.MaxSpeed = body, 0.053, 0.15
	r.cars = append(r.cars, c)
	r.traffic.Add(c)
	return c
}

// step lets 10 ms pass, and looks whether vehicles touch each other or drive over a line at red.
func (r *rig) step() {
	r.t.Helper()
	r.now += tick
	r.signals.Advance(r.now)
	before := map[*traffic.Car]*lanes.Link{}
	for _, c := range r.cars {
		before[c] = c.Crossing()
	}
	r.traffic.Step(r.now)
	for _, c := range r.cars {
		if l := c.Crossing(); l != nil && before[c] == nil && l.Light != nil && r.signals.State()[l.Signal] == 'r' {
			r.t.Errorf("%s crosses %s at red, at %v", c.Name, l.From.ID, r.now)
		}
		c.Pose.Theta = geom.WrapAngle(c.Pose.Theta + c.Turn*tick.Seconds())
		d := geom.Direction(c.Pose.Theta).Scale(c.Forward * tick.Seconds())
		c.Pose.X, c.Pose.Y, c.Speed = c.Pose.X+d.X, c.Pose.Y+d.Y, c.Forward
		for _, o := range r.cars {
			if o != c && o.Pose.Position().Sub(c.Pose.Position()).Norm() < body {
				r.t.Fatalf("%s and %s touch each other at %v, at %v", c.Name, o.Name, c.Pose, r.now)
			}
		}
		if math.Abs(c.Forward)+math.Abs(c.Turn)*c.Track/2 > c.MaxSpeed+1e-9 && c.Forward != 0 {
			r.t.Errorf("%s: wheels at more than %g m/s", c.Name, c.MaxSpeed)
		}
	}
}

// until advances the time until a condition holds, at most by a given time.
func (r *rig) until(most time.Duration, so func() bool) bool {
	r.t.Helper()
	for end := r.now + most; r.now < end; {
		if r.step(); so() {
			return true
		}
	}
	return false
}

// A vehicle waits at red with its front before the line, and drives on the lanes of its route when it is green.
func TestVehicleFollowsItsRoute(t *testing.T) {
	r := newRig(t)
	c := r.add("nc_0", 0.1, "nc", "ce", "ep", "pn")
	most := 0.0
	if !r.until(41*time.Second, func() bool {
		_, _, left := c.Place()
		most = max(most, math.Abs(left))
		return c.Speed == 0 && r.now > 20*time.Second
	}) {
		t.Fatal("it does not stop at red")
	}
	if lane, pos, _ := c.Place(); lane.ID != "nc_0" || pos > 1-body/2 || pos < 1-body/2-0.05 {
		t.Errorf("it waits at %g of %s", pos, lane.ID)
	}
	if !r.until(200*time.Second, func() bool {
		_, _, left := c.Place()
		most = max(most, math.Abs(left))
		return c.Arrived()
	}) {
		lane, pos, _ := c.Place()
		t.Fatalf("it has not arrived: %g of %s", pos, lane.ID)
	}
	if lane, _, _ := c.Place(); lane.ID != "pn_0" || most > 0.21 || r.now > 2*time.Minute {
		t.Errorf("arrived on %s after %v; at most %g m from its lane", lane.ID, r.now, most)
	}
}

// A vehicle that has to turn left changes to the lane from which that is possible; one that is commanded to change does
// so.
func TestLaneChanges(t *testing.T) {
	r := newRig(t)
	left := r.add("wc_0", 0.1, "wc", "cn")
	forced := r.add("ec_1", 0.1, "ec", "cw")
	forced.ChangeLane(0, time.Minute)
	if !r.until(10*time.Second, func() bool {
		a, _, x := left.Place()
		b, _, y := forced.Place()
		return a.ID == "wc_1" && b.ID == "ec_0" && math.Abs(x) < 0.02 && math.Abs(y) < 0.02
	}) {
		a, _, x := left.Place()
		b, _, y := forced.Place()
		t.Errorf("on %s, %g m to its left, and %s, %g m", a.ID, x, b.ID, y)
	}
	if !r.until(90*time.Second, func() bool { return left.Arrived() && forced.Arrived() }) {
		t.Error("they have not arrived")
	}
}

// Twenty vehicles on all ways over the crossing: no two touch each other, none crosses at red, all arrive.
func TestCrowdedCrossing(t *testing.T) {
	seeds := []uint64{1, 2, 3}
	if !suite.Long {
		seeds = seeds[:1]
	}
	goals := []string{"cw", "ce", "cs", "cn", "ep", "pn"}
	for _, seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 0))
		r := newRig(t)
		for _, spot := range r.net.Spots(20, 0.3) {
			lane, pos, _ := r.net.Nearest(spot.Position(), func(l *lanes.Lane) bool { return !l.Edge.Internal })
			route, err := r.net.Route(lane.Edge, r.net.Edge(goals[random.IntN(len(goals))]))
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range route {
				names = append(names, e.ID)
			}
			r.add(lane.ID, pos, names...)
		}
		if r.until(20*time.Minute, func() bool { return r.leave() == 0 }) {
			continue
		}
		for _, c := range r.cars {
			lane, pos, _ := c.Place()
			t.Errorf("seed %d: %s is still at %g of %s", seed, c.Name, pos, lane.ID)
		}
	}
}

// leave takes out the vehicles that have arrived, and returns how many are left.
func (r *rig) leave() int {
	r.cars = slices.DeleteFunc(r.cars, func(c *traffic.Car) bool {
		if c.Arrived() {
			r.traffic.Remove(c)
		}
		return c.Arrived()
	})
	return len(r.cars)
}
