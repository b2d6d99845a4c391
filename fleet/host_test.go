// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// hosted is a fleet that robots can join, and what asks for it.
type hosted struct {
	*rig
	spawn  *ros2.Client[si.SpawnEntityRequest, si.SpawnEntityResponse]
	remove *ros2.Client[si.DeleteEntityRequest, si.DeleteEntityResponse]
	list   *ros2.Client[si.GetEntitiesRequest, si.GetEntitiesResponse]
}

func newHosted(t *testing.T) *hosted {
	t.Helper()
	return newHostedOf(t, 1)
}

func newHostedOf(t *testing.T, version int) *hosted {
	t.Helper()
	w, err := sim.LoadWorld("swarm")
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Robots[1:] {
		w.Robots[i+1].Level = world.LevelFunctional
	}
	h := &hosted{rig: newRigOf(t, w, sim.Options{Seed: 1}, fleet.Config{})}
	host, err := fleet.NewHost(fleet.HostConfig{Node: h.node, Simulation: h.sim, Fleet: h.fleet, Like: w.Robots[0], World: "swarm", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	at := "/watcher/"
	if h.spawn, err = ros2.NewClient(h.node, si.SpawnEntity{}, at+"spawn_entity"); err != nil {
		t.Fatal(err)
	}
	if h.remove, err = ros2.NewClient(h.node, si.DeleteEntity{}, at+"delete_entity"); err != nil {
		t.Fatal(err)
	}
	if h.list, err = ros2.NewClient(h.node, si.GetEntities{}, at+"get_entities"); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *hosted) ask(q si.SpawnEntityRequest) *si.SpawnEntityResponse {
	h.t.Helper()
	r, err := h.spawn.Call(context.Background(), &q)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *hosted) names(filters si.EntityFilters) []string {
	h.t.Helper()
	r, err := h.list.Call(context.Background(), &si.GetEntitiesRequest{Filters: filters})
	if err != nil || r.Result.Result != si.ResultOK {
		h.t.Fatalf("%+v, %v", r, err)
	}
	return r.Entities
}

func robots() si.EntityFilters {
	return si.EntityFilters{Categories: []si.EntityCategory{{Category: si.EntityCategoryCategoryRobot}}}
}

func at(x, y float64) geometry_msgs.PoseStamped {
	var m geometry_msgs.PoseStamped
	m.Pose.Position.X, m.Pose.Position.Y = x, y
	return m
}

// Robots of both levels are added and removed by services while the others run; an added one is driven by its topics.
func TestSpawnAndDelete(t *testing.T) {
	h := newHosted(t)
	for _, level := range world.JoiningLevels() {
		r := h.ask(si.SpawnEntityRequest{Name: "new_" + level, Uri: level, InitialPose: at(0.3, map[string]float64{"firmware": 0.3, "functional": -0.3}[level])})
		if r.Result.Result != si.ResultOK || r.EntityName != "new_"+level {
			t.Fatalf("%s: %+v", level, r)
		}
		odom := hear[nav_msgs.Odometry](h.rig, "/new_"+level+"/odom", ros2.DefaultQoS())
		move := say[geometry_msgs.Twist](h.rig, "/new_"+level+"/cmd_vel")
		for range 20 {
			move(&geometry_msgs.Twist{Angular: geometry_msgs.Vector3{Z: 1}})
			h.run(100 * time.Millisecond)
		}
		if odom.Pose.Pose.Orientation.Z < 0.2 {
			t.Errorf("%s: does not turn: %+v", level, odom.Pose.Pose)
		}
	}
	if r := h.ask(si.SpawnEntityRequest{Name: "new_firmware", AllowRenaming: true, InitialPose: at(-0.3, -0.3),
		ResourceString: "robots: [{name: x, level: functional}]"}); r.EntityName != "new_firmware_1" {
		t.Errorf("renamed: %+v", r)
	}
	for _, name := range []string{"new_firmware", "epuck2"} {
		if r, err := h.remove.Call(context.Background(), &si.DeleteEntityRequest{Entity: name}); err != nil || r.Result.Result != si.ResultOK {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if r, err := h.remove.Call(context.Background(), &si.DeleteEntityRequest{Entity: "epuck2"}); err != nil || r.Result.Result != si.ResultNotFound {
		t.Errorf("twice: %+v, %v", r, err)
	}
	if got := h.names(robots()); !slices.Equal(got, []string{"epuck1", "epuck3", "new_functional", "new_firmware_1"}) {
		t.Errorf("robots %q", got)
	}
	if got := h.names(si.EntityFilters{Filter: "^new"}); len(got) != 2 {
		t.Errorf("new robots %q", got)
	}
	if got := h.names(si.EntityFilters{Categories: []si.EntityCategory{{Category: si.EntityCategoryCategoryHuman}}}); len(got) != 0 {
		t.Errorf("people %q", got)
	}
	h.run(time.Second)
	if n := h.fleet.Len(); n != 4 {
		t.Errorf("%d robots on the network", n)
	}
}

// What can't be is refused with the standard's number and a reason, and changes nothing.
func TestSpawnRefuses(t *testing.T) {
	h := newHosted(t)
	tilted := at(0.3, 0.3)
	tilted.Pose.Orientation.W = 2
	elsewhere := at(0.3, 0.3)
	elsewhere.Header.FrameID = "map"
	taken := h.sim.Robots()[0].GroundTruth().Pose
	for _, c := range []struct {
		q    si.SpawnEntityRequest
		code uint8
		text string
	}{
		{si.SpawnEntityRequest{Name: "a"}, si.SpawnEntityResponseNoResource, "or a level"},
		{si.SpawnEntityRequest{Name: "a", Uri: "model.sdf"}, si.SpawnEntityResponseUnsupportedFormat, "model.sdf"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "robots: 3"}, si.SpawnEntityResponseResourceParseError, "line 1"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "robots: [{name: a}, {name: b}]"}, si.SpawnEntityResponseResourceParseError, "2 robots"},
		{si.SpawnEntityRequest{Name: "epuck1", Uri: "functional", InitialPose: at(0.3, 0.3)}, si.SpawnEntityResponseNameNotUnique, "epuck1"},
		{si.SpawnEntityRequest{Name: "a b", Uri: "functional"}, si.SpawnEntityResponseNameInvalid, "a b"},
		{si.SpawnEntityRequest{Uri: "functional"}, si.SpawnEntityResponseNameInvalid, "name"},
		{si.SpawnEntityRequest{Name: "a", Uri: "functional", EntityNamespace: "/b"}, si.SpawnEntityResponseNamespaceInvalid, "/b"},
		{si.SpawnEntityRequest{Name: "a", Uri: "functional", InitialPose: tilted}, si.SpawnEntityResponseInvalidPose, "length is 2"},
		{si.SpawnEntityRequest{Name: "a", Uri: "functional", InitialPose: elsewhere}, si.SpawnEntityResponseInvalidPose, "map"},
		{si.SpawnEntityRequest{Name: "a", Uri: "functional", InitialPose: at(1e9, 0)}, si.SpawnEntityResponseInvalidPose, "1e+09"},
		{si.SpawnEntityRequest{Name: "a", Uri: "firmware", InitialPose: at(taken.X, taken.Y)}, si.SpawnEntityResponseInvalidPose, "occupied"},
	} {
		if r := h.ask(c.q); r.Result.Result != c.code || !strings.Contains(r.Result.ErrorMessage, c.text) {
			t.Errorf("%+v: %+v", c.q, r)
		}
	}
	if n := len(h.sim.Robots()); n != 3 || h.fleet.Len() != 3 {
		t.Errorf("%d robots in the world, %d on the network", n, h.fleet.Len())
	}
}

// visit lets a robot of a level come and go again, with some of its time in between.
func (h *hosted) visit(level string, n int) {
	h.t.Helper()
	name := fmt.Sprint("extra", n)
	if r := h.ask(si.SpawnEntityRequest{Name: name, Uri: level, InitialPose: at(0.3+0.1*float64(n%3), -0.3)}); r.Result.Result != si.ResultOK {
		h.t.Fatalf("%s: %+v", name, r)
	}
	h.run(20 * time.Millisecond)
	if r, err := h.remove.Call(context.Background(), &si.DeleteEntityRequest{Entity: name}); err != nil || r.Result.Result != si.ResultOK {
		h.t.Fatalf("%s: %+v, %v", name, r, err)
	}
}

// comeAndGo spawns and removes robots of both levels while the others drive, and checks that nothing of them stays on
// the network. It calls settled when what is made once has been made.
func (h *hosted) comeAndGo(visits int, settled func()) {
	h.t.Helper()
	before := h.names(si.EntityFilters{})
	for i, level := range world.JoiningLevels() { // what is made once
		h.visit(level, i)
	}
	h.run(5 * time.Second) // until all parts of those that stay are found
	settled()
	graph := h.node.Graph()
	for i := range visits {
		h.visit(world.JoiningLevels()[i%2], i)
	}
	h.run(100 * time.Millisecond)
	if after := h.names(si.EntityFilters{}); !slices.Equal(after, before) {
		h.t.Errorf("robots %q, before %q", after, before)
	}
	if g := h.node.Graph(); len(g.Nodes) != len(graph.Nodes) || len(g.Endpoints) != len(graph.Endpoints) {
		h.t.Errorf("%d nodes with %d endpoints, before %d with %d", len(g.Nodes), len(g.Endpoints), len(graph.Nodes), len(graph.Endpoints))
	}
}

// A robot comes and goes again and again while the others drive on: nothing of it stays on the network.
func TestRemovedRobotsLeaveTheNetwork(t *testing.T) { newHosted(t).comeAndGo(6, func() {}) }
