// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// stamps is a simulated clock as a node's.
type stamps struct {
	ros2.Clock
	simulated *sim.Clock
}

func (s stamps) Now() time.Time { return s.simulated.Now() }

// rig is a robot in a world with a driver on a network in memory, and a node that listens to it.
type rig struct {
	t      testing.TB
	clock  *sim.Clock
	sim    *sim.Simulation
	driver *genericdriver.Driver
	robot  *ros2.Node
	node   *ros2.Node
}

// options are what a test wants differently.
type options struct {
	model string                                   // default: turtlebot3_burger
	load  func(string) (*description.Robot, error) // default: the library
	world string                                   // default: a room of 2 × 2 m
	args  []string                                 // ROS arguments
	file  *genericdriver.File
	own   map[string]genericdriver.Maker
}

// start makes a rig, or says why there is none.
func start(t testing.TB, o options) (*rig, error) {
	t.Helper()
	if o.model == "" {
		o.model = "turtlebot3_burger"
	}
	if o.load == nil {
		o.load = library.Load
	}
	if o.world == "" {
		o.world = "arena: {size: [2, 2], height: 0.3}\n"
	}
	w, err := sim.ParseWorld([]byte(o.world + "robots: [{name: r, model: " + o.model + ", position: [0, 0]}]"))
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, clock: sim.NewClock()}
	r.sim, err = sim.New(w, sim.Options{Now: r.clock.Now, Quiet: true, MaxCatchUp: -1, Mechanisms: machine.Maker(library.Parse, o.load)})
	if err != nil {
		t.Fatal(err)
	}
	network := ros2test.NewNetwork()
	node := func(name string, args ros2.Args) *ros2.Node {
		transport := network.NewTransport()
		t.Cleanup(func() { _ = transport.Close() })
		n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: transport, Clock: stamps{ros2.SystemClock(), r.clock}, Args: args})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = n.Close() })
		return n
	}
	args, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, o.args...))
	if err != nil {
		t.Fatal(err)
	}
	r.robot, r.node = node("robot", args), node("watcher", ros2.Args{})
	r.driver, err = genericdriver.New(genericdriver.Config{Node: r.robot, Robot: genericdriver.OfArticulated(sim.RobotsOf[*sim.Articulated](r.sim)[0]), File: o.file, Own: o.own})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if err := r.driver.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, nil
}

func newRig(t testing.TB, o options) *rig {
	t.Helper()
	r, err := start(t, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// run advances the simulated time.
func (r *rig) run(d time.Duration) {
	r.t.Helper()
	for range d / (10 * time.Millisecond) {
		r.clock.Sleep(10 * time.Millisecond)
		if err := r.driver.Step(r.clock.Now()); err != nil {
			r.t.Fatal(err)
		}
	}
}

// heard is the latest message of a topic, and how many there were.
type heard[T any] struct {
	m T
	n int
}

func hear[T any, P ros2.MessageOf[T]](r *rig, topic string, qos ...ros2.QoS) *heard[T] {
	r.t.Helper()
	h := new(heard[T])
	q := ros2.DefaultQoS()
	if len(qos) > 0 {
		q = qos[0]
	}
	sub, err := ros2.NewSubscription[T, P](r.node, topic, q, func(m *T, _ ros2.MessageInfo) { h.m, h.n = *m, h.n+1 })
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = sub.Close() })
	return h
}

func say[T any, P ros2.MessageOf[T]](r *rig, topic string) func(m *T) {
	r.t.Helper()
	pub, err := ros2.NewPublisher[T, P](r.node, topic, ros2.DefaultQoS())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = pub.Close() })
	return func(m *T) {
		r.t.Helper()
		if err := pub.Publish(m); err != nil {
			r.t.Fatal(err)
		}
	}
}

// endpoint is a topic of the robot's node.
type endpoint struct {
	name, kind string
	published  bool
	qos        ros2.QoS
}

// endpoints are the robot's topics, by name, but for those that each node has.
func (r *rig) endpoints() (all []endpoint) {
	r.t.Helper()
	for _, e := range r.node.Graph().Endpoints {
		topic := e.Kind == ros2.PublisherEndpoint || e.Kind == ros2.SubscriptionEndpoint
		if e.Node.Name == "robot" && topic && e.Topic != "/rosout" && e.Topic != "/parameter_events" {
			all = append(all, endpoint{strings.TrimPrefix(e.Topic, "/"), e.Type, e.Kind == ros2.PublisherEndpoint, e.QoS})
		}
	}
	slices.SortFunc(all, func(a, b endpoint) int { return strings.Compare(a.name, b.name) })
	return all
}
