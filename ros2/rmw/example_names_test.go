// SPDX-License-Identifier: Apache-2.0

package rmw_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// Names of DDS topics and types are converted back to those of ROS; other DDS applications keep theirs.
func ExampleDemangleTopic() {
	for _, dds := range []string{"rt/robot1/odom", "rq/robot1/resetRequest", "rr/robot1/resetReply", "Square"} {
		name, role := rmw.DemangleTopic(dds)
		fmt.Println(name, role == rmw.TopicRole, role == rmw.RequestRole, role == rmw.ReplyRole, role == rmw.NotROS)
	}
	fmt.Println(rmw.DemangleType("nav_msgs::msg::dds_::Odometry_"))
	_, err := rmw.MangleType("Odometry")
	fmt.Println(errors.Is(err, rmw.ErrName))
	hash, ok := rmw.UserDataValue([]byte("enclave=/;typehash=RIHS01_00;"), "typehash")
	fmt.Println(hash, ok)
	// Output:
	// /robot1/odom true false false false
	// /robot1/reset false true false false
	// /robot1/reset false false true false
	// Square false false false true
	// nav_msgs/msg/Odometry true
	// true
	// RIHS01_00 true
}

// The environment is that of every ROS 2 program. Errors name the variable.
func ExampleFromEnvironment() {
	environment := func(variables map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) { v, ok := variables[name]; return v, ok }
	}
	cfg, err := rmw.FromEnvironment(environment(nil))
	fmt.Println(cfg.Range, cfg.Range == rmw.Subnet, err)
	_, err = rmw.FromEnvironment(environment(map[string]string{"ROS_DOMAIN_ID": "lab"}))
	fmt.Println(errors.Is(err, rmw.ErrEnvironment))
	cfg.StaticHosts = []string{"not a host"}
	_, err = rmw.New(cfg)
	fmt.Println(errors.Is(err, rmw.ErrConfig))
	// Output:
	// SUBNET true <nil>
	// true
	// true
}
