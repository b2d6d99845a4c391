// SPDX-License-Identifier: Apache-2.0

package typewatch_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/typewatch"
)

// node joins a network.
func node(t *testing.T, transport ros2.Transport, name string) *ros2.Node {
	t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

// watch begins to watch and gives what is logged.
func watch(t *testing.T, n *ros2.Node, stamped bool) (*typewatch.Watch, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	cfg := typewatch.Config{Topic: "cmd_vel", Ours: "geometry_msgs/msg/Twist", Other: "geometry_msgs/msg/TwistStamped", Warning: "another message type"}
	if stamped {
		cfg.Ours, cfg.Other = cfg.Other, cfg.Ours
	}
	w, err := typewatch.New(n, cfg, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w, &log
}

// TestTheOtherTypeIsNamedOnce: with the node that publishes it, and again when it has gone and comes back.
func TestTheOtherTypeIsNamedOnce(t *testing.T) {
	transport := ros2test.NewTransport()
	defer transport.Close()
	w, log := watch(t, node(t, transport, "robot"), false)
	user := node(t, transport, "nav")
	now := time.Unix(0, 0)
	check := func(lines int) {
		t.Helper()
		now = now.Add(typewatch.Pause + 1)
		w.Check(now)
		if got := strings.Count(log.String(), "another message type"); got != lines {
			t.Errorf("%d lines, want %d\n%s", got, lines, log)
		}
	}
	check(0)
	for i := range 2 {
		p, err := ros2.NewPublisher[geometry_msgs.TwistStamped](user, "cmd_vel", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		check(i + 1)
		check(i + 1)
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		check(i + 1)
	}
	if !strings.Contains(log.String(), "publisher=/nav") || !strings.Contains(log.String(), "subscribed=geometry_msgs/msg/Twist\n") {
		t.Errorf("%s", log)
	}
}

func TestTheRightTypeIsNotNamed(t *testing.T) {
	for _, stamped := range []bool{false, true} {
		transport := ros2test.NewTransport()
		defer transport.Close()
		w, log := watch(t, node(t, transport, "robot"), stamped)
		user := node(t, transport, "nav")
		var err error
		if stamped {
			_, err = ros2.NewPublisher[geometry_msgs.TwistStamped](user, "cmd_vel", ros2.DefaultQoS())
		} else {
			_, err = ros2.NewPublisher[geometry_msgs.Twist](user, "cmd_vel", ros2.DefaultQoS())
		}
		if err != nil {
			t.Fatal(err)
		}
		w.Check(time.Unix(10, 0))
		if log.Len() > 0 {
			t.Errorf("stamped %v: %s", stamped, log)
		}
	}
}

// TestGraphsThatChangeOftenAreLookedAtSeldom: the second change within the pause waits, unless the clock went back.
func TestGraphsThatChangeOftenAreLookedAtSeldom(t *testing.T) {
	transport := ros2test.NewTransport()
	defer transport.Close()
	w, log := watch(t, node(t, transport, "robot"), false)
	user := node(t, transport, "nav")
	now := time.Unix(1000, 0)
	w.Check(now)
	if _, err := ros2.NewPublisher[geometry_msgs.TwistStamped](user, "cmd_vel", ros2.DefaultQoS()); err != nil {
		t.Fatal(err)
	}
	w.Check(now.Add(typewatch.Pause - 1))
	if log.Len() > 0 {
		t.Errorf("too early: %s", log)
	}
	w.Check(now.Add(-time.Hour))
	if log.Len() == 0 {
		t.Error("not looked at after the clock went back")
	}
}
