// SPDX-License-Identifier: Apache-2.0

package security_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// The rules of a governance document are announced as attributes, by which peers see whether theirs agree.
func ExampleTopicRules_Info() {
	rules := security.TopicRules{WriteControl: true, Metadata: security.SignWithOrigin}
	info := rules.Info()
	fmt.Println(info.Attributes&wire.EndpointWriteProtected != 0, info.Plugin&wire.EndpointSubmessageOrigin != 0)
	fmt.Println("refused messages are counted as", rtps.DropSecurity)
	// Output:
	// true true
	// refused messages are counted as security
}
