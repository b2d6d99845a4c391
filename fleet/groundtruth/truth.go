// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// truth publishes the true pose of one robot.
type truth struct {
	robot        Robot
	pub          *ros2.Publisher[nav_msgs.Odometry]
	closeOutline func() error

	mu        sync.Mutex
	fresh     bool // a subscriber was added since the latest publication
	published sim.Pose
}

func (v *View) newTruth(namespace string, robot Robot) (*truth, error) {
	t := &truth{robot: robot}
	var err error
	if t.closeOutline, err = outline(v.node, namespace, robot); err != nil {
		return nil, err
	}
	t.pub, err = ros2.NewPublisher[nav_msgs.Odometry](v.node, topicIn(namespace, "ground_truth"), ros2.DefaultQoS().WithDepth(1), ros2.OnSubscribers(func(count int) {
		if count > 0 {
			t.subscribed()
			select {
			case v.wake <- struct{}{}:
			default:
			}
		}
	}))
	if err != nil {
		return nil, errors.Join(err, t.closeOutline())
	}
	return t, nil
}

func (t *truth) subscribed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fresh = true
}

func (t *truth) close() error { return errors.Join(t.pub.Close(), t.closeOutline()) }

// publishTruths publishes the true poses of all robots that have subscribers, at the multiples of the period of
// simulated time.
func (v *View) publishTruths() {
	for {
		select {
		case <-v.stop:
			return
		case <-v.wake:
		}
		if !v.publishWhileSubscribed() {
			return
		}
	}
}

// publishWhileSubscribed publishes until there is no subscriber; it returns false when the view is closed.
func (v *View) publishWhileSubscribed() bool {
	timer := v.clock.NewTimer(v.untilNext())
	defer timer.Stop()
	for v.subscribed() {
		select {
		case <-v.stop:
			return false
		case <-timer.C():
		}
		for _, t := range v.all() {
			if t.pub.HasSubscribers() {
				t.publish(v.clock)
			}
		}
		timer.Reset(v.untilNext())
	}
	return true
}

// untilNext returns the time until the next multiple of the period.
func (v *View) untilNext() time.Duration {
	now := v.clock.Now().UnixNano()
	return v.period - time.Duration(now%int64(v.period))
}

// subscribed reports whether any true pose has a subscriber.
func (v *View) subscribed() bool {
	return slices.ContainsFunc(v.all(), func(t *truth) bool { return t.pub.HasSubscribers() })
}

// all returns the robots in the order of their namespaces.
func (v *View) all() []*truth {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := make([]*truth, 0, len(v.truths))
	for _, namespace := range slices.Sorted(maps.Keys(v.truths)) {
		all = append(all, v.truths[namespace])
	}
	return all
}

// publishChanges publishes the true poses that have changed, and all others that have a new subscriber. It is for a
// paused clock.
func (v *View) publishChanges() {
	for _, t := range v.all() {
		if t.pub.HasSubscribers() && t.changed() {
			t.publish(v.clock)
		}
	}
}

func (t *truth) changed() bool {
	now := t.robot.GroundTruth().Pose
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fresh || now != t.published
}

// publish publishes the robot's state. A failed publication is not an error: the next one follows.
func (t *truth) publish(clock ros2.Clock) {
	now, m := t.robot.GroundTruth(), &nav_msgs.Odometry{}
	t.mu.Lock()
	t.fresh, t.published = false, now.Pose
	t.mu.Unlock()
	m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(clock.Now())
	m.Header.FrameID, m.ChildFrameID = Frame, "base_link"
	m.Pose.Pose.Position = geometry_msgs.Point{X: now.Pose.X, Y: now.Pose.Y}
	m.Pose.Pose.Orientation = heading(now.Pose.Theta)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = now.V, now.Omega
	_ = t.pub.Publish(m)
}
