// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// crate is a description of a box on two wheels.
const crate = `<robot name="crate">
  <link name="base"><collision><origin xyz="0.05 0 0.05"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>
  <link name="l"/><link name="r"/>
  <joint name="left" type="continuous"><parent link="base"/><child link="l"/><origin xyz="0 0.05 0.02"/><axis xyz="0 1 0"/></joint>
  <joint name="right" type="continuous"><parent link="base"/><child link="r"/><origin xyz="0 -0.05 0.02"/><axis xyz="0 1 0"/></joint>
  <gazebo><plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left</left_joint><right_joint>right</right_joint><wheel_separation>0.1</wheel_separation><wheel_radius>0.02</wheel_radius></plugin></gazebo>
</robot>`

// newModelled is a world of robots with models, with its host; of the model khepera4 a settings file renames the scan.
func newModelled(t *testing.T, version int) *hosted {
	t.Helper()
	w, err := sim.ParseWorld([]byte("arena: {size: [4, 4]}\nrobots:\n  - {name: b, model: turtlebot3_burger, position: [0, 0], yaw: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := genericdriver.ParseFile([]byte("drive: {odometry_topic: way}"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := fleet.Config{Settings: map[string]*genericdriver.File{"khepera4": set}}
	h := &hosted{rig: newRigOf(t, w, sim.Options{Seed: 1, Mechanisms: machine.Maker(library.Parse, library.Load)}, cfg)}
	host, err := fleet.NewHost(fleet.HostConfig{
		Node: h.node, Simulation: h.sim, Fleet: h.fleet, Like: w.Robots[0], Models: []string{"khepera4", "nonsense", "thymio2"}, Version: version,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	if h.spawn, err = ros2.NewClient(h.node, si.SpawnEntity{}, "/watcher/spawn_entity"); err != nil {
		t.Fatal(err)
	}
	if h.list, err = ros2.NewClient(h.node, si.GetEntities{}, "/watcher/get_entities"); err != nil {
		t.Fatal(err)
	}
	return h
}

// Robots with a model are spawned by a name, a description or a world with one; they are driven, reported with their
// own size, moved, reset and removed, as others are.
func TestDescribedRobotsComeAndGo(t *testing.T) {
	h := newModelled(t, 1)
	for _, q := range []si.SpawnEntityRequest{
		{Name: "k", Uri: "khepera4", InitialPose: at(1, 0)},
		{Name: "c", ResourceString: "\n " + crate, InitialPose: at(-1, 0)},
		{Name: "d", ResourceString: crate, InitialPose: at(-1, 1)},
		{Name: "y", ResourceString: "robots: [{name: z, model: thymio2}]", InitialPose: at(0, 1)},
		{Name: "e", Uri: "functional", InitialPose: at(0, -1)}, // an e-puck2, though the first robot is none
		{AllowRenaming: true, Uri: "thymio2", InitialPose: at(1, 1)},
	} {
		if r := h.ask(q); r.Result.Result != si.ResultOK {
			t.Fatalf("%s: %+v", q.Name, r)
		}
	}
	robots := si.EntityFilters{Categories: []si.EntityCategory{{Category: si.EntityCategoryCategoryRobot}}}
	if got := strings.Join(h.names(robots), " "); got != "b k c d y e thymio2" {
		t.Errorf("robots: %s", got)
	}
	way := hear[nav_msgs.Odometry](h.rig, "/k/way", ros2.DefaultQoS())
	say[geometry_msgs.Twist](h.rig, "/k/cmd_vel")(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
	h.run(300 * time.Millisecond)
	if way.Pose.Pose.Position.X < 0.02 {
		t.Errorf("the settings file's odometry: %+v", way.Pose.Pose.Position)
	}
	state := call(t, h.node, si.GetEntityState{}, fleet.ServiceWhere, &si.GetEntityStateRequest{Entity: "k"}).State
	if state.Pose.Position.X < 1.02 || math.Abs(state.Twist.Linear.X-0.1) > 1e-3 {
		t.Errorf("%+v", state)
	}
	info := call(t, h.node, si.GetEntityInfo{}, fleet.ServiceInfo, &si.GetEntityInfoRequest{Entity: "k"}).Info
	if info.Description != "khepera4" || info.Tags[0] != world.LevelDescribed {
		t.Errorf("%+v", info)
	}
	put := &si.SetEntityStateRequest{Entity: "b"}
	put.State.Pose.Position.X, put.State.Pose.Orientation.W = -1.7, 1
	if r := call(t, h.node, si.SetEntityState{}, fleet.ServicePut, put); r.Result.Result != si.ResultOK || sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose().X != -1.7 {
		t.Errorf("%+v, at %v", r, sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose())
	}
	all := &si.ResetSimulationRequest{Scope: si.ResetSimulationRequestScopeState | si.ResetSimulationRequestScopeSpawned}
	if r := call(t, h.node, si.ResetSimulation{}, fleet.ServiceReset, all); r.Result.Result != si.ResultOK || h.fleet.Len() != 1 || sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose().X != 0 {
		t.Errorf("%+v, %d robots, at %v", r, h.fleet.Len(), sim.RobotsOf[*sim.Articulated](h.sim)[0].Pose())
	}
	if r := call(t, h.node, si.DeleteEntity{}, fleet.ServiceDelete, &si.DeleteEntityRequest{Entity: "b"}); r.Result.Result != si.ResultOK || h.fleet.Len() != 0 {
		t.Errorf("%+v, %d robots", r, h.fleet.Len())
	}
}

// Bounds are those of the robot's own solids around its own frame, also of a robot of several solids.
func TestBoundsOfDescribedRobots(t *testing.T) {
	h := newModelled(t, 1)
	if r := h.ask(si.SpawnEntityRequest{Name: "c", ResourceString: crate, InitialPose: at(-1, 0.5)}); r.Result.Result != si.ResultOK {
		t.Fatalf("%+v", r)
	}
	two := strings.Replace(crate, "</collision>", `</collision><collision><origin xyz="-0.1 0 0.1"/><geometry><sphere radius="0.04"/></geometry></collision>`, 1)
	if r := h.ask(si.SpawnEntityRequest{Name: "two", ResourceString: two, InitialPose: at(1, 1)}); r.Result.Result != si.ResultOK {
		t.Fatalf("%+v", r)
	}
	for name, want := range map[string][2]geometry_msgs.Vector3{
		"c":   {{X: 0.15, Y: 0.05, Z: 0.1}, {X: -0.05, Y: -0.05}},
		"two": {{X: 0.15, Y: 0.05, Z: 0.14}, {X: -0.14, Y: -0.05}},
	} {
		r := call(t, h.node, si.GetEntityBounds{}, fleet.ServiceBounds, &si.GetEntityBoundsRequest{Entity: name})
		for i, p := range r.Bounds.Points {
			if math.Abs(p.X-want[i].X)+math.Abs(p.Y-want[i].Y)+math.Abs(p.Z-want[i].Z) > 1e-9 {
				t.Errorf("%s: point %d is %+v, want %+v", name, i, p, want[i])
			}
		}
	}
	near := si.EntityFilters{Bounds: si.Bounds{Type: si.BoundsTypeSphere, Points: []geometry_msgs.Vector3{{X: -1 + 0.16, Y: 0.5}, {X: 0.02}}}}
	if got := h.names(near); len(got) != 1 || got[0] != "c" {
		t.Errorf("in the sphere: %q", got)
	}
	kinds := call(t, h.node, si.GetSpawnables{}, fleet.ServiceSpawnables, &si.GetSpawnablesRequest{}).Spawnables
	for _, k := range kinds {
		if k.Uri == "khepera4" && math.Abs(k.SpawnBounds.Points[0].X-0.0704) > 0.006 || k.Uri == "nonsense" {
			t.Errorf("%+v", k)
		}
	}
	if len(kinds) != len(world.JoiningLevels())+4+2 {
		t.Errorf("%d kinds", len(kinds))
	}
}

// What is no robot is refused with the standard's number, and leaves nothing behind.
func TestDescribedRobotsRefused(t *testing.T) {
	h := newModelled(t, 1)
	deep := strings.Repeat("<a>", 1000)
	const circle = `<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/><mimic joint="j"/></joint></robot>`
	for _, c := range []struct {
		q    si.SpawnEntityRequest
		code uint8
		text string
	}{
		{si.SpawnEntityRequest{Name: "a", Uri: "unicycle"}, si.SpawnEntityResponseUnsupportedFormat, "khepera4"},
		{si.SpawnEntityRequest{Name: "a", Uri: "nonsense"}, si.SpawnEntityResponseResourceParseError, "nonsense"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "<robot"}, si.SpawnEntityResponseResourceParseError, "spawned.xml:1"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: deep}, si.SpawnEntityResponseResourceParseError, "deep"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "#VRML_SIM R2023b utf8\nNonsense {}"}, si.SpawnEntityResponseResourceParseError, "spawned.proto"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "<!DOCTYPE r [<!ENTITY a \"b\">]><robot name='r'/>"}, si.SpawnEntityResponseResourceParseError, "spawned.xml:1"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "robots: [{name: r, model: /etc/passwd}]"}, si.SpawnEntityResponseResourceParseError, "passwd"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: circle}, si.SpawnEntityResponseResourceParseError, "spawned.xml:1: <joint>: "},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "<" + strings.Repeat(" ", world.MaxModelSize)}, si.SpawnEntityResponseResourceParseError, "bytes"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: "robots: [{name: r, model: ../../secret.urdf}]"}, si.SpawnEntityResponseResourceParseError, "secret.urdf"},
		{si.SpawnEntityRequest{Name: "a", ResourceString: crate, InitialPose: at(0.1, 0)}, si.SpawnEntityResponseInvalidPose, "occupied"},
		{si.SpawnEntityRequest{Name: "b", Uri: "khepera4", InitialPose: at(1, 1)}, si.SpawnEntityResponseNameNotUnique, "b"},
	} {
		if r := h.ask(c.q); r.Result.Result != c.code || !strings.Contains(r.Result.ErrorMessage, c.text) {
			t.Errorf("%.80s %s: %.300v", c.q.ResourceString, c.q.Uri, r)
		}
	}
	if n := len(sim.RobotsOf[*sim.Articulated](h.sim)); n != 1 || h.fleet.Len() != 1 {
		t.Errorf("%d robots in the world, %d on the network", n, h.fleet.Len())
	}
}
