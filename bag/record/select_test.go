// SPDX-License-Identifier: Apache-2.0

package record

import "testing"

func TestSelection(t *testing.T) {
	const text, event = "std_msgs/msg/String", "std_srvs/srv/Empty_Event"
	for name, c := range map[string]struct {
		s           Selection
		topic, kind string
		want        bool
	}{
		"nothing":             {Selection{}, "/a", text, false},
		"all topics":          {Selection{AllTopics: true}, "/a", text, true},
		"all but hidden":      {Selection{AllTopics: true}, "/a/_b", text, false},
		"hidden, too":         {Selection{AllTopics: true, Hidden: true}, "/a/_b", text, true},
		"hidden, named":       {Selection{Topics: []string{"/_b"}}, "/_b", text, true},
		"named":               {Selection{Topics: []string{"/a"}}, "/a", text, true},
		"another":             {Selection{Topics: []string{"/a"}}, "/ab", text, false},
		"type":                {Selection{TopicTypes: []string{text}}, "/x", text, true},
		"regex within":        {Selection{Regex: "od.m"}, "/x/odom/y", text, true},
		"regex not":           {Selection{Regex: "^/od.m$"}, "/x/odom/y", text, false},
		"excluded regex":      {Selection{AllTopics: true, ExcludeRegex: "im"}, "/image", text, false},
		"excluded topic":      {Selection{AllTopics: true, ExcludeTopics: []string{"/a"}}, "/a", text, false},
		"excluded type":       {Selection{AllTopics: true, ExcludeTopicTypes: []string{text}}, "/a", text, false},
		"same regex twice":    {Selection{Regex: "a", ExcludeRegex: "a"}, "/a", text, false},
		"services not topics": {Selection{AllTopics: true, Hidden: true}, "/s/_service_event", event, false},
		"all services":        {Selection{AllServices: true}, "/s/_service_event", event, true},
		"service named":       {Selection{Services: []string{"/s"}}, "/s/_service_event", event, true},
		"service by regex":    {Selection{Regex: "^/s$"}, "/s/_service_event", event, true},
		"service excluded":    {Selection{AllServices: true, ExcludeServices: []string{"/s"}}, "/s/_service_event", event, false},
		"of the node":         {Selection{OfNode: true}, "/own", text, true},
		"not of the node":     {Selection{OfNode: true}, "/a", text, false},
		"hidden by its word":  {Selection{Words: []string{"_bus"}}, "/r1/_bus", text, true},
		"another word":        {Selection{Words: []string{"_bus"}}, "/r1/_bus/x", text, false},
	} {
		if err := c.s.compile(); err != nil {
			t.Fatal(err)
		}
		if got := c.s.holds(c.topic, c.kind, c.topic == "/own"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
