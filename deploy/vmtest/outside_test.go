// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// outside is a ROS 2 node on this side of the cable: it hears odom and may drive.
type outside struct {
	node   *ros2.Node
	heard  atomic.Int64
	missed atomic.Int64 // by the publisher's running numbers
	last   atomic.Pointer[nav_msgs.Odometry]
	turn   atomic.Int64 // speed to publish, mrad/s; 0: publish nothing

	previous ros2.MessageInfo // of the callback alone
}

// hear takes a message of odom.
func (o *outside) hear(m *nav_msgs.Odometry, info ros2.MessageInfo) {
	if o.previous.Publisher == info.Publisher {
		o.missed.Add(max(0, info.Sequence-o.previous.Sequence-1))
	}
	o.previous = info
	o.last.Store(m)
	o.heard.Add(1)
}

// goOutside puts the node on the network, in a domain and namespace; it leaves with the test.
func goOutside(t *testing.T, domain uint32, namespace string) *outside {
	t.Helper()
	transport, err := rmw.New(rmw.Config{DomainID: domain})
	if err != nil {
		t.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "outside", Namespace: namespace, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	o := &outside{node: node}
	if _, err := ros2.NewSubscription[nav_msgs.Odometry](node, "odom", ros2.DefaultQoS(), o.hear); err != nil {
		t.Fatal(err)
	}
	drive, err := ros2.NewPublisher[geometry_msgs.Twist](node, "cmd_vel", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var helper sync.WaitGroup
	helper.Go(func() { o.publish(ctx, drive) })
	t.Cleanup(func() {
		stop()
		helper.Wait()
		if err := node.Close(); err != nil {
			t.Error(err)
		}
		if err := transport.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// publish sends the speed ten times a second, as a joystick does.
func (o *outside) publish(ctx context.Context, drive *ros2.Publisher[geometry_msgs.Twist]) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if turn := o.turn.Load(); turn != 0 {
			_ = drive.Publish(&geometry_msgs.Twist{Angular: geometry_msgs.Vector3{Z: float64(turn) / 1000}})
		}
	}
}

// drive turns the robot on the spot from now on, or leaves it to itself.
func (o *outside) drive(on bool) {
	if on {
		o.turn.Store(1000)
		return
	}
	o.turn.Store(0)
}

// hears waits for messages of odom that were sent after the call began.
func (o *outside) hears(g *guest) {
	g.t.Helper()
	before := o.heard.Load()
	g.await("heard from outside", func() (bool, string) {
		n := o.heard.Load() - before
		return n > 5, fmt.Sprintf("%d messages", n)
	})
}
