// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// swarmRobot is a robot of the world "swarm", and its command in this test, a different one for each.
type swarmRobot struct {
	name string
	v, w float64 // m/s, rad/s
}

func swarmRobots() []swarmRobot {
	return []swarmRobot{{"epuck1", 0.03, 0}, {"epuck2", 0, 1}, {"epuck3", -0.03, -0.5}}
}

// does reports whether the speeds are as commanded.
func (r *swarmRobot) does(v, w float64) bool { return math.Abs(v-r.v) < 0.005 && math.Abs(w-r.w) < 0.1 }

// truth returns the true speeds of all robots in the simulated world: forward (m/s) and turning (rad/s).
func truth(t *testing.T, c *ros2.Client[si.GetEntitiesStatesRequest, si.GetEntitiesStatesResponse]) map[string][2]float64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	q := &si.GetEntitiesStatesRequest{}
	q.Filters.Categories = []si.EntityCategory{{Category: si.EntityCategoryCategoryRobot}}
	r, err := c.Call(ctx, q)
	if err != nil || r.Result.Result != si.ResultOK {
		t.Fatalf("%+v, %v", r, err)
	}
	speeds := make(map[string][2]float64)
	for i, name := range r.Entities {
		s := r.States[i]
		yaw := 2 * math.Atan2(s.Pose.Orientation.Z, s.Pose.Orientation.W)
		speeds[name] = [2]float64{s.Twist.Linear.X*math.Cos(yaw) + s.Twist.Linear.Y*math.Sin(yaw), s.Twist.Angular.Z}
	}
	return speeds
}

// listen makes a peer subscribe to the topics of all robots and publish commands.
func listen(t *testing.T, p *peer) {
	t.Helper()
	for _, r := range swarmRobots() {
		p.send("reader odom_%s odometry rt/%s/odom %s", r.name, r.name, qos{reliable: true, depth: 10}.words())
		p.send("writer cmd_%s twist rt/%s/cmd_vel %s", r.name, r.name, qos{reliable: true}.words())
	}
	for _, r := range swarmRobots() {
		p.matched("cmd_"+r.name, 1)
		e := p.sample("odom_" + r.name)
		if e.FrameID != r.name+"/odom" || e.ChildFrameID != r.name+"/base_link" {
			t.Errorf("%s hears of %s in the frames %q and %q", p.name, r.name, e.FrameID, e.ChildFrameID)
		}
	}
}

// driveAll commands all robots at once, each differently, until all wheel speeds are as commanded, and every peer
// receives them.
func driveAll(t *testing.T, by *peer, all []*peer, c *ros2.Client[si.GetEntitiesStatesRequest, si.GetEntitiesStatesResponse]) {
	t.Helper()
	obey := func() bool {
		speeds := truth(t, c)
		return len(speeds) == 3 && !slices.ContainsFunc(swarmRobots(), func(r swarmRobot) bool { return !r.does(speeds[r.name][0], speeds[r.name][1]) })
	}
	for deadline := time.Now().Add(timeout); !obey(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s drives all three, and they do %v", by.name, truth(t, c))
		}
		for _, r := range swarmRobots() {
			by.send("twist cmd_%s %g %g", r.name, r.v, r.w)
			by.sample("odom_" + r.name) // not faster than they answer
		}
	}
	for _, p := range all {
		for _, r := range swarmRobots() {
			p.await(r.name+" as commanded", func(e event) bool {
				return e.Event == "sample" && e.ID == "odom_"+r.name && r.does(float64(e.Linear[0]), float64(e.Angular[2]))
			})
		}
	}
	for deadline := time.Now().Add(timeout); ; { // without commands they stop
		stopped := true
		speeds := truth(t, c)
		for _, s := range speeds {
			stopped = stopped && s == [2]float64{}
		}
		if stopped {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("without commands the speeds are %v", speeds)
		}
		by.sample("odom_epuck1")
	}
}

// TestSwarm: the program's world with three robots is three ROS 2 robots, of either level, for Cyclone DDS and Fast DDS
// at once: both receive the topics of all of them in their namespaces, and each drives all at the same time.
func TestSwarm(t *testing.T) {
	for _, level := range []string{"firmware", "functional"} {
		t.Run(level, func(t *testing.T) {
			domain := newDomain()
			startRobot(t, domain, "--world", "swarm", "--level", level)
			c, err := ros2.NewClient(startNode(t, domain), si.GetEntitiesStates{}, "/simulation/get_entities_states")
			if err != nil {
				t.Fatal(err)
			}
			var peers []*peer
			for _, s := range stacks {
				p := s.start(t, domain, 0)
				listen(t, p)
				peers = append(peers, p)
			}
			for _, p := range peers {
				driveAll(t, p, peers, c)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			for _, p := range peers {
				p.quit()
			}
		})
	}
}
