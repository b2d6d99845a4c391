// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Topic is one name with one type and its endpoints.
type Topic struct {
	Name, Type string
	// Hash is the type's RIHS01 hash, empty where no endpoint announces it.
	Hash string
	// Publishers and Subscribers are full names of nodes, sorted.
	Publishers, Subscribers []string
}

// Service is a service with a server.
type Service struct {
	Name, Type, Hash string
	// Nodes are the full names of its servers, sorted.
	Nodes []string
}

// Graph is a network as viewers see it: without names that begin with an underscore,
// which ROS hides, except those of actions.
type Graph struct {
	// Topics and Services are sorted by name, then type.
	Topics   []Topic
	Services []Service
	// Nodes are full names, sorted.
	Nodes []string
}

// Topic returns the topic of a name that has the most endpoints.
func (g *Graph) Topic(name string) (Topic, bool) {
	best, found := Topic{}, false
	for _, t := range g.Topics {
		if t.Name == name && (!found || len(t.Publishers)+len(t.Subscribers) > len(best.Publishers)+len(best.Subscribers)) {
			best, found = t, true
		}
	}
	return best, found
}

// TopicOfType returns the topic of a name and a type.
func (g *Graph) TopicOfType(name, rosType string) (Topic, bool) {
	i := slices.IndexFunc(g.Topics, func(t Topic) bool { return t.Name == name && t.Type == rosType })
	if i < 0 {
		return Topic{}, false
	}
	return g.Topics[i], true
}

// Shared reports whether a node that is not hidden, as a hub is, uses the topic.
func (t *Topic) Shared() bool {
	shown := func(node string) bool { return !hidden(node) }
	return slices.ContainsFunc(t.Publishers, shown) || slices.ContainsFunc(t.Subscribers, shown)
}

// Service returns the service of a name.
func (g *Graph) Service(name string) (Service, bool) {
	i := slices.IndexFunc(g.Services, func(s Service) bool { return s.Name == name })
	if i < 0 {
		return Service{}, false
	}
	return g.Services[i], true
}

// action is the part of the names of an action's topics and services.
const action = "/_action/"

// hidden reports whether a part of a name begins with an underscore. The topics and services of actions are not hidden:
// viewers send goals by them and see how they are reached.
func hidden(name string) bool {
	name = strings.Replace(name, action, "/", 1)
	return strings.HasPrefix(name, "_") || strings.Contains(name, "/_")
}

// Graph returns the current network.
func (h *Hub) Graph() Graph {
	from := h.cfg.Transport.Graph()
	topics, services := map[topicKey]*Topic{}, map[topicKey]*Service{}
	for i := range from.Endpoints {
		e := &from.Endpoints[i]
		if hidden(e.Topic) {
			continue
		}
		key, node := topicKey{e.Topic, e.Type}, e.Node.FullName()
		switch e.Kind {
		case ros2.ServiceEndpoint:
			s := services[key]
			if s == nil {
				s = &Service{Name: e.Topic, Type: e.Type}
				services[key] = s
			}
			s.Hash = cmp.Or(s.Hash, e.TypeHash)
			s.Nodes = insert(s.Nodes, node)
		case ros2.PublisherEndpoint, ros2.SubscriptionEndpoint:
			t := topics[key]
			if t == nil {
				t = &Topic{Name: e.Topic, Type: e.Type}
				topics[key] = t
			}
			t.Hash = h.types.chosen(h.cfg.Types, t.Hash, e)
			if e.Kind == ros2.PublisherEndpoint {
				t.Publishers = insert(t.Publishers, node)
			} else {
				t.Subscribers = insert(t.Subscribers, node)
			}
		}
	}
	g := Graph{}
	for _, key := range sortedKeys(topics) {
		g.Topics = append(g.Topics, *topics[key])
	}
	for _, key := range sortedKeys(services) {
		g.Services = append(g.Services, *services[key])
	}
	for _, n := range from.Nodes {
		if full := n.FullName(); !hidden(full) {
			g.Nodes = insert(g.Nodes, full)
		}
	}
	return g
}

func sortedKeys[V any](m map[topicKey]V) []topicKey {
	return slices.SortedFunc(maps.Keys(m), func(a, b topicKey) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.rosType, b.rosType))
	})
}

// insert adds a name to a sorted list without duplicates.
func insert(list []string, name string) []string {
	i, found := slices.BinarySearch(list, name)
	if found {
		return list
	}
	return slices.Insert(list, i, name)
}

// watcher is a callback for changes of the graph.
type watcher struct{ f func() }

// Watch calls f after changes of the graph and of the known types, until cancel is called. f runs on the hub's
// goroutine and must not block.
func (h *Hub) Watch(f func()) (cancel func()) {
	w := &watcher{f}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers[w] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers, w)
	}
}

func (h *Hub) graphChanged() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// settleTime is how long changes of the graph are collected: a robot that starts has fifty endpoints.
const settleTime = 50 * time.Millisecond

// watch notifies viewers of changes and renews subscriptions that no longer fit their publishers. It sleeps while
// there is no viewer.
func (h *Hub) watch() {
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-h.changed:
		}
		if !h.anyInterest() {
			continue
		}
		select {
		case <-h.ctx.Done():
			return
		case <-time.After(settleTime):
		}
		h.renewSources()
		h.mu.Lock()
		watchers := slices.Collect(maps.Keys(h.watchers))
		h.mu.Unlock()
		for _, w := range watchers {
			w.f()
		}
	}
}

func (h *Hub) anyInterest() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.watchers)+len(h.sources) > 0
}
