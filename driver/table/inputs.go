// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Commands receives the messages of the subscribed topics. Its methods must be safe for concurrent use and must not
// block.
type Commands interface {
	// Twist receives the robot's velocity, Joints the wheels'.
	Twist(m *geometry_msgs.Twist)
	Joints(m *sensor_msgs.JointState)
	// Red switches a red LED, 0, 2, 4 or 6; Colour sets a colour LED, 1, 3, 5 or 7, to 0xRRGGBB, and BoardLED one of
	// the Pi-puck board, 0 to 2.
	Red(led int, on bool)
	Colour(led int, rgb uint32)
	BoardLED(led int, rgb int32)
	// Melody plays a melody once.
	Melody(number int)
}

// Input is a subscription.
type Input = io.Closer

// NewInputs subscribes to the topics of the rows and passes their messages to the commands. On an error no subscription
// remains.
func NewInputs(n *ros2.Node, to Commands, set *Settings, rows []Topic) ([]Input, error) {
	var all []Input
	add := func(in Input, err error) error {
		if err != nil {
			return fmt.Errorf("driver: %w", err)
		}
		all = append(all, in)
		return nil
	}
	var err error
	for _, row := range rows {
		for i, name := range row.Names() {
			if err == nil {
				err = add(newInput(n, to, row, i, name, set))
			}
		}
	}
	if err == nil {
		return all, nil
	}
	return nil, errors.Join(err, CloseInputs(all))
}

// CloseInputs ends the subscriptions.
func CloseInputs(inputs []Input) error {
	var errs []error
	for _, in := range inputs {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}

// newInput subscribes to member i of a row.
func newInput(n *ros2.Node, to Commands, row Topic, i int, name string, set *Settings) (Input, error) {
	led := 0
	if len(row.Numbers) > 0 {
		led = row.Numbers[i]
	}
	if row.subscribe == nil {
		return nil, fmt.Errorf("%w: no subscriber for topic %q", errRow, row.Name)
	}
	return row.subscribe(n, to, row, led, name, set)
}

// subscriber subscribes to a member of a row of the table of topics; led is its number.
type subscriber func(n *ros2.Node, to Commands, row Topic, led int, name string, set *Settings) (Input, error)

// subscribeEach subscribes to messages for one member of a family.
func subscribeEach[T any, P ros2.MessageOf[T]](on func(to Commands, led int, m *T)) subscriber {
	return func(n *ros2.Node, to Commands, row Topic, led int, name string, _ *Settings) (Input, error) {
		return listen[T, P](n, row, name, func(m *T) { on(to, led, m) })
	}
}

// subscribe subscribes to messages for the robot.
func subscribe[T any, P ros2.MessageOf[T]](on func(to Commands, m *T)) subscriber {
	return subscribeEach[T, P](func(to Commands, _ int, m *T) { on(to, m) })
}

// subscribeRedLED subscribes to a red LED, whose type is set by a parameter.
func subscribeRedLED(n *ros2.Node, to Commands, row Topic, led int, name string, set *Settings) (Input, error) {
	if set.LEDType == ledBool {
		return subscribeEach(func(to Commands, led int, m *std_msgs.Bool) { to.Red(led, m.Data) })(n, to, row, led, name, set)
	}
	return subscribeEach(func(to Commands, led int, m *std_msgs.Int32) { to.Red(led, m.Data != 0) })(n, to, row, led, name, set)
}

// listen subscribes to a topic of a row of the table of topics.
func listen[T any, P ros2.MessageOf[T]](n *ros2.Node, row Topic, name string, take func(m *T)) (Input, error) {
	sub, err := ros2.NewSubscription[T, P](n, name, row.QoS, func(m *T, _ ros2.MessageInfo) { take(m) })
	if err != nil {
		return nil, err
	}
	return sub, nil
}
