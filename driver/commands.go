// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// input is a topic that is subscribed.
type input = io.Closer

// newInputs subscribes to the topics of the rows. On an error nothing stays subscribed.
func (d *Driver) newInputs(set *settings, rows []Topic) ([]input, error) {
	var all []input
	add := func(in input, err error) error {
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
				err = add(d.newInput(row, i, name, set))
			}
		}
	}
	if err == nil {
		return all, nil
	}
	return nil, errors.Join(err, closeInputs(all))
}

func closeInputs(inputs []input) error {
	var errs []error
	for _, in := range inputs {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}

// newInput subscribes to member i of a row.
func (d *Driver) newInput(row Topic, i int, name string, set *settings) (input, error) {
	led := 0
	if len(row.Numbers) > 0 {
		led = row.Numbers[i]
	}
	if row.ask == nil {
		return nil, fmt.Errorf("%w: nothing listens to topic %q", ErrConfig, row.Name)
	}
	return row.ask(d, row, led, name, set)
}

// asker subscribes to a member of a row of the table of topics; led is its number.
type asker func(d *Driver, row Topic, led int, name string, set *settings) (input, error)

// asksEach subscribes to messages that are for one of several.
func asksEach[T any, P ros2.MessageOf[T]](on func(d *Driver, led int, m *T)) asker {
	return func(d *Driver, row Topic, led int, name string, _ *settings) (input, error) {
		return listen[T, P](d.node, row, name, func(m *T) { on(d, led, m) })
	}
}

// asks subscribes to messages for the robot.
func asks[T any, P ros2.MessageOf[T]](on func(d *Driver, m *T)) asker {
	return asksEach[T, P](func(d *Driver, _ int, m *T) { on(d, m) })
}

// askSpeeds subscribes to cmd_vel, whose type a parameter chooses.
func askSpeeds(d *Driver, row Topic, led int, name string, set *settings) (input, error) {
	if set.stamped {
		return asks(func(d *Driver, m *geometry_msgs.TwistStamped) { d.onTwist(&m.Twist) })(d, row, led, name, set)
	}
	return asks((*Driver).onTwist)(d, row, led, name, set)
}

// askRedLED subscribes to a red LED, whose type a parameter chooses.
func askRedLED(d *Driver, row Topic, led int, name string, set *settings) (input, error) {
	if set.ledType == LEDBool {
		return asksEach(func(d *Driver, led int, m *std_msgs.Bool) { d.loop.SetRed(led, m.Data) })(d, row, led, name, set)
	}
	return asksEach(func(d *Driver, led int, m *std_msgs.Int32) { d.loop.SetRed(led, m.Data != 0) })(d, row, led, name, set)
}

// listen subscribes to a topic of a row of the table of topics.
func listen[T any, P ros2.MessageOf[T]](n *ros2.Node, row Topic, name string, take func(m *T)) (input, error) {
	sub, err := ros2.NewSubscription[T, P](n, name, row.QoS, func(m *T, _ ros2.MessageInfo) { take(m) })
	if err != nil {
		return nil, err
	}
	return sub, nil
}

// onTwist takes a command for the wheels and wakes the wheels' loop. A command with a number that is none is refused as
// a whole, the motion before it goes on until its time is over.
func (d *Driver) onTwist(m *geometry_msgs.Twist) {
	now := d.clock.Now()
	if !finite(m) {
		if d.nonsense.allow(now) {
			d.log.Warn("a cmd_vel was refused", "error",
				fmt.Errorf("%w: linear %v m/s, angular %v rad/s", ErrCommand, m.Linear, m.Angular))
		}
		return
	}
	left, right := d.settings.Load().wheels.Steps(m.Linear.X, m.Angular.Z)
	d.loop.Drive(wheels.Speeds{Left: mcu.Speed(left), Right: mcu.Speed(right)})
}

// finite reports whether all six numbers are. The robot uses two of them, but a sender of NaN in another does not know
// what he asks for.
func finite(m *geometry_msgs.Twist) bool {
	for _, v := range [...]float64{m.Linear.X, m.Linear.Y, m.Linear.Z, m.Angular.X, m.Angular.Y, m.Angular.Z} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// onSpeaker has a melody played once.
func (d *Driver) onSpeaker(m *std_msgs.UInt8) {
	if err := d.loop.PlayMelody(int(m.Data)); err != nil && d.nonsense.allow(d.clock.Now()) {
		d.log.Warn("a melody was refused", "error", fmt.Errorf("%w: %w", ErrCommand, err))
	}
}
