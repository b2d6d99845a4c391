// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"fmt"
	"log"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A publisher and a subscription are notified of incompatible QoS: here the publisher is volatile and the subscription
// requests earlier messages.
func ExampleOnOfferedIncompatibleQoS() {
	network := ros2test.NewNetwork()
	talker, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: network.NewTransport()})
	if err != nil {
		log.Fatal(err)
	}
	defer talker.Close()
	listener, err := ros2.NewNode(ros2.NodeConfig{Name: "listener", Transport: network.NewTransport()})
	if err != nil {
		log.Fatal(err)
	}
	defer listener.Close()
	reported := make(chan string, 1)
	_, err = ros2.NewPublisher[chatter](talker, "chatter", ros2.DefaultQoS(),
		ros2.OnOfferedIncompatibleQoS(func(i ros2.IncompatibleQoSInfo) { reported <- fmt.Sprint("no match for ", i.Policies) }),
		ros2.OnOfferedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { log.Print("late ", i.Total, " times") }),
		ros2.OnLivelinessLost(func(ros2.LivelinessLostInfo) { log.Print("liveliness lost") }))
	if err != nil {
		log.Fatal(err)
	}
	_, err = ros2.NewSubscription(listener, "chatter", ros2.LatchedQoS(), func(*chatter, ros2.MessageInfo) {},
		ros2.OnPublishers(func(n int) { log.Print(n, " publishers") }),
		ros2.OnRequestedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { log.Print("nothing came ", i.Total, " times") }),
		ros2.OnLivelinessChanged(func(i ros2.LivelinessChangedInfo) { log.Print(i.Alive, " publishers are alive") }),
		ros2.OnMessageLost(func(i ros2.MessageLostInfo) { log.Print(i.Total, " messages will never come") }),
		ros2.MaxMessageSize(1000))
	if err != nil {
		log.Fatal(err)
	}
	select {
	case text := <-reported:
		fmt.Println(text)
	case <-time.After(time.Minute):
		fmt.Println("not reported")
	}
	// Output: no match for durability
}

// A parameter's range is part of its descriptor, which ros2 param describe shows; a value outside is rejected.
func ExampleIntegerBetween() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "camera", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	_, err = node.DeclareParameter(ros2.ParameterDescriptor{
		Name: "quality", Default: ros2.IntegerValue(80), IntegerRange: ros2.IntegerBetween(1, 100),
	})
	fmt.Println(err)
	fmt.Println(node.Parameters().SetAtomically(ros2.Parameter{Name: "quality", Value: ros2.IntegerValue(101)}))
	// Output:
	// <nil>
	// parameter out of range: "quality" = 101 is not between 1 and 100
}

// A shared publisher counts its subscriptions like any other; one with a lease can assert its liveliness without
// publishing.
func ExampleSharedPublisher_AssertLiveliness() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "camera", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	pub, err := ros2.NewSharedPublisher[chatter](node, "image", ros2.SensorDataQoS())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pub.Topic(), pub.HasSubscribers(), pub.SubscriptionCount(), pub.GID().IsZero(), pub.AssertLiveliness())
	// Output: /image false 0 false <nil>
}
