// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Selection selects topics and services, with the meanings of rosbag2's options of these names. The zero value
// selects nothing.
type Selection struct {
	// AllTopics and AllServices select all but hidden topics, and the events of all services that publish them.
	AllTopics, AllServices bool
	// Topics and Services are selected by their names, which the recorder's node resolves ([ros2.Node.ResolveNames]),
	// TopicTypes by the interface name.
	Topics, Services, TopicTypes []string
	// Regex selects topics and services that match the regular expression.
	Regex string
	// The others exclude, by any of those.
	ExcludeRegex                                      string
	ExcludeTopics, ExcludeServices, ExcludeTopicTypes []string
	// Hidden also includes topics with a part that begins with an underscore.
	Hidden bool
	// OfNode selects the topics of the recorder's own node, except those only the recorder uses.
	OfNode bool
	// Words selects topics by their last name component, hidden or not.
	Words []string
	// Unpublished selects topics that have subscriptions only; IgnoreLeaf excludes topics without a subscription
	// (--ignore-leaf-topics).
	Unpublished, IgnoreLeaf bool

	regex, exclude *regexp.Regexp
}

// Empty reports whether nothing can be selected.
func (s *Selection) Empty() bool {
	return !s.AllTopics && !s.AllServices && !s.OfNode && len(s.Topics)+len(s.Services)+len(s.TopicTypes)+len(s.Words) == 0 && s.Regex == ""
}

// resolve replaces the names that a user has typed with the full names that the node uses for them.
func (s *Selection) resolve(n *ros2.Node) (err error) {
	for _, list := range []struct {
		what    string
		names   *[]string
		resolve func([]string) ([]string, error)
	}{
		{"topic to record", &s.Topics, n.ResolveNames}, {"topic to leave out", &s.ExcludeTopics, n.ResolveNames},
		{"service to record", &s.Services, n.ResolveServiceNames}, {"service to leave out", &s.ExcludeServices, n.ResolveServiceNames},
	} {
		if *list.names, err = list.resolve(*list.names); err != nil {
			return fmt.Errorf("%w: %s: %w", errConfig, list.what, err)
		}
	}
	return nil
}

// named returns the topics that are selected by name and not excluded, those of the services' events among them, each
// once.
func (s *Selection) named() []string {
	var out []string
	for _, topic := range s.Topics {
		if s.holds(topic, "", false) {
			out = append(out, topic)
		}
	}
	for _, service := range s.Services {
		if !slices.Contains(s.ExcludeServices, service) && !(s.exclude != nil && s.exclude.MatchString(service)) {
			out = append(out, service+bag.ServiceEventSuffix)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// compile compiles the regular expressions.
func (s *Selection) compile() (err error) {
	for text, to := range map[string]**regexp.Regexp{s.Regex: &s.regex, s.ExcludeRegex: &s.exclude} {
		if text == "" {
			continue
		}
		if *to, err = regexp.Compile(text); err != nil {
			return fmt.Errorf("%w: regular expression: %w", errConfig, err)
		}
	}
	if s.Regex != "" && s.Regex == s.ExcludeRegex {
		s.exclude = s.regex
	}
	return nil
}

// holds reports whether a topic of the type is selected; own means that the recorder's node has it.
func (s *Selection) holds(topic, rosType string, own bool) bool {
	if service, _, ok := bag.ServiceOf(topic, rosType); ok {
		chosen := s.AllServices || slices.Contains(s.Services, service) || slices.Contains(s.Topics, topic) || s.regex != nil && s.regex.MatchString(service)
		return chosen && !slices.Contains(s.ExcludeServices, service) && !(s.exclude != nil && s.exclude.MatchString(service))
	}
	named := slices.Contains(s.Topics, topic) || slices.Contains(s.Words, topic[strings.LastIndexByte(topic, '/')+1:])
	if isHidden(topic) && !s.Hidden && !named {
		return false
	}
	chosen := s.AllTopics || named || own && s.OfNode || slices.Contains(s.TopicTypes, rosType) || s.regex != nil && s.regex.MatchString(topic)
	return chosen && !slices.Contains(s.ExcludeTopics, topic) && !slices.Contains(s.ExcludeTopicTypes, rosType) &&
		!(s.exclude != nil && s.exclude.MatchString(topic))
}

func isHidden(topic string) bool { return strings.Contains(topic, "/_") }
