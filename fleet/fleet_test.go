// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a fleet on a network in memory, and a node that listens to it.
type rig struct {
	t     *testing.T
	clock *sim.Clock
	sim   *sim.Simulation
	fleet *fleet.Fleet
	node  *ros2.Node
}

// stamps is a simulated clock as the nodes' clock; its timers never fire, for the tests step the fleet.
type stamps struct {
	ros2.Clock
	simulated *sim.Clock
}

func (s stamps) Now() time.Time { return s.simulated.Now() }

func newRig(t *testing.T, text string, level string) *rig {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if len(text) < 20 {
		w, err = sim.LoadWorld(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Robots {
		w.Robots[i].Level = level
	}
	return newRigOf(t, w, sim.Options{Seed: 1, Settled: true}, fleet.Config{})
}

// newRigOf is newRig for a world and options of a fleet.
func newRigOf(t *testing.T, w *sim.World, opts sim.Options, cfg fleet.Config) *rig {
	t.Helper()
	g := &rig{t: t, clock: sim.NewClock()}
	opts.Now = g.clock.Now
	if opts.Mechanisms == nil {
		opts.Mechanisms = machine.Maker(library.Parse, library.Load)
	}
	var err error
	if g.sim, err = sim.New(w, opts); err != nil {
		t.Fatal(err)
	}
	network := ros2test.NewNetwork()
	transport := network.NewTransport()
	t.Cleanup(func() { _ = transport.Close() })
	cfg.Simulation, cfg.Transport, cfg.Clock = g.sim, transport, stamps{ros2.SystemClock(), g.clock}
	cfg.Hardware = func(r fleet.Chips, _ *ros2.Node) (driver.Config, func() error, error) {
		return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS(),
			Charger: func() (connected, known bool) { return bool(r.Pin(sim.PinCharger).Read()), true }},
			Camera: func(string) (camera.Device, error) { return r.Camera(), nil }}, func() error { return nil }, nil
	}
	g.fleet, err = fleet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.fleet.Close(); err != nil {
			t.Error(err)
		}
	})
	outside := network.NewTransport()
	t.Cleanup(func() { _ = outside.Close() })
	if g.node, err = ros2.NewNode(ros2.NodeConfig{Name: "watcher", Transport: outside}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.node.Close() })
	return g
}

// run advances time by d.
func (g *rig) run(d time.Duration) {
	g.t.Helper()
	for range d / (10 * time.Millisecond) {
		g.clock.Sleep(10 * time.Millisecond)
		if err := g.fleet.Step(); err != nil {
			g.t.Fatal(err)
		}
	}
}

// hear returns the latest message of a topic.
func hear[T any, P ros2.MessageOf[T]](g *rig, topic string, qos ros2.QoS) *T {
	g.t.Helper()
	latest := new(T)
	sub, err := ros2.NewSubscription[T, P](g.node, topic, qos, func(m *T, _ ros2.MessageInfo) { *latest = *m })
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = sub.Close() })
	return latest
}

// say publishes on a topic.
func say[T any, P ros2.MessageOf[T]](g *rig, topic string) func(m *T) {
	g.t.Helper()
	pub, err := ros2.NewPublisher[T, P](g.node, topic, ros2.DefaultQoS())
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = pub.Close() })
	return func(m *T) {
		g.t.Helper()
		if err := pub.Publish(m); err != nil {
			g.t.Fatal(err)
		}
	}
}

