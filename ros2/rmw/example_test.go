// SPDX-License-Identifier: Apache-2.0

package rmw_test

import (
	"fmt"
	"log"
	"os"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// A talker on the network, visible to every ROS 2 machine in the domain.
func Example() {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		log.Fatal(err)
	}
	cfg.Range = rmw.Off // omit this: the example in a test must not use the network
	transport, err := rmw.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Namespace: "robot1", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	pub, err := ros2.NewPublisher[std_msgs.String](node, "chatter", ros2.DefaultQoS())
	if err != nil {
		log.Fatal(err)
	}
	if err := pub.Publish(&std_msgs.String{Data: "hello"}); err != nil {
		log.Fatal(err)
	}
	for _, e := range node.Graph().EndpointsOn("/robot1/chatter") {
		fmt.Println(e.Node.FullName(), e.Kind, e.Topic, e.Type)
	}
	// Output: /robot1/talker publisher /robot1/chatter std_msgs/msg/String
}

// Names of the ROS graph and of DDS.
func ExampleMangleTopic() {
	fmt.Println(rmw.MangleTopic("/robot1/odom"))
	fmt.Println(rmw.MangleService("/robot1/reset"))
	fmt.Println(rmw.MangleType("nav_msgs/msg/Odometry"))
	// Output:
	// rt/robot1/odom
	// rq/robot1/resetRequest rr/robot1/resetReply
	// nav_msgs::msg::dds_::Odometry_ <nil>
}
