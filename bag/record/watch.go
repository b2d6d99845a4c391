// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// graphInterval is the minimum time between two checks of the graph.
const graphInterval = 100 * time.Millisecond

// maxTopics is the maximum number of topics; MCAP numbers them with 16 bits.
const maxTopics = 10_000

// watch subscribes to topics as they appear, until ctx ends; then all subscriptions are closed.
func (r *Recorder) watch(ctx context.Context) {
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	cancel := r.cfg.Node.Transport().OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer cancel()
	subs := map[string]*subscription{}
	defer func() {
		for _, s := range subs {
			if err := s.close(); err != nil {
				r.cfg.Logger.Warn("can't close a subscription", "topic", s.topic, "error", err)
			}
		}
	}()
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		r.subscribe(ctx, subs, first || !r.cfg.NoDiscovery)
		pause := time.NewTimer(graphInterval)
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
	}
}

// subscribe updates the subscriptions for the graph.
func (r *Recorder) subscribe(ctx context.Context, subs map[string]*subscription, add bool) {
	g := r.cfg.Node.Graph()
	publishers, listeners, own := map[string][]ros2.EndpointInfo{}, map[string]bool{}, map[string]bool{}
	present := map[ros2.GID]bool{}
	for _, e := range g.Endpoints {
		own[e.Topic] = own[e.Topic] || e.Node == r.cfg.Node.Name()
		switch e.Kind {
		case ros2.PublisherEndpoint:
			publishers[e.Topic] = append(publishers[e.Topic], e)
			present[e.GID] = true
		case ros2.SubscriptionEndpoint:
			listeners[e.Topic] = listeners[e.Topic] || e.Node != r.cfg.Node.Name()
			if r.cfg.Select.Unpublished && publishers[e.Topic] == nil {
				publishers[e.Topic] = []ros2.EndpointInfo{}
			}
		}
	}
	r.latched.forget(present)
	for _, topic := range slices.Sorted(maps.Keys(publishers)) {
		list := publishers[topic]
		s := subs[topic]
		if s == nil {
			rosType, hash := typeOn(g, topic)
			if len(subs) == maxTopics {
				r.tooMany.Do(func() { r.cfg.Logger.Warn("too many topics: the others are not recorded", "maximum", maxTopics) })
				continue
			}
			if !add || !r.cfg.Select.holds(topic, rosType, own[topic]) || r.cfg.Select.IgnoreLeaf && !listeners[topic] {
				continue
			}
			number := r.topics.number(topic, rosType, hash)
			s = &subscription{
				r: r, topic: topic, rosType: rosType, number: number,
				filter: ros2.NewDefinitionFilter(r.cfg.Node.Transport(), topic, rosType, r.hashOf(number), nil),
			}
			subs[topic] = s
			r.introduce(ctx, s, list)
		}
		r.checkTypes(s, list)
		r.topics.offered(s.number, qosOf(list))
		if err := s.update(list); err != nil {
			r.warn("can't subscribe to a topic", topic, err)
		}
	}
}

// checkTypes warns once about publishers with another type than the recorded one: a topic of a bag has one type.
func (r *Recorder) checkTypes(s *subscription, publishers []ros2.EndpointInfo) {
	for _, p := range publishers {
		hash := r.hashOf(s.number)
		if s.warned || ros2.SameDefinition(p, s.rosType, hash) {
			continue
		}
		s.warned = true
		r.cfg.Logger.Warn("a publisher is not recorded: the topic is recorded with another type", "topic", s.topic, "node", p.Node.FullName(),
			"type", p.Type, "hash", p.TypeHash, "recorded", s.rosType, "recorded hash", hash)
	}
}

// introduce finds the definition of a new topic's type: at once if it is known, else it starts a goroutine that
// requests it.
func (r *Recorder) introduce(ctx context.Context, s *subscription, publishers []ros2.EndpointInfo) {
	r.topics.offered(s.number, qosOf(publishers))
	if d, ok := known(s.rosType, r.hashOf(s.number), append([]dynamic.Lookup{r.cfg.Types}, r.cfg.Variants...)); ok {
		s.complete(d, nil)
		return
	}
	r.mu.Lock()
	r.waiting = append(r.waiting, s)
	r.mu.Unlock()
	r.queries.Go("record: type", func() { s.findDefinition(ctx) })
}

// stopWaiting stores the messages of all topics whose definition is still being requested, since the bag ends.
func (r *Recorder) stopWaiting() {
	r.mu.Lock()
	waiting := r.waiting
	r.waiting = nil
	r.mu.Unlock()
	for _, s := range waiting {
		s.complete(definition{}, errEnded)
	}
}

// typeOn returns the type of a topic and its hash, those of its publishers first.
func typeOn(g ros2.Graph, topic string) (rosType, hash string) {
	for _, kind := range []ros2.EndpointKind{ros2.PublisherEndpoint, ros2.SubscriptionEndpoint} {
		for _, e := range g.EndpointsOn(topic) {
			if e.Kind == kind && (rosType == "" || rosType == e.Type && hash == "") {
				rosType, hash = e.Type, e.TypeHash
			}
		}
		if rosType != "" {
			break
		}
	}
	return rosType, hash
}

func qosOf(list []ros2.EndpointInfo) []ros2.QoS {
	out := make([]ros2.QoS, 0, len(list))
	for _, e := range list {
		out = append(out, e.QoS)
	}
	return out
}
