// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// fullType writes the short form of a type out: "std_msgs/String" is
// "std_msgs/msg/String".
func fullType(name, kind string) string {
	pkg, rest, ok := strings.Cut(name, "/")
	if !ok || strings.Contains(rest, "/") {
		return name
	}
	return pkg + "/" + kind + "/" + rest
}

// topicType returns the type of a topic in the graph. It is empty if no endpoint uses
// the topic.
func topicType(g ros2.Graph, topic, shown string) (string, error) {
	for _, t := range g.Topics() {
		if t.Name != topic {
			continue
		}
		if len(t.Types) > 1 {
			return "", failf("Cannot echo topic '%s', as it contains more than one type: [%s]", shown, strings.Join(t.Types, ", "))
		}
		return t.Types[0], nil
	}
	return "", nil
}

// resolve returns a type that is known. If it is not, or if an endpoint of the topic
// announces another layout of it, the nodes on the topic are asked first.
func (s *session) resolve(ctx context.Context, rosType string, g ros2.Graph, topic string) (*dynamic.Type, error) {
	t, err := dynamic.Resolve(rosType, s.env.Types)
	if hash := hashOn(g, topic); hash != "" && (err != nil || hash != t.Hash()) {
		if described, ok := s.askType(ctx, rosType, g, topic); ok {
			return described, nil
		}
	}
	if err != nil {
		return nil, failf("The message type '%s' is invalid", rosType)
	}
	return t, nil
}

// passedType returns a type that stands on the command line.
func (s *session) passedType(name, kind string) (*dynamic.Type, error) {
	t, err := dynamic.Resolve(fullType(name, kind), s.env.Types)
	if err != nil {
		return nil, failure("The passed message type is invalid")
	}
	return t, nil
}
