// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// start runs a view of an example world on a network in memory and returns a node of another machine.
func start(t *testing.T, name string) (*sim.Simulation, *ros2.Node) {
	t.Helper()
	s, user, _ := view(t, name)
	return s, user
}

func view(t *testing.T, name string) (*sim.Simulation, *ros2.Node, *groundtruth.View) {
	t.Helper()
	w, err := sim.LoadWorld(name)
	if err != nil {
		t.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now, Sleep: clock.Sleep})
	if err != nil {
		t.Fatal(err)
	}
	ether := ros2test.NewNetwork()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "simulator", Transport: ether.NewTransport()})
	if err != nil {
		t.Fatal(err)
	}
	robots := map[string]groundtruth.Robot{}
	for _, r := range sim.RobotsOf[*sim.Firmware](s) {
		robots["/"+r.Name()] = r
	}
	v, err := groundtruth.New(groundtruth.Config{Node: node, World: w, Simulation: s, Robots: robots, Rate: 1000})
	if err != nil {
		t.Fatal(err)
	}
	user, err := ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: ether.NewTransport()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{v.Close(), v.Close(), node.Close(), user.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return s, user, v
}

// receive returns the next value of a channel. It ends the test if there is none within a minute.
func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case v := <-from:
		return v
	case <-ctx.Done():
		t.Fatalf("nothing came from %s: %v", what, ctx.Err())
		panic("not reached")
	}
}

func TestLateSubscribersReceiveTheWorld(t *testing.T) {
	_, user := start(t, "arena")
	got := make(chan *visualization_msgs.MarkerArray, 1)
	if _, err := ros2.Listen(user, "/world", ros2.LatchedQoS(), func(m *visualization_msgs.MarkerArray) { got <- m }); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, m := range receive(t, got, "/world").Markers {
		kinds[m.NS]++
		if m.Header.FrameID != groundtruth.Frame || m.Color.A != 1 || m.Scale.X <= 0 {
			t.Errorf("%+v", m)
		}
	}
	if fmt.Sprint(kinds) != "map[arena:4 boxes:2 cylinders:1 lights:1]" {
		t.Error(kinds)
	}
}

func TestTruthFollowsTheRobot(t *testing.T) {
	s, user := start(t, "arena")
	r := sim.RobotsOf[*sim.Firmware](s)[0]
	if err := r.Place(sim.Pose{X: 0.1, Y: -0.2, Theta: math.Pi / 2}); err != nil {
		t.Fatal(err)
	}
	got := make(chan nav_msgs.Odometry, 1)
	sub, err := ros2.Listen(user, "/epuck/ground_truth", ros2.DefaultQoS(), func(m *nav_msgs.Odometry) {
		select {
		case got <- *m:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	m := receive(t, got, "/epuck/ground_truth")
	p, q := m.Pose.Pose.Position, m.Pose.Pose.Orientation
	if p.X != 0.1 || p.Y != -0.2 || math.Abs(q.Z-math.Sqrt2/2) > 1e-12 || m.Header.FrameID != "world" {
		t.Errorf("%+v", m.Pose)
	}
	receive(t, got, "/epuck/ground_truth, the second time")
	if err := sub.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestEveryExampleWorldCanBeDrawn: markers have sizes and only finite numbers.
func TestEveryExampleWorldCanBeDrawn(t *testing.T) {
	for _, name := range sim.ExampleWorlds() {
		w, err := sim.LoadWorld(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range groundtruth.Markers(w).Markers {
			sum := m.Pose.Position.X + m.Pose.Position.Y + m.Scale.X + m.Scale.Y
			if math.IsNaN(sum) || math.IsInf(sum, 0) || m.Scale.X <= 0 {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

// TestAddedRobotsArePublishedUntilRemoved: a robot's true poses are published from its addition to its removal.
func TestAddedRobotsArePublishedUntilRemoved(t *testing.T) {
	s, user, v := view(t, "arena")
	late := sim.RobotsOf[*sim.Firmware](s)[0]
	if err := v.Add("/epuck", late); !errors.Is(err, groundtruth.ErrConfig) {
		t.Error("the same namespace twice:", err)
	}
	for range 2 {
		if err := v.Add("/late", late); err != nil {
			t.Fatal(err)
		}
		got, publishers := make(chan struct{}, 1), make(chan int, 9)
		sub, err := ros2.Listen(user, "/late/ground_truth", ros2.DefaultQoS(), func(*nav_msgs.Odometry) {
			select {
			case got <- struct{}{}:
			default:
			}
		}, ros2.OnPublishers(func(n int) { publishers <- n }))
		if err != nil {
			t.Fatal(err)
		}
		receive(t, got, "/late/ground_truth")
		for range 2 { // the second time there is none
			if err := v.Remove("/late"); err != nil {
				t.Fatal(err)
			}
		}
		for receive(t, publishers, "the count of publishers, 0 in the end") != 0 {
		}
		if err := sub.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWorldIsPublishedAgain: after objects have moved, and after persons were added and removed.
func TestWorldIsPublishedAgain(t *testing.T) {
	s, user, _ := view(t, "arena")
	news := make(chan []visualization_msgs.Marker, 99)
	sub, err := ros2.Listen(user, "/world", ros2.LatchedQoS(), func(m *visualization_msgs.MarkerArray) { news <- m.Markers })
	if err != nil {
		t.Fatal(err)
	}
	first := receive(t, news, "/world")
	person := sim.DefaultPerson()
	person.Name, person.Radius = "walker", 0.02
	for person.Pose.X = -0.3; s.Admit(person) != nil; person.Pose.X += 0.1 {
		if person.Pose.X > 0.3 {
			t.Fatal("no free place")
		}
	}
	if second := receive(t, news, "/world, with the person"); len(second) != len(first)+2 || second[0].Action != visualization_msgs.MarkerDeleteAll || second[len(second)-1].Pose.Position.X != person.Pose.X {
		t.Errorf("%d things, before %d", len(second), len(first))
	}
	if err := s.Dismiss("walker"); err != nil {
		t.Fatal(err)
	}
	third := receive(t, news, "/world, without the person")[1:]
	for i, m := range first {
		if d := distance(third[i].Pose.Position, m.Pose.Position); d > 1e-9 || third[i].NS != m.NS {
			t.Errorf("%s: moved by %g m", m.NS, d)
		}
	}
	if err := sub.Close(); err != nil {
		t.Fatal(err)
	}
}
