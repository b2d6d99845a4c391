// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Robot gives access to a robot's devices while the robot does not move.
type Robot interface {
	// Do calls f while time does not advance. f must not retain its argument.
	Do(f func(machine.Devices))
}

// Mechanical is a simulated robot that is moved by a mechanism, such as a [sim.Articulated].
type Mechanical interface {
	// Do calls f while time does not advance. f must not retain its argument.
	Do(f func(sim.Mechanism))
}

// OfArticulated returns the access to the devices of a simulated robot whose mechanism is a [machine.Machine].
func OfArticulated(a Mechanical) Robot { return articulated{a} }

type articulated struct{ a Mechanical }

// Do implements Robot. It does not call f for mechanisms without devices.
func (r articulated) Do(f func(machine.Devices)) {
	r.a.Do(func(g sim.Mechanism) {
		if d, ok := g.(machine.Devices); ok {
			f(d)
		}
	})
}

// Component is the ROS interface of a device. The driver calls it from one goroutine.
type Component interface {
	// Wanted reports whether Sense and Publish are to be called: there is a subscriber, or another reason.
	Wanted() bool
	// Sense measures the values that Publish will send. The robot does not move meanwhile.
	Sense(d machine.Devices, now time.Time)
	// Publish publishes the measured values.
	Publish() error
	// Close closes publishers and subscriptions.
	Close() error
}

// Maker creates a component; nil without an error means that the device has none.
type Maker func(c *Context) (Component, error)

// Context is the input of a [Maker].
type Context struct {
	Node   *ros2.Node
	Robot  Robot
	Device *description.Device // nil: a device of Config.Own that is not in the description
	Index  int                 // of the device in the description; −1: not in the description
	// Settings are those of the device, resolved from all three sources. The frame includes Prefix.
	Settings Settings
	// Prefix is prepended to all frames.
	Prefix string
}

// frame returns the frame of a link, with the prefix.
func (c *Context) frame(link string) string { return c.Prefix + link }

// quality returns the QoS of all topics except the latched ones: reliable, depth 1.
func quality() ros2.QoS { return ros2.DefaultQoS().WithDepth(1) }

// Offer returns a component that publishes messages of one type: build fills in a message and reports whether it is
// to be published.
func Offer[T any, P ros2.MessageOf[T]](c *Context, name string, build func(m *T, d machine.Devices, now time.Time) bool) (Component, error) {
	pub, err := ros2.NewPublisher[T, P](c.Node, name, quality())
	if err != nil {
		return nil, err
	}
	return &topic[T]{pub: pub, build: build, always: c.Settings.AlwaysOn}, nil
}

// topic is a component of one publisher.
type topic[T any] struct {
	pub    *ros2.Publisher[T]
	build  func(m *T, d machine.Devices, now time.Time) bool
	always bool
	ready  bool
	m      T
}

// Wanted implements Component, as the methods below do.
func (t *topic[T]) Wanted() bool { return t.always || t.pub.HasSubscribers() }

// Sense implements Component.
func (t *topic[T]) Sense(d machine.Devices, now time.Time) { t.ready = t.build(&t.m, d, now) }

// Publish implements Component.
func (t *topic[T]) Publish() error {
	if !t.ready {
		return nil
	}
	t.ready = false
	return t.pub.Publish(&t.m)
}

// Close implements Component.
func (t *topic[T]) Close() error { return t.pub.Close() }

// listen returns a component that calls act for each message of one type.
func listen[T any, P ros2.MessageOf[T]](c *Context, name string, act func(d machine.Devices, m *T)) (Component, error) {
	sub, err := ros2.NewSubscription[T, P](c.Node, name, quality().WithReliability(ros2.BestEffort), func(m *T, _ ros2.MessageInfo) {
		c.Robot.Do(func(d machine.Devices) { act(d, m) })
	})
	if err != nil {
		return nil, err
	}
	return listener{sub.Close}, nil
}

// listener is a component that does not publish.
type listener struct{ close func() error }

func (listener) Wanted() bool                     { return false }
func (listener) Sense(machine.Devices, time.Time) {}
func (listener) Publish() error                   { return nil }
func (l listener) Close() error                   { return l.close() }

// join combines components, each of which measures when it is wanted.
func join(parts ...Component) Component { return joined(parts) }

type joined []Component

// Wanted implements Component, as the methods below do.
func (j joined) Wanted() bool {
	for _, c := range j {
		if c.Wanted() {
			return true
		}
	}
	return false
}

// Sense implements Component.
func (j joined) Sense(d machine.Devices, now time.Time) {
	for _, c := range j {
		if c.Wanted() {
			c.Sense(d, now)
		}
	}
}

// Publish implements Component.
func (j joined) Publish() error {
	var errs []error
	for _, c := range j {
		errs = append(errs, c.Publish())
	}
	return errors.Join(errs...)
}

// Close implements Component.
func (j joined) Close() error {
	var errs []error
	for _, c := range j {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// both combines two components; if the creation of one failed, it closes the other and returns the error.
func both(a Component, errA error, b Component, errB error) (Component, error) {
	if err := errors.Join(errA, errB); err != nil {
		for _, c := range []Component{a, b} {
			if c != nil {
				err = errors.Join(err, c.Close())
			}
		}
		return nil, err
	}
	return join(a, b), nil
}

func stamp(t time.Time) (s builtin_interfaces.Time) {
	s.Sec, s.Nanosec = ros2.Stamp(t)
	return s
}