// Each robot of a world is driven by its own topics, in its own frames, and the others do not move.
func TestEachRobotHasItsNamespace(t *testing.T) {
	g := newRig(t, "swarm", world.LevelFunctional)
	odom := make(map[string]*nav_msgs.Odometry)
	for _, m := range g.sim.Robots() {
		odom[m.Name()] = hear[nav_msgs.Odometry](g, "/"+m.Name()+"/odom", ros2.DefaultQoS())
	}
	static := hear[tf2_msgs.TFMessage](g, "/tf_static", ros2.TFStaticQoS())
	move := say[geometry_msgs.Twist](g, "/epuck2/cmd_vel")
	for range 20 {
		move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
		g.run(100 * time.Millisecond)
	}
	for name, m := range odom {
		want := 0.0
		if name == "epuck2" {
			want = 0.2
		}
		if math.Abs(m.Pose.Pose.Position.X-want) > 0.01 {
			t.Errorf("%s went %g m, want %g", name, m.Pose.Pose.Position.X, want)
		}
		if m.Header.FrameID != name+"/odom" || m.ChildFrameID != name+"/base_link" || m.Header.Stamp.Sec == 0 {
			t.Errorf("%s: frames %q and %q", name, m.Header.FrameID, m.ChildFrameID)
		}
	}
	if len(static.Transforms) == 0 {
		t.Error("no static transforms for one that comes late")
	}
	g.run(time.Second) // no more commands come
	at := odom["epuck2"].Pose.Pose.Position.X
	g.run(time.Second)
	if odom["epuck2"].Pose.Pose.Position.X != at || odom["epuck2"].Twist.Twist.Linear.X != 0 {
		t.Error("the robot keeps driving without commands")
	}
}

