// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestTopicsAgainstModel: the topics' lists contain what was linked and not unlinked, and topics without endpoints are
// deleted.
func TestTopicsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &Directory{topics: map[string]*Endpoint{}}
		model := map[string][]*Endpoint{}
		var all []*Endpoint
		for range rapid.IntRange(1, 50).Draw(t, "changes") {
			if len(all) == 0 || rapid.Bool().Draw(t, "link") {
				e := &Endpoint{data: &wire.EndpointData{Topic: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "topic")}}
				d.link(e)
				model[e.data.Topic] = append(model[e.data.Topic], e)
				all = append(all, e)
			} else {
				at := rapid.IntRange(0, len(all)-1).Draw(t, "unlink")
				e := all[at]
				d.unlink(e)
				model[e.data.Topic] = slices.DeleteFunc(model[e.data.Topic], func(o *Endpoint) bool { return o == e })
				all = slices.Delete(all, at, at+1)
			}
			topics := 0
			for topic, want := range model {
				got := slices.Collect(d.EndpointsOn(topic))
				for _, e := range want {
					if !slices.Contains(got, e) {
						t.Fatalf("an endpoint of topic %s is missing", topic)
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%d endpoints of topic %s, want %d", len(got), topic, len(want))
				}
				if len(want) > 0 {
					topics++
				}
			}
			if len(d.topics) != topics {
				t.Fatalf("%d topics, want %d", len(d.topics), topics)
			}
		}
	})
}
