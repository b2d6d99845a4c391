// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
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

// printName writes a name, with its types if --show-types is set.
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
	name, err := s.fullName(s.args.value("topic_name", ""))
	if err != nil {
		return err
	}
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
	return failf("Unknown topic '%s'%s", name, suggest.DidYouMean(name, topicNames(g, true)))
}

func topicFind(ctx context.Context, s *session) error {
	wanted := dynamic.FullName(s.args.value("topic_type", ""), "msg")
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range g.Topics() {
		if s.args.flag("--include-hidden-topics") || !hidden(t.Name) {
			names = appendIfType(names, t.Name, t.Types, wanted)
		}
	}
	var all []string
	for _, t := range g.Topics() {
		all = append(all, t.Types...)
	}
	s.suggestType(wanted, all)
	s.printFound(names, "--count-topics")
	return nil
}

// suggestType prints similar types for one that is unknown both to the network and to this program.
func (s *session) suggestType(name string, found []string) {
	known := slices.Concat(found, s.interfaceNames())
	if slices.Contains(known, name) {
		return
	}
	if text := suggest.DidYouMean(name, unique(known)); text != "" {
		fmt.Fprintf(s.env.Err, "Unknown type '%s'%s\n", name, text)
	}
}

// unique sorts names and drops repeated ones.
func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// appendIfType appends a name if one of its types is the requested one.
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
