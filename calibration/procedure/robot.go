// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// The errors of a robot.
var (
	// ErrSilent is matched when a required topic or service does not respond.
	ErrSilent = errors.New("calibrate: the robot does not respond")
	// errStuck is matched when the wheels do not follow their commands.
	errStuck = errors.New("calibrate: the wheels do not turn")
	// errRefused is matched when the robot rejects a request, with its reason.
	errRefused = errors.New("calibrate: the robot rejects the request")
)

const (
	messageTimeout = 3 * time.Second // for the next message of a topic of 20 Hz
	serviceTimeout = 10 * time.Second
)

// Robot is the robot that is calibrated, controlled by topics and services. Close it: that stops the wheels.
type Robot struct {
	node   *ros2.Node
	driver string // name of the driver's node
	cmd    *ros2.Publisher[geometry_msgs.Twist]
	joints *Stream[sensor_msgs.JointState]
}

// NewRobot connects to a robot: node is in its network and namespace, driver is the name of the driver's node there.
func NewRobot(node *ros2.Node, driver string) (*Robot, error) {
	r := &Robot{node: node, driver: driver}
	var err error
	if r.cmd, err = ros2.NewPublisher[geometry_msgs.Twist](node, "cmd_vel", ros2.DefaultQoS()); err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if r.joints, err = listen[sensor_msgs.JointState](node, "joint_states"); err != nil {
		return nil, errors.Join(err, r.cmd.Close())
	}
	return r, nil
}

// Close stops the wheels and closes publisher and subscription, but not the node.
func (r *Robot) Close() error { return errors.Join(r.stop(), r.joints.Close(), r.cmd.Close()) }

// stop sends zero velocity three times, in case one is lost; after a longer loss the robot's own time-out stops the
// wheels.
func (r *Robot) stop() error {
	var errs []error
	for range 3 {
		errs = append(errs, r.cmd.Publish(&geometry_msgs.Twist{}))
	}
	return errors.Join(errs...)
}

// trigger calls a service without arguments, such as calibrate_ir.
func (r *Robot) trigger(ctx context.Context, name string) error {
	c, err := ros2.NewClient[std_srvs.TriggerRequest, std_srvs.TriggerResponse](r.node, std_srvs.Trigger{}, name)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, 2*serviceTimeout)
	defer cancel()
	if err := c.WaitAvailable(ctx); err != nil {
		text := waiting.Text(r.node.Graph(), waiting.Peer{Kind: ros2.ServiceEndpoint, Name: c.Name(), Type: std_srvs.Trigger{}.ROSType(), Own: r.node.Name()})
		return fmt.Errorf("%w: service %s: %w (%s)", ErrSilent, c.Name(), err, text)
	}
	res, err := c.Call(ctx, &std_srvs.TriggerRequest{})
	if err != nil {
		return fmt.Errorf("%w: service %s: %w", ErrSilent, c.Name(), err)
	}
	if !res.Success {
		return fmt.Errorf("%w: %s: %s", errRefused, c.Name(), res.Message)
	}
	return nil
}

// Stream is a subscription that stores the newest message of a topic.
type Stream[T any] struct {
	sub   interface{ Close() error }
	node  *ros2.Node
	topic string
	peer  waiting.Peer

	mu      sync.Mutex
	latest  T
	count   uint64
	changed chan struct{}
	keep    func(T)
}

// listen subscribes to a topic.
func listen[T any, P ros2.MessageOf[T]](n *ros2.Node, topic string) (*Stream[T], error) {
	s := &Stream[T]{topic: topic, changed: make(chan struct{})}
	sub, err := ros2.NewSubscription[T, P](n, topic, ros2.DefaultQoS(), func(m *T, _ ros2.MessageInfo) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.latest = *m
		s.count++
		if s.keep != nil {
			s.keep(*m)
		}
		close(s.changed)
		s.changed = make(chan struct{})
	}, ros2.MatchAllPublishers())
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	s.sub, s.node = sub, n
	s.peer = waiting.Peer{Kind: ros2.PublisherEndpoint, Name: sub.Topic(), Type: sub.Type(), AnyQoS: true, Own: n.Name()}
	return s, nil
}

// Close ends the subscription.
func (s *Stream[T]) Close() error { return s.sub.Close() }

// Keep calls a function with every message from now on, in order; nil ends it.
func (s *Stream[T]) Keep(f func(T)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep = f
}

// next returns the newest message with a number above n, and its number; it waits for one if necessary. The error
// matches [ErrSilent] if none arrives in messageTimeout, or is the context's.
func (s *Stream[T]) next(ctx context.Context, n uint64) (T, uint64, error) {
	return s.within(ctx, n, messageTimeout)
}

func (s *Stream[T]) within(ctx context.Context, n uint64, limit time.Duration) (T, uint64, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		s.mu.Lock()
		m, count, changed := s.latest, s.count, s.changed
		s.mu.Unlock()
		switch {
		case ctx.Err() != nil: // also for a caller that is slower than the topic
			return m, n, context.Cause(ctx)
		case count > n:
			return m, count, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return m, n, context.Cause(ctx)
		case <-timer.C:
			return m, n, fmt.Errorf("%w: nothing on topic %q for %v (%s): is the robot on, in this network, ROS_DOMAIN_ID and namespace?",
				ErrSilent, s.topic, limit, waiting.Text(s.node.Graph(), s.peer))
		}
	}
}

// now returns the number of the newest message.
func (s *Stream[T]) now() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}
