// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func topicList(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	var topics []ros2.TopicInfo
	for _, t := range g.Topics() {
		if s.args.flag("--include-hidden-topics") || !hidden(t.Name) {
			topics = append(topics, t)
		}
	}
	switch {
	case s.args.flag("--count-topics"):
		s.printf("%d\n", len(topics))
	case len(topics) == 0:
	case s.args.flag("--verbose"):
		s.printf("%s\n%s\n", topicCounts("Published topics:", "publisher", topics, func(t ros2.TopicInfo) int { return t.Publishers }),
			topicCounts("Subscribed topics:", "subscriber", topics, func(t ros2.TopicInfo) int { return t.Subscriptions }))
	default:
		for _, t := range topics {
			s.printName(t.Name, t.Types)
		}
	}
	return nil
}

// printName writes a name, with its types where --show-types wants them.
func (s *session) printName(name string, types []string) {
	if s.args.flag("--show-types") {
		name += " [" + strings.Join(types, ", ") + "]"
	}
	s.printf("%s\n", name)
}

func topicCounts(title, what string, topics []ros2.TopicInfo, count func(ros2.TopicInfo) int) string {
	text := title + "\n"
	for _, t := range topics {
		n := count(t)
		if n == 0 {
			continue
		}
		plural := ""
		if n > 1 {
			plural = "s"
		}
		text += fmt.Sprintf(" * %s [%s] %d %s%s\n", t.Name, strings.Join(t.Types, ", "), n, what, plural)
	}
	return text
}

func topicTypes(ctx context.Context, s *session) error {
	name := s.args.value("topic_name", "")
	g, err := s.graph(ctx, hasTopic(name))
	if err != nil {
		return err
	}
	for _, t := range g.Topics() {
		if t.Name == name {
			s.printf("%s\n", strings.Join(t.Types, "\n"))
			return nil
		}
	}
	return errSilent
}

func topicFind(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range g.Topics() {
		if s.args.flag("--include-hidden-topics") || !hidden(t.Name) {
			names = appendIfType(names, t.Name, t.Types, s.args.value("topic_type", ""))
		}
	}
	s.printFound(names, "--count-topics")
	return nil
}

// appendIfType appends a name if one of its types is the one looked for.
func appendIfType(names []string, name string, types []string, want string) []string {
	for _, t := range types {
		if t == want {
			return append(names, name)
		}
	}
	return names
}

// printFound writes names, or their number.
func (s *session) printFound(names []string, count string) {
	if s.args.flag(count) {
		s.printf("%d\n", len(names))
		return
	}
	for _, n := range names {
		s.printf("%s\n", n)
	}
}
