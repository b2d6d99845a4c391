// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"fmt"
	"log"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A publisher and a subscription. A program on a network uses rmw.New instead of
// ros2test.NewTransport.
func Example() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	pub, err := ros2.NewPublisher[chatter](node, "chatter", ros2.DefaultQoS())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := ros2.NewSubscription(node, "chatter", ros2.DefaultQoS(), func(m *chatter, _ ros2.MessageInfo) {
		fmt.Println("heard:", m.Text)
	}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(pub.Topic(), "has", pub.SubscriptionCount(), "subscription")
	if err := pub.Publish(&chatter{Text: "hello"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// /chatter has 1 subscription
	// heard: hello
}

// The arguments of a command line rename, remap and set parameters.
func ExampleParseArgs() {
	args, rest, err := ros2.ParseArgs([]string{
		"run", "--ros-args", "-r", "__ns:=/robot1", "-r", "cmd_vel:=vel", "-p", "rate:=50", "--", "--verbose",
	})
	if err != nil {
		log.Fatal(err)
	}
	name, _ := args.NodeName("driver", "/")
	topic, _ := args.ResolveName("cmd_vel", name)
	fmt.Println(rest, name.FullName(), topic)
	// Output: [run --verbose] /robot1/driver /robot1/vel
}

// A parameter takes its override from the command line, and a callback may reject a change.
func ExampleNode_DeclareParameter() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	args, _, _ := ros2.ParseArgs([]string{"--ros-args", "-p", "rate:=50"})
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "driver", Transport: transport, Args: args})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	rate, err := node.DeclareParameter(ros2.ParameterDescriptor{
		Name: "rate", Default: ros2.DoubleValue(20), Description: "control cycle, Hz",
		FloatRange: ros2.FloatBetween(1, 100),
	})
	fmt.Println(rate.Double(), err)
	node.Parameters().OnSet(func(changes []ros2.Parameter) error {
		return fmt.Errorf("the robot is moving")
	})
	fmt.Println(node.Parameters().SetAtomically(ros2.Parameter{Name: "rate", Value: ros2.DoubleValue(500)}))
	fmt.Println(node.Parameters().SetAtomically(ros2.Parameter{Name: "rate", Value: ros2.DoubleValue(30)}))
	// Output:
	// 50 <nil>
	// parameter out of range: "rate" = 500 is not between 1 and 100
	// parameter change rejected: the robot is moving
}

// With a manual clock a test controls the time.
func ExampleManualClock() {
	clock := ros2.NewManualClock(ros2.FromStamp(100, 0))
	timer := clock.NewTimer(ros2.Seconds(0.5))
	clock.Advance(ros2.Seconds(2))
	sec, nanosec := ros2.Stamp(<-timer.C())
	fmt.Println(sec, nanosec)
	// Output: 100 500000000
}
