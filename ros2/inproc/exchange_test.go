// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// model is the specification of an exchange: each message goes to the subscribers of its topic, in order of publishing.
type model struct {
	topics [3][]*party
}

// party is a subscriber with its expected messages.
type party struct {
	*received
	topic int
	want  []int
}

var topicNames = [3]string{"x", "y", "z"}

// TestExchangeProperty: subscribers and publishers join and leave several topics; each subscriber gets exactly what was
// published meanwhile, and unused topics are deleted.
func TestExchangeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := &fixture{}, &model{}
		var publishers [3][]*Publisher[int]
		number := 0
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			topic := rapid.IntRange(0, 2).Draw(t, "topic")
			switch rapid.SampledFrom([]string{"sell", "withdraw", "buy", "leave", "publish", "publish"}).Draw(t, "what") {
			case "sell":
				p := s.publisher(byte(rapid.IntRange(1, 200).Draw(t, "id")), func(c *PublisherConfig) {
					c.Topic, c.GID[1], c.GID[2] = topicNames[topic], byte(number), byte(number>>8)
				})
				publishers[topic] = append(publishers[topic], p)
				number++
			case "withdraw":
				if n := len(publishers[topic]); n > 0 {
					i := rapid.IntRange(0, n-1).Draw(t, "i")
					publishers[topic][i].Close()
					publishers[topic] = slices.Delete(publishers[topic], i, i+1)
				}
			case "buy":
				b := s.subscriber(func(c *SubscriberConfig[int]) { c.Topic = topicNames[topic] })
				m.topics[topic] = append(m.topics[topic], &party{received: b, topic: topic})
			case "leave":
				if n := len(m.topics[topic]); n > 0 {
					i := rapid.IntRange(0, n-1).Draw(t, "i")
					m.topics[topic][i].check(t)
					m.topics[topic][i].Leave()
					m.topics[topic] = slices.Delete(m.topics[topic], i, i+1)
				}
			case "publish":
				if n := len(publishers[topic]); n > 0 {
					number++
					message := number
					publishers[topic][rapid.IntRange(0, n-1).Draw(t, "i")].Publish(&message)
					for _, p := range m.topics[topic] {
						p.want = append(p.want, message)
					}
				}
			}
		}
		for i := range m.topics {
			for _, p := range publishers[i] {
				if p.Subscribers() != len(m.topics[i]) {
					t.Fatalf("%d subscribers of %s, want %d", p.Subscribers(), topicNames[i], len(m.topics[i]))
				}
				p.Close()
			}
			for _, p := range m.topics[i] {
				p.check(t)
				p.Leave()
				p.check(t) // the count is kept
			}
		}
		if len(s.x.topics) != 0 {
			t.Fatalf("%d topics are kept", len(s.x.topics))
		}
	})
}

func (p *party) check(t *rapid.T) {
	if !slices.Equal(p.got, p.want) || p.Received() != int64(len(p.want)) {
		t.Fatalf("on %s: got %v, counted %d, want %v", topicNames[p.topic], p.got, p.Received(), p.want)
	}
}
