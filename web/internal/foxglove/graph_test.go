// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// peerGraph is a connection graph as a client maintains it, by the rules of the protocol.
type peerGraph struct{ published, subscribed, services map[string][]string }

func newPeerGraph() *peerGraph {
	return &peerGraph{map[string][]string{}, map[string][]string{}, map[string][]string{}}
}

// update applies one connectionGraphUpdate. Foxglove's own types (@foxglove/ws-protocol, types.d.ts) have publisherIds,
// subscriberIds and providerIds in every element, so one that lacks them is an error.
func (g *peerGraph) update(data []byte) error {
	type object = map[string]json.RawMessage
	var m struct {
		Op                                                    string
		PublishedTopics, SubscribedTopics, AdvertisedServices []object
		RemovedTopics, RemovedServices                        []string
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	set := func(list []object, ids string, of map[string][]string) error {
		if list == nil {
			return fmt.Errorf("no list of %s", ids)
		}
		for _, o := range list {
			var name string
			var all []string
			if err := errors.Join(json.Unmarshal(o["name"], &name), json.Unmarshal(o[ids], &all)); err != nil || all == nil {
				return fmt.Errorf("%s of %v: %w", ids, o, err)
			}
			if of[name] = all; len(all) == 0 {
				delete(of, name)
			}
		}
		return nil
	}
	if err := errors.Join(set(m.PublishedTopics, "publisherIds", g.published), set(m.SubscribedTopics, "subscriberIds", g.subscribed),
		set(m.AdvertisedServices, "providerIds", g.services)); err != nil {
		return err
	}
	for _, name := range m.RemovedTopics {
		delete(g.published, name)
		delete(g.subscribed, name)
	}
	for _, name := range m.RemovedServices {
		delete(g.services, name)
	}
	return nil
}

// TestGraphUpdatesReproduceTheGraph generates sequences of networks: a client that applies the updates reproduces
// each, and no change is sent twice.
func TestGraphUpdatesReproduceTheGraph(t *testing.T) {
	inScene(t, func(s *scene) {
		nodes := rapid.Map(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"/a", "/b", "/c"}), 0, 3, rapid.ID[string]), func(l []string) []string {
			slices.Sort(l)
			return l
		})
		rapid.Check(s, func(t *rapid.T) {
			s.say(`{"op":"subscribeConnectionGraph"}`)
			peer := newPeerGraph()
			for range rapid.IntRange(1, 5).Draw(t, "steps") {
				g, want := hub.Graph{}, newPeerGraph()
				for _, name := range []string{"/x", "/y"} {
					topic := hub.Topic{Name: name, Type: "std_msgs/msg/String", Publishers: nodes.Draw(t, "publishers"), Subscribers: nodes.Draw(t, "subscribers")}
					service := hub.Service{Name: name, Nodes: nodes.Draw(t, "services")}
					if len(topic.Publishers)+len(topic.Subscribers) > 0 {
						g.Topics = append(g.Topics, topic)
					}
					if len(topic.Publishers) > 0 {
						want.published[name] = topic.Publishers
					}
					if len(topic.Subscribers) > 0 {
						want.subscribed[name] = topic.Subscribers
					}
					if len(service.Nodes) > 0 {
						g.Services = append(g.Services, service)
						want.services[name] = service.Nodes
					}
				}
				if err := s.client.sendGraph(&g); err != nil {
					t.Fatal(err)
				}
				if s.client.box.Stats().Bytes > 0 {
					data, _ := s.frame()
					if err := peer.update(data); err != nil {
						t.Fatalf("%s: %v", data, err)
					}
				}
				if fmt.Sprint(*peer) != fmt.Sprint(*want) {
					t.Fatalf("the client has %v, want %v", *peer, *want)
				}
				if err := s.client.sendGraph(&g); err != nil || s.client.box.Stats().Bytes > 0 {
					t.Fatal("the same graph is sent twice", err)
				}
			}
		})
	})
}

// TestGraphIsSentToSubscribers: also an empty network, once; and nothing after unsubscribing.
func TestGraphIsSentToSubscribers(t *testing.T) {
	inScene(t, func(s *scene) {
		g := hub.Graph{}
		s.must(s.client.sendGraph(&g))
		s.quiet("not asked")
		s.say(`{"op":"subscribeConnectionGraph"}`)
		s.must(s.client.sendGraph(&g))
		m := s.hear("connectionGraphUpdate")
		for _, field := range []string{"publishedTopics", "subscribedTopics", "advertisedServices", "removedTopics", "removedServices"} {
			if l, is := m[field].([]any); !is || len(l) != 0 {
				s.Errorf("%s is %v", field, m[field])
			}
		}
		s.must(s.client.sendGraph(&g))
		s.quiet("nothing changed")
		s.say(`{"op":"unsubscribeConnectionGraph"}`)
		g.Topics = []hub.Topic{{Name: "/x", Publishers: []string{"/n"}}}
		s.must(s.client.sendGraph(&g))
		s.quiet("not asked any more")
	})
}

// TestGraphHasTypesForPages: a page needs the type of a topic to publish on it; Foxglove's protocol has none.
func TestGraphHasTypesForPages(t *testing.T) {
	for _, change := range []func(*scene, *Config){plain, func(*scene, *Config) {}} {
		inScene(t, func(s *scene) {
			_, err := ros2.NewSubscription(s.robot, "listener", ros2.DefaultQoS(), func(*std_msgs.String, ros2.MessageInfo) {})
			s.must(err)
			s.met()
			s.say(`{"op":"subscribeConnectionGraph"}`)
			s.withNews()
			m := s.hear("connectionGraphUpdate")
			for _, topic := range list(m, "subscribedTopics") {
				if topic["name"] != "/listener" {
					continue
				}
				_, typed := topic["type"]
				if typed != s.client.page || typed && topic["type"] != "std_msgs/msg/String" {
					s.Errorf("page %v: %v", s.client.page, topic)
				}
				return
			}
			s.Errorf("no /listener in %v", m)
		}, change)
	}
}

// TestChanges: changes applied to the old graph yield the new one.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y"}), 1, 2))
		was, now := side.Draw(t, "was"), side.Draw(t, "now")
		got := maps.Clone(was)
		for name, ids := range changes(was, now) {
			if slices.Equal(was[name], ids) {
				t.Fatalf("%s has not changed", name)
			}
			if got[name] = ids; len(ids) == 0 {
				delete(got, name)
			}
		}
		if !maps.EqualFunc(got, now, slices.Equal) {
			t.Fatalf("%v, want %v", got, now)
		}
		if k := keys(was); len(k) != len(was) {
			t.Fatal(k)
		}
	})
}
