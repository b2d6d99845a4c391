// SPDX-License-Identifier: Apache-2.0

package worldview

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Frame is the frame of everything here: x east and y north, as in world files.
const Frame = "world"

// DefaultRate is how often true poses are published, Hz.
const DefaultRate = 20.0

// ErrConfig is matched when a field of [Config] is missing.
var ErrConfig = errors.New("worldview: bad configuration")

// Config describes a [View].
type Config struct {
	// Node publishes. It is required; the view does not close it.
	Node *ros2.Node
	// World is what is shown. It is required.
	World *sim.World
	// Robots are the simulated robots by the namespace of their nodes, as in "/robot1".
	Robots map[string]sim.Member
	// Rate is how often true poses are published, Hz. It defaults to [DefaultRate].
	Rate float64
}

// View publishes a world. It owns its publishers and goroutines; Close ends them.
type View struct {
	things *ros2.Publisher[visualization_msgs.MarkerArray]
	truths []*truth
	stop   chan struct{}
	group  task.Group
}

// truth publishes where one robot is.
type truth struct {
	robot sim.Member
	clock ros2.Clock
	pub   *ros2.Publisher[nav_msgs.Odometry]
	wake  chan struct{} // holds a token after the first subscriber came
}

// New publishes a world, and where its robots are while there is a subscriber to that.
func New(cfg Config) (*View, error) {
	if cfg.Node == nil || cfg.World == nil {
		return nil, fmt.Errorf("%w: Node and World are required", ErrConfig)
	}
	if cfg.Rate <= 0 {
		cfg.Rate = DefaultRate
	}
	v := &View{stop: make(chan struct{})}
	var err error
	if v.things, err = ros2.NewPublisher[visualization_msgs.MarkerArray](cfg.Node, "/world", ros2.LatchedQoS()); err != nil {
		return nil, err
	}
	if err := v.things.Publish(Markers(cfg.World)); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	for namespace, robot := range cfg.Robots {
		t, err := newTruth(cfg.Node, namespace, robot)
		if err != nil {
			return nil, errors.Join(err, v.Close())
		}
		v.truths = append(v.truths, t)
		v.group.Go("ground truth of "+robot.Name(), func() { t.publish(time.Duration(float64(time.Second)/cfg.Rate), v.stop) })
	}
	return v, nil
}

func newTruth(n *ros2.Node, namespace string, robot sim.Member) (*truth, error) {
	topic := "/ground_truth"
	if namespace != "/" {
		topic = namespace + topic
	}
	t := &truth{robot: robot, clock: n.Clock(), wake: make(chan struct{}, 1)}
	var err error
	t.pub, err = ros2.NewPublisher[nav_msgs.Odometry](n, topic, ros2.DefaultQoS().WithDepth(1), ros2.OnSubscribers(func(count int) {
		if count == 0 {
			return
		}
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}))
	return t, err
}

// publish tells where the robot is, once a period while there is a subscriber, and sleeps otherwise.
func (t *truth) publish(period time.Duration, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-t.wake:
		}
		if !t.publishWhileSubscribed(period, stop) {
			return
		}
	}
}

// publishWhileSubscribed publishes until the last subscriber has gone; false after stop.
func (t *truth) publishWhileSubscribed(period time.Duration, stop <-chan struct{}) bool {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for t.pub.HasSubscribers() {
		if t.pub.Publish(t.message()) != nil { // the node was closed
			return true
		}
		select {
		case <-stop:
			return false
		case <-tick.C:
		}
	}
	return true
}

func (t *truth) message() *nav_msgs.Odometry {
	now, m := t.robot.Truth(), &nav_msgs.Odometry{}
	m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(t.clock.Now())
	m.Header.FrameID, m.ChildFrameID = Frame, "base_link"
	m.Pose.Pose.Position = geometry_msgs.Point{X: now.Pose.X, Y: now.Pose.Y}
	m.Pose.Pose.Orientation = heading(now.Pose.Theta)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = now.V, now.Omega
	return m
}

// Close withdraws all topics. Closing twice is harmless.
func (v *View) Close() error {
	select {
	case <-v.stop:
		return nil
	default:
		close(v.stop)
	}
	v.group.Wait()
	errs := []error{v.things.Close()}
	for _, t := range v.truths {
		errs = append(errs, t.pub.Close())
	}
	return errors.Join(errs...)
}
