// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/bag"
)

// Selection selects topics and services, with the meanings of rosbag2's options of these names. The zero value
// selects nothing.
type Selection struct {
	// AllTopics and AllServices select all but hidden topics, and the events of all services that publish them.
	AllTopics, AllServices bool
	// Topics and Services are selected by their full names, TopicTypes by the interface name.
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
