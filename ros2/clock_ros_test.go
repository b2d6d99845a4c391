// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// simulator returns a function that publishes the time on /clock.
func simulator(t *testing.T, tr ros2.Transport) (publishTime func(seconds int32), p *ros2.Publisher[rosgraph_msgs.Clock]) {
	t.Helper()
	p, err := ros2.NewPublisher[rosgraph_msgs.Clock](newNode(t, tr, "simulator"), "/clock", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	return func(seconds int32) {
		if err := p.Publish(&rosgraph_msgs.Clock{Clock: builtin_interfaces.Time{Sec: seconds}}); err != nil {
			t.Error(err)
		}
	}, p
}

func setSimTime(t *testing.T, n *ros2.Node, on bool) {
	t.Helper()
	if err := n.Parameters().SetAtomically(ros2.Parameter{Name: "use_sim_time", Value: ros2.BoolValue(on)}); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

func TestROSClock(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		publishTime, pub := simulator(t, tr)
		n := newNode(t, tr, "n")
		c, err := ros2.NewROSClock(n)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if c.Simulated() || !c.Now().Equal(n.Now()) || pub.HasSubscribers() {
			t.Error("time is simulated without the parameter")
		}
		real := c.NewTimer(time.Second)
		setSimTime(t, n, true)
		if !c.Simulated() || !c.Now().IsZero() || !pub.HasSubscribers() {
			t.Errorf("before the first /clock message it is %v", c.Now())
		}
		publishTime(100)
		if got := c.Now(); !got.Equal(time.Unix(100, 0)) {
			t.Errorf("it is %v, /clock says 100 s", got)
		}
		simulated := c.NewTimer(5 * time.Second)
		time.Sleep(time.Minute)
		if _, ok := fired(simulated); ok {
			t.Error("a simulated timer fired while simulated time stood still")
		}
		if _, ok := fired(real); !ok {
			t.Error("a timer begun on the node's clock was stopped")
		}
		publishTime(104)
		if _, ok := fired(simulated); ok {
			t.Error("fired a second early")
		}
		publishTime(105)
		if at, ok := fired(simulated); !ok || !at.Equal(time.Unix(105, 0)) {
			t.Errorf("fired %v at %v", ok, at)
		}
		publishTime(7) // the simulation restarts
		if got := c.Now(); !got.Equal(time.Unix(7, 0)) {
			t.Errorf("after a jump back it is %v", got)
		}
		setSimTime(t, n, false)
		if c.Simulated() || !c.Now().Equal(n.Now()) || pub.HasSubscribers() {
			t.Error("time is simulated after the parameter was cleared")
		}
		setSimTime(t, n, true)
		if !c.Now().IsZero() {
			t.Errorf("a new simulation begins at %v", c.Now())
		}
		c.Close()
		c.Close()
		if pub.HasSubscribers() {
			t.Error("Close leaves the subscription")
		}
	})
}

func TestROSClockInitiallySimulated(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		publishTime, _ := simulator(t, tr)
		n := newNode(t, tr, "n", "--ros-args", "-p", "use_sim_time:=true", "-p", "qos_overrides./clock.subscription.depth:=3")
		c, err := ros2.NewROSClock(n)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		publishTime(3)
		if !c.Simulated() || !c.Now().Equal(time.Unix(3, 0)) {
			t.Errorf("simulated %v, %v", c.Simulated(), c.Now())
		}
		// Switched back and forth faster than the worker can follow: the last value applies.
		for i := range 10 {
			v := ros2.BoolValue(i%2 == 1)
			if err := n.Parameters().SetAtomically(ros2.Parameter{Name: "use_sim_time", Value: v}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if !c.Simulated() {
			t.Error("the last change is lost")
		}
	})
}

func TestROSClockErrors(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := newNode(t, tr, "n", "--ros-args", "-p", "use_sim_time:=true")
		closed := newNode(t, tr, "closed", "--ros-args", "-p", "use_sim_time:=true")
		closed.Close()
		if _, err := ros2.NewROSClock(closed); !errors.Is(err, ros2.ErrClosed) {
			t.Errorf("on a closed node: %v", err)
		}
		if err := n.Parameters().Undeclare("use_sim_time"); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewROSClock(n); !errors.Is(err, ros2.ErrNotDeclared) {
			t.Errorf("without the parameter: %v", err)
		}
		lost := newNode(t, tr, "lost")
		c, err := ros2.NewROSClock(lost)
		if err != nil {
			t.Fatal(err)
		}
		lost.Close()
		setSimTime(t, lost, true)
		if c.Simulated() {
			t.Error("simulated although the node is closed")
		}
		c.Close()
	})
}
