// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// pair is a robot's node and a user's on one network in memory.
type pair struct {
	testing.TB
	robot, user *ros2.Node
	transport   *ros2test.Transport // the robot's
	set         *Settings
}

func newPair(t testing.TB, args string) *pair {
	t.Helper()
	p := &pair{TB: t}
	a, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, strings.Fields(args)...))
	p.must(err)
	ether := ros2test.NewNetwork()
	p.transport = ether.NewTransport()
	p.robot, err = ros2.NewNode(ros2.NodeConfig{Name: "epuck_driver", Transport: p.transport, Args: a})
	p.must(err)
	p.user, err = ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: ether.NewTransport()})
	p.must(err)
	p.must(Declare(p.robot))
	p.set, err = ReadSettings(p.robot.Parameters())
	p.must(err)
	t.Cleanup(func() {
		p.must(p.robot.Close())
		p.must(p.user.Close())
	})
	return p
}

func (p *pair) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// say sends one message from the user.
func say[T any, P ros2.MessageOf[T]](p *pair, topic string, m *T) {
	p.Helper()
	pub, err := ros2.NewPublisher[T, P](p.user, topic, ros2.DefaultQoS())
	p.must(err)
	p.must(pub.Publish(m))
	p.must(pub.Close())
}

// row returns the row of a topic.
func (p *pair) row(name string) Topic {
	p.Helper()
	for _, t := range Topics() {
		if t.Name == name {
			return t
		}
	}
	p.Fatalf("no topic %s", name)
	return Topic{}
}

// heard subscribes the user until the test ends; what came is in the slice when the bubble is still.
func heard[T any, P ros2.MessageOf[T]](p *pair, topic string, qos ros2.QoS) *[]T {
	p.Helper()
	var got []T
	sub, err := ros2.NewSubscription[T, P](p.user, topic, qos, func(m *T, _ ros2.MessageInfo) { got = append(got, *m) })
	p.must(err)
	p.Cleanup(func() { p.must(sub.Close()) })
	return &got
}
