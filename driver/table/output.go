// SPDX-License-Identifier: Apache-2.0

package table

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Output is a topic that is published from readings. It belongs to the bus goroutine, except for Status.
type Output interface {
	// Publish sends a message built from the reading, if it is due.
	Publish(r *Reading) error
	// Announce sends messages that are published once, before the first reading; r has only the stamp and the
	// settings.
	Announce(r *Reading) error
	// Wanted reports whether there is a subscriber.
	Wanted() bool
	// Status is safe for concurrent use.
	Status() health.TopicStatus
	Close() error
}

// Feed is the output of messages of type T. Each message is built in place, so that nothing is allocated.
type Feed[T any] struct {
	name    string
	pub     *ros2.Publisher[T]
	build   func(m *T, r *Reading) bool // builds m; false means that there is nothing to publish
	when    When
	latched bool // late subscribers get the message, too
	Msg     T
	sent    atomic.Uint32 // wraps after years; an ARM1176 counts 64 bits under a lock
}

// NewFeed creates a topic of a row of the table of topics.
func NewFeed[T any, P ros2.MessageOf[T]](n *ros2.Node, row Topic, name string, build func(m *T, r *Reading) bool) (*Feed[T], error) {
	var options []ros2.PublisherOption
	if row.demand != nil {
		options = append(options, ros2.OnSubscribers(row.demand.counter()))
	}
	pub, err := ros2.NewPublisher[T, P](n, name, row.QoS, options...)
	if err != nil {
		return nil, err
	}
	return &Feed[T]{
		name: name, pub: pub, build: build,
		when: row.When, latched: row.QoS.Durability == ros2.TransientLocal,
	}, nil
}

// Publish implements [Output]: only messages with a subscriber are built.
func (t *Feed[T]) Publish(r *Reading) error {
	if t.when == Once {
		return nil
	}
	wanted := t.latched || t.pub.HasSubscribers()
	if !wanted && t.when != OnChange { // topics published on change must follow all readings
		return nil
	}
	if !t.build(&t.Msg, r) || !wanted {
		return nil
	}
	return t.Send()
}

// Announce implements [Output] for messages that are published once. The message is not kept: the publisher has its
// own copy.
func (t *Feed[T]) Announce(r *Reading) error {
	if t.when != Once || !t.build(&t.Msg, r) {
		return nil
	}
	err := t.Send()
	t.Msg = *new(T)
	return err
}

// Send publishes Msg.
func (t *Feed[T]) Send() error {
	t.sent.Add(1)
	return t.pub.Publish(&t.Msg)
}

// Wanted implements [Output].
func (t *Feed[T]) Wanted() bool { return t.pub.HasSubscribers() }

// Status implements [Output].
func (t *Feed[T]) Status() health.TopicStatus {
	return health.TopicStatus{Name: t.name, Subscribers: t.pub.SubscriptionCount(), Messages: uint64(t.sent.Load())}
}

// Close closes the topic.
func (t *Feed[T]) Close() error { return t.pub.Close() }