// interfaceOf lists what a robot's node offers and asks for: name, type, direction and quality of service of each
// topic, name and type of each service.
func interfaceOf(g *rig) (all []string) {
	graph := g.node.Graph()
	for _, e := range graph.Endpoints {
		if e.Node.Name == driver.NodeName {
			all = append(all, fmt.Sprint(e.Topic, " ", e.Type, " ", e.Kind, " ", e.QoS))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A functional robot has the interface of one with a driver: topics, types, quality of service, services. The driver's
// optional parts are initialised in sequence.
func TestLevelsHaveTheSameInterface(t *testing.T) {
	functional := interfaceOf(newRig(t, "empty", world.LevelFunctional))
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	g := newRigOf(t, w, sim.Options{Settled: true}, fleet.Config{})
	for range 100 {
		g.run(100 * time.Millisecond)
	}
	firmware := interfaceOf(g)
	if len(functional) < 60 || !slices.Equal(functional, firmware) {
		for _, f := range functional {
			if !slices.Contains(firmware, f) {
				t.Errorf("functional only: %s", f)
			}
		}
		for _, f := range firmware {
			if !slices.Contains(functional, f) {
				t.Errorf("firmware only: %s", f)
			}
		}
		t.Errorf("%d and %d", len(functional), len(firmware))
	}
}

// Joint commands turn the wheels as asked for, and one that lacks a wheel is ignored.
func TestJointCommands(t *testing.T) {
	g := newRig(t, "plane", world.LevelFunctional)
	turn := say[sensor_msgs.JointState](g, "/epuck/joint_commands")
	turn(&sensor_msgs.JointState{Name: []string{"right_wheel_joint", "left_wheel_joint"}, Velocity: []float64{3, 1}})
	g.run(100 * time.Millisecond)
	truth := sim.RobotsOf[*sim.Functional](g.sim)[0].GroundTruth()
	if math.Abs(truth.LeftSpeed-1) > 0.05 || math.Abs(truth.RightSpeed-3) > 0.05 {
		t.Errorf("wheels at %g and %g rad/s", truth.LeftSpeed, truth.RightSpeed)
	}
	turn(&sensor_msgs.JointState{Name: []string{"left_wheel_joint"}, Velocity: []float64{6}})
	g.run(100 * time.Millisecond)
	if after := sim.RobotsOf[*sim.Functional](g.sim)[0].GroundTruth(); after.LeftSpeed != truth.LeftSpeed {
		t.Errorf("half a command was obeyed: %g rad/s", after.LeftSpeed)
	}
}

// A functional robot measures what is before it.
func TestFunctionalSensors(t *testing.T) {
	g := newRig(t, "arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.42, 0]}]", world.LevelFunctional)
	front := hear[jazzy.Range](g, "/r/ps0", ros2.DefaultQoS())
	back := hear[jazzy.Range](g, "/r/ps3", ros2.DefaultQoS())
	ahead := hear[jazzy.Range](g, "/r/tof", ros2.DefaultQoS())
	ground := hear[jazzy.Range](g, "/r/gs1", ros2.DefaultQoS())
	g.run(200 * time.Millisecond)
	if r := float64(front.Range); !(r > 0.01 && r < 0.08) && !math.IsInf(r, 1) || front.Header.FrameID != "r/ps0" {
		t.Errorf("front %+v", front)
	}
	if !math.IsInf(float64(back.Range), 1) {
		t.Errorf("back %v", back.Range)
	}
	if r := float64(ahead.Range); math.Abs(r-0.055) > 0.02 {
		t.Errorf("ahead %v", r)
	}
	if r := float64(ground.Range); !(r < 0.01) {
		t.Errorf("ground %v over white", r)
	}
}

// Messages by infrared go from topic to topic, between robots of any level.
func TestRangeAndBearing(t *testing.T) {
	g := newRig(t, "range_and_bearing: {loss: 0}\nrobots: [{name: a}, {name: b, position: [0, 0.2]}]", world.LevelFunctional)
	heard := hear[std_msgs.Float64MultiArray](g, "/a/"+fleet.TopicHeard, ros2.DefaultQoS())
	send := say[std_msgs.UInt8MultiArray](g, "/b/"+fleet.TopicSay)
	g.run(100 * time.Millisecond)
	send(&std_msgs.UInt8MultiArray{Data: []byte("hi")})
	g.run(110 * time.Millisecond)
	if d := heard.Data; len(d) != fleet.HeardColumns || math.Abs(d[0]-0.2) > 0.05 || math.Abs(d[1]-math.Pi/2) > 0.5 ||
		d[2] != 2 || d[3] != 'h' || d[4] != 'i' || d[5] != 0 {
		t.Errorf("heard %v", d)
	}
	g.run(100 * time.Millisecond)
	if len(heard.Data) != 0 {
		t.Error("heard twice")
	}
	send(&std_msgs.UInt8MultiArray{Data: make([]byte, sim.MaxMessage+1)}) // refused with a word in the log
	g.run(110 * time.Millisecond)
	if len(heard.Data) != 0 {
		t.Error("heard a message that is too long")
	}
}

// Robots come and go while the fleet runs; their nodes do, too.
func TestLeavingSubscribersAndClosedPublishers(t *testing.T) {
	g := newRig(t, "swarm", world.LevelFunctional)
	nodes := func() (names []string) {
		for _, n := range g.node.Graph().Nodes {
			if n.Name == driver.NodeName {
				names = append(names, n.Namespace)
			}
		}
		slices.Sort(names)
		return names
	}
	if got := nodes(); !slices.Equal(got, []string{"/epuck1", "/epuck2", "/epuck3"}) {
		t.Fatalf("nodes in %v", got)
	}
	w, err := sim.LoadWorld("swarm")
	if err != nil {
		t.Fatal(err)
	}
	late := w.Robots[0]
	late.Name, late.Position, late.Level = "late", world.Point{0.5, 0.5}, world.LevelFunctional
	m, err := g.sim.Spawn(late)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.sim.Remove("epuck2"); err != nil {
		t.Fatal(err)
	}
	if err := g.fleet.Follow(); err != nil {
		t.Fatal(err)
	}
	if got := nodes(); !slices.Equal(got, []string{"/epuck1", "/epuck3", "/late"}) || g.fleet.Len() != 3 {
		t.Errorf("nodes in %v", got)
	}
	if err := g.fleet.Add(m); !errors.Is(err, fleet.ErrName) {
		t.Errorf("twice: %v", err)
	}
	if err := g.fleet.Remove("epuck2"); !errors.Is(err, fleet.ErrName) {
		t.Errorf("one that has gone: %v", err)
	}
	g.run(100 * time.Millisecond)
}
