// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"fmt"
	"testing"
)

// TestFeedReachesViewersAsItIs: channels of other encodings are advertised with their schema, and messages unchanged;
// the page, which decodes topics of ROS alone, is not offered them.
func TestFeedReachesViewersAsItIs(t *testing.T) {
	feed := NewFeed()
	use := func(_ *scene, cfg *Config) { cfg.Feed = feed }
	inScene(t, func(s *scene) {
		s.met()
		c := feed.Open(ChannelInfo{"/log", "json", "foxglove.Log", "jsonschema", []byte(`{"type":"object"}`)})
		p := feed.Open(ChannelInfo{"/p", "protobuf", "x.Y", "protobuf", []byte{0, 255}})
		g := s.client.hub.Graph()
		s.must(s.client.sendChannels(&g))
		list, _ := s.hear("advertise")["channels"].([]any)
		if len(list) != 2 {
			t.Fatal(list)
		}
		first, _ := list[0].(map[string]any)
		second, _ := list[1].(map[string]any)
		if first["encoding"] != "json" || first["schema"] != `{"type":"object"}` || first["schemaEncoding"] != "jsonschema" || second["schema"] != "AP8=" {
			s.Errorf("%v, %v", first, second)
		}
		s.must(c.Write([]byte("lost: no subscription")))
		s.must(s.client.subscribe(fmt.Appendf(nil, `{"subscriptions":[{"id":5,"channelId":%v}]}`, first["id"])))
		s.must(c.Write([]byte(`{"n":1}`)))
		if data, _ := s.frame(); len(data) < 13 || data[0] != opMessage || string(data[13:]) != `{"n":1}` {
			s.Errorf("%q", data)
		}
		s.must(c.Close())
		s.must(s.client.sendChannels(&g))
		if got := s.hear("unadvertise")["channelIds"]; fmt.Sprint(got) != fmt.Sprint([]any{first["id"]}) {
			s.Error(got)
		}
		if len(s.client.subscriptions) != 0 {
			s.Error("the subscription of a channel that is gone is left")
		}
		s.must(p.Close())
	}, plain, use)
	inScene(t, func(s *scene) {
		s.met()
		c := feed.Open(ChannelInfo{Topic: "/log", Encoding: "json"})
		g := s.client.hub.Graph()
		s.must(s.client.sendChannels(&g))
		s.quiet("the page is offered JSON")
		s.must(c.Close())
	}, use)
}
