// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// reading is everything one exchange told: taken once, stamped once, decoded once. It is read only for those that build
// messages from it.
type reading struct {
	stamp   builtin_interfaces.Time // end of the transfer
	sensors mcu.Sensors
	pose    odometry.State
	period  float64 // time since the last published reading in seconds, 0 for the first
	first   bool    // the first one since the start, an outage or a restart of the robot
	ahead   bool    // tof is fresh enough for the scan
	set     *settings

	// What the parts measured last, each with the time of its own transfer.
	tof     tofReading
	imu     imuReading
	ground  groundReading
	mag     magReading
	battery batteryReading
}

// output is a topic that is published from readings. It belongs to the bus goroutine, except for status.
type output interface {
	// publish sends a message made from the reading, if there is a reason to.
	publish(r *reading) error
	// announce sends what is published once, before the first reading; r holds only the stamp and the settings.
	announce(r *reading) error
	// wanted reports whether there is a subscriber.
	wanted() bool
	status() health.TopicStatus
	close() error
}

// topic is the output of messages of type T. Its message is built anew in place each time, so that nothing is
// allocated.
type topic[T any] struct {
	name    string
	pub     *ros2.Publisher[T]
	build   func(m *T, r *reading) bool // fills in m; false means there is nothing to say
	when    When
	latched bool // the message is for those that come later, too
	msg     T
	built   atomic.Uint64
}

// newTopic offers a topic of a row of the table of topics.
func newTopic[T any, P ros2.MessageOf[T]](n *ros2.Node, row Topic, name string, build func(m *T, r *reading) bool) (*topic[T], error) {
	pub, err := ros2.NewPublisher[T, P](n, name, row.QoS)
	if err != nil {
		return nil, err
	}
	return &topic[T]{
		name: name, pub: pub, build: build,
		when: row.When, latched: row.QoS.Durability == ros2.TransientLocal,
	}, nil
}

func (t *topic[T]) publish(r *reading) error {
	if t.when == Once {
		return nil
	}
	wanted := t.latched || t.pub.HasSubscribers()
	if !wanted && t.when != OnChange { // what is published on change must follow the readings all the time
		return nil
	}
	if !t.build(&t.msg, r) || !wanted {
		return nil
	}
	return t.send()
}

func (t *topic[T]) announce(r *reading) error {
	if t.when != Once || !t.build(&t.msg, r) {
		return nil
	}
	return t.send()
}

func (t *topic[T]) send() error {
	t.built.Add(1)
	return t.pub.Publish(&t.msg)
}

func (t *topic[T]) wanted() bool { return t.pub.HasSubscribers() }

func (t *topic[T]) status() health.TopicStatus {
	return health.TopicStatus{Name: t.name, Subscribers: t.pub.SubscriptionCount(), Messages: t.built.Load()}
}

func (t *topic[T]) close() error { return t.pub.Close() }
