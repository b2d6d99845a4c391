// SPDX-License-Identifier: Apache-2.0

package teleop

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/cmdvel"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// commandTopic is the topic of velocity commands.
const commandTopic = "cmd_vel"

// OnHub returns a [Config].Open for a hub's network: robots are namespaces and take cmd_vel as Twist, or as
// TwistStamped if the robot subscribes to that.
func OnHub(h *hub.Hub) func(robot string) (VelocityPublisher, error) {
	return func(robot string) (VelocityPublisher, error) {
		topic := strings.TrimSuffix(robot, "/") + "/" + commandTopic
		rosType := commandType(h, topic)
		r := &twistPublisher{stamped: rosType == cmdvel.TwistStamped}
		var err error
		if r.out, err = h.Advertise(topic, rosType); err != nil {
			return nil, err
		}
		r.out.Ready(context.Background())
		return r, nil
	}
}

// commandType returns the type to publish on a topic: that of its subscribers, Twist if there are none.
func commandType(h *hub.Hub, topic string) string {
	var subscribed []string
	g := h.Graph()
	for _, t := range g.Topics {
		if t.Name == topic && len(t.Subscribers) > 0 {
			subscribed = append(subscribed, t.Type)
		}
	}
	return cmp.Or(cmdvel.Type(subscribed), cmdvel.Twist)
}

// twistPublisher publishes cmd_vel.
type twistPublisher struct {
	out     *hub.Publication
	stamped bool

	mu  sync.Mutex
	buf []byte
}

// Drive implements [VelocityPublisher].
func (r *twistPublisher) Drive(v, w float64) (err error) {
	twist := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: v}, Angular: geometry_msgs.Vector3{Z: w}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stamped {
		m := geometry_msgs.TwistStamped{Twist: twist}
		m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(time.Now())
		r.buf, err = cdr.Marshal(r.buf[:0], &m)
	} else {
		r.buf, err = cdr.Marshal(r.buf[:0], &twist)
	}
	if err != nil {
		return err
	}
	return r.out.Send(r.buf)
}

// Close implements [VelocityPublisher].
func (r *twistPublisher) Close() { r.out.Close() }

// CommandTopic is a topic of velocity commands; messages published on it go through the arbiter.
type CommandTopic struct {
	// Robot is the namespace of the robot.
	Robot   string
	stamped bool
}

// CommandTopicOf returns the command topic of that name and type; nil for all topics but cmd_vel in a namespace.
func CommandTopicOf(topic, rosType string) *CommandTopic {
	robot, ok := strings.CutSuffix(topic, "/"+commandTopic)
	if !ok || rosType != cmdvel.Twist && rosType != cmdvel.TwistStamped {
		return nil
	}
	if robot == "" {
		robot = "/"
	}
	return &CommandTopic{Robot: robot, stamped: rosType == cmdvel.TwistStamped}
}

// DriveByMessage drives a robot by a Twist or TwistStamped, for clients of protocols without a message to take a
// robot: the first message takes the robot if it is free.
func (h *Arbiter) DriveByMessage(s *CommandTopic, d *Driver, m *dynamic.Message) error {
	if s.stamped {
		m = part(m, "twist")
	}
	v, w := number(part(m, "linear"), "x"), number(part(m, "angular"), "z")
	if err := h.Take(s.Robot, d, false); err != nil {
		return err
	}
	return h.Drive(s.Robot, d, v, w)
}

// part returns the nested message of a field; nil if there is none.
func part(m *dynamic.Message, field string) *dynamic.Message {
	if m == nil {
		return nil
	}
	v, _ := m.Get(field)
	p, _ := v.(*dynamic.Message)
	return p
}

// number returns a field; 0 if there is none.
func number(m *dynamic.Message, field string) float64 {
	if m == nil {
		return 0
	}
	v, _ := m.Get(field)
	x, _ := v.(float64)
	return x
}
