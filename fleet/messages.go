// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Topics of messages between robots by infrared, relative to the robot's namespace.
const (
	// topicHeard has the messages that a robot received in the latest exchange, every 100 ms while there is a
	// subscriber: std_msgs/msg/Float64MultiArray with a row per message: range (m), bearing (rad), length of the
	// message in bytes, and then sim.MaxMessage elements for its bytes.
	topicHeard = "range_and_bearing/in"
	// topicSay sends a message to all robots in range at the next exchange, once: std_msgs/msg/UInt8MultiArray of at
	// most sim.MaxMessage bytes.
	topicSay = "range_and_bearing/out"
	// heardColumns is the length of a row of topicHeard.
	heardColumns = 3 + sim.MaxMessage
)

// talk is a robot's interface for messages by infrared. The methods of a nil talk do nothing.
type talk struct {
	member    sim.Robot
	pub       *ros2.Publisher[std_msgs.Float64MultiArray]
	sub       *ros2.Subscription[std_msgs.UInt8MultiArray]
	heard     []sim.Heard
	published int64 // number of the exchange that was published last
	m         std_msgs.Float64MultiArray
}

func newTalk(m sim.Robot, n *ros2.Node) (*talk, error) {
	t := &talk{member: m, published: -1}
	var err error
	t.pub, err = ros2.NewPublisher[std_msgs.Float64MultiArray](n, topicHeard, ros2.DefaultQoS(), ros2.OnSubscribers(func(count int) {
		m.Listen(count > 0)
	}))
	if err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	t.sub, err = ros2.NewSubscription(n, topicSay, ros2.DefaultQoS(), func(s *std_msgs.UInt8MultiArray, _ ros2.MessageInfo) {
		if err := m.Say(s.Data); err != nil {
			n.Logger().Warn("a message between robots was rejected", "error", err)
		}
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fleet: %w", err), t.pub.Close())
	}
	return t, nil
}

// step publishes the messages received since the last step.
func (t *talk) step() error {
	if t == nil || !t.pub.HasSubscribers() {
		return nil
	}
	heard, at := t.member.Hear(t.heard[:0])
	t.heard = heard
	if at < 0 || int64(at) == t.published {
		return nil
	}
	t.published = int64(at)
	t.m.Data = t.m.Data[:0]
	for _, h := range heard {
		row := [heardColumns]float64{h.Range, h.Bearing, float64(len(h.Payload))}
		for i, b := range h.Payload {
			row[3+i] = float64(b)
		}
		t.m.Data = append(t.m.Data, row[:]...)
	}
	t.m.Layout.Dim = append(t.m.Layout.Dim[:0],
		std_msgs.MultiArrayDimension{Label: "message", Size: uint32(len(heard)), Stride: uint32(len(t.m.Data))},
		std_msgs.MultiArrayDimension{Label: "range, bearing, length, bytes", Size: heardColumns, Stride: heardColumns})
	return t.pub.Publish(&t.m)
}

func (t *talk) close() error {
	if t == nil {
		return nil
	}
	err := errors.Join(t.pub.Close(), t.sub.Close())
	t.member.Listen(false)
	return err
}
