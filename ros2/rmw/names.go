// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Prefixes and suffixes of DDS topic names (rmw_fastrtps, namespace_prefix.cpp).
const (
	topicPrefix   = "rt"
	requestPrefix = "rq"
	replyPrefix   = "rr"
	requestSuffix = "Request"
	replySuffix   = "Reply"
)

// typeInfix is between the interface's kind and its name in a DDS type.
const typeInfix = "dds_"

// MangleTopic returns the DDS topic of a ROS topic: "/a/b" is "rt/a/b".
func MangleTopic(topic string) string { return topicPrefix + topic }

// MangleService returns the DDS topics of a service's requests and replies: "/a"
// has "rq/aRequest" and "rr/aReply".
func MangleService(service string) (request, reply string) {
	return requestPrefix + service + requestSuffix, replyPrefix + service + replySuffix
}

// Role is the role of a DDS topic in ROS.
type Role uint8

// Roles of DDS topics.
const (
	// NotROS topics follow none of the conventions.
	NotROS Role = iota
	TopicRole
	RequestRole
	ReplyRole
)

// DemangleTopic returns the ROS name of a DDS topic, and its role. Topics that do not follow the conventions keep their
// name.
func DemangleTopic(dds string) (string, Role) {
	prefix, _, ok := strings.Cut(dds, "/")
	name := dds[len(prefix):]
	if !ok || ros2.ValidateFullName(name) != nil {
		return dds, NotROS
	}
	var suffix string
	var role Role
	switch prefix {
	case topicPrefix:
		return name, TopicRole
	case requestPrefix:
		suffix, role = requestSuffix, RequestRole
	case replyPrefix:
		suffix, role = replySuffix, ReplyRole
	default:
		return dds, NotROS
	}
	service, ok := strings.CutSuffix(name, suffix)
	if !ok || ros2.ValidateFullName(service) != nil {
		return dds, NotROS
	}
	return service, role
}

// MangleType returns the DDS type of an interface: "pkg/msg/Name" is
// "pkg::msg::dds_::Name_".
func MangleType(rosType string) (string, error) {
	parts := strings.Split(rosType, "/")
	if len(parts) < 2 {
		return "", fmt.Errorf("%w: type %q is not of the form package/msg/Name", ErrName, rosType)
	}
	for _, part := range parts {
		if ros2.ValidateNodeName(part) != nil { // the same rule: letters, digits, underscores
			return "", fmt.Errorf("%w: type %q has the part %q", ErrName, rosType, part)
		}
	}
	last := len(parts) - 1
	name := parts[last]
	return strings.Join(append(parts[:last:last], typeInfix, name), "::") + "_", nil
}

// DemangleType is the inverse of [MangleType]; a type that does not follow the convention keeps its name, and ok is
// false.
func DemangleType(dds string) (rosType string, ok bool) {
	parts := strings.Split(dds, "::")
	n := len(parts)
	if n < 3 || parts[n-2] != typeInfix {
		return dds, false
	}
	name, ok := strings.CutSuffix(parts[n-1], "_")
	if !ok {
		return dds, false
	}
	rosType = strings.Join(append(parts[:n-2:n-2], name), "/")
	if again, err := MangleType(rosType); err != nil || again != dds {
		return dds, false
	}
	return rosType, true
}

// serviceType returns the interface of a service from the DDS type of its
// requests or replies.
func serviceType(dds string) (string, bool) {
	half, ok := DemangleType(dds)
	if !ok {
		return dds, false
	}
	for _, suffix := range []string{"_Request", "_Response"} {
		if service, ok := strings.CutSuffix(half, suffix); ok {
			return service, true
		}
	}
	return half, false
}
