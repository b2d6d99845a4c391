// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestStaticTransformBeforeOdometryIsUsed: static_transform_publisher sends the place of odometry's frame in the map
// once, which is usually before the first odometry.
func TestStaticTransformBeforeOdometryIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := ros2test.NewNetwork()
		join := func(name string) *ros2.Node {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: network.NewTransport()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = n.Close() })
			return n
		}
		robot := join("robot")
		static, err := ros2.NewPublisher[tf2_msgs.TFMessage](robot, "/tf_static", ros2.TFStaticQoS())
		if err != nil {
			t.Fatal(err)
		}
		var tf geometry_msgs.TransformStamped
		tf.Header.FrameID, tf.ChildFrameID = "map", "odom"
		tf.Transform.Translation.X, tf.Transform.Rotation.W = 2, 1
		other := tf
		other.ChildFrameID, other.Transform.Translation.X = "odom_of_another", 3
		if err := static.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{tf, other}}); err != nil {
			t.Fatal(err)
		}
		n, err := New(Config{Node: join("navigator")})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = n.Close() }()
		time.Sleep(time.Second)
		odom, err := ros2.NewPublisher[nav_msgs.Odometry](robot, "odom", ros2.SensorDataQoS())
		if err != nil {
			t.Fatal(err)
		}
		m := nav_msgs.Odometry{}
		m.Header.FrameID, m.Pose.Pose.Orientation.W = "odom", 1
		time.Sleep(time.Second)
		if err := odom.Publish(&m); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.odom != "odom" || n.odomInMap != (mapping.Pose{X: 2}) {
			t.Errorf("odometry's frame %q is at %+v in the map, want x = 2", n.odom, n.odomInMap)
		}
	})
}

// TestExactGoalsEndToo: a robot that is held in front of an exact goal is given up.
func TestExactGoalsEndToo(t *testing.T) {
	withPuppet(t, Config{Exact: true}, func(p *puppet) {
		p.mu.Lock()
		p.held = true
		p.mu.Unlock()
		begun := time.Now()
		err := p.navigator.Drive(p.Context(), one("odom", 0.5, 0), nil)
		if took := time.Since(begun); !errors.Is(err, navigation.ErrStuck) || took > 2*time.Minute {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// TestNoCommandAfterTheEndOfADrive: the speeds that were computed before a drive ended are not published after its stop.
func TestNoCommandAfterTheEndOfADrive(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		ended := &drive{}
		before := p.count()
		p.navigator.commandOf(ended, time.Now(), 0.1, 0)
		time.Sleep(100 * time.Millisecond)
		if n := p.count() - before; n != 0 {
			t.Errorf("%d commands of a drive that has ended", n)
		}
		p.navigator.commandOf(ended, time.Now(), 0, 0)
		time.Sleep(100 * time.Millisecond)
		if n := p.count() - before; n != 1 {
			t.Errorf("%d commands that stop, want 1", n)
		}
	})
}

// count returns the number of commands so far.
func (p *puppet) count() int {
	_, _, _, commands := p.where()
	return commands
}
