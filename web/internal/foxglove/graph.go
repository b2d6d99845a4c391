// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// graphView is the connection graph as sent to a client, by name.
type graphView struct {
	published, subscribed, services map[string][]string
}

func viewOf(g *hub.Graph) *graphView {
	v := &graphView{map[string][]string{}, map[string][]string{}, map[string][]string{}}
	for _, t := range g.Topics {
		if len(t.Publishers) > 0 {
			v.published[t.Name] = append(v.published[t.Name], t.Publishers...)
		}
		if len(t.Subscribers) > 0 {
			v.subscribed[t.Name] = append(v.subscribed[t.Name], t.Subscribers...)
		}
	}
	for _, s := range g.Services {
		v.services[s.Name] = append(v.services[s.Name], s.Nodes...)
	}
	return v
}

func (c *client) subscribeGraph([]byte) error {
	c.mu.Lock()
	c.graph = &graphView{}
	c.mu.Unlock()
	c.wake()
	return nil
}

func (c *client) unsubscribeGraph([]byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.graph = nil
	return nil
}

// named is a name with the ids of its publishers, subscribers or providers.
type named struct {
	Name        string   `json:"name"`
	Publishers  []string `json:"publisherIds,omitzero"`
	Subscribers []string `json:"subscriberIds,omitzero"`
	Providers   []string `json:"providerIds,omitzero"`
	Type        string   `json:"type,omitempty"` // PageProtocol
}

// sendGraph sends what has changed in the connection graph since the last call.
func (c *client) sendGraph(g *hub.Graph) error {
	c.mu.Lock()
	was := c.graph
	if was == nil {
		c.mu.Unlock()
		return nil
	}
	now := viewOf(g)
	c.graph = now
	c.mu.Unlock()
	type update struct {
		Op              string   `json:"op"`
		Published       []named  `json:"publishedTopics"`
		Subscribed      []named  `json:"subscribedTopics"`
		Services        []named  `json:"advertisedServices"`
		RemovedTopics   []string `json:"removedTopics"`
		RemovedServices []string `json:"removedServices"`
	}
	u := update{Op: "connectionGraphUpdate", Published: []named{}, Subscribed: []named{}, Services: []named{}, RemovedTopics: []string{}, RemovedServices: []string{}}
	for name, ids := range changes(was.published, now.published) {
		u.Published = append(u.Published, named{Name: name, Publishers: ids, Type: c.typeFor(g, name)})
	}
	for name, ids := range changes(was.subscribed, now.subscribed) {
		u.Subscribed = append(u.Subscribed, named{Name: name, Subscribers: ids, Type: c.typeFor(g, name)})
	}
	for name, ids := range changes(was.services, now.services) {
		u.Services = append(u.Services, named{Name: name, Providers: ids})
	}
	for _, name := range append(keys(was.published), keys(was.subscribed)...) {
		if now.published[name] == nil && now.subscribed[name] == nil && !slices.Contains(u.RemovedTopics, name) {
			u.RemovedTopics = append(u.RemovedTopics, name)
		}
	}
	for _, name := range keys(was.services) {
		if now.services[name] == nil {
			u.RemovedServices = append(u.RemovedServices, name)
		}
	}
	changed := len(u.Published)+len(u.Subscribed)+len(u.Services)+len(u.RemovedTopics)+len(u.RemovedServices) > 0
	if !changed && was.published != nil {
		return nil
	}
	return c.say(u)
}

// typeFor returns the type of a topic for a page, which needs it to publish.
func (c *client) typeFor(g *hub.Graph, topic string) string {
	if !c.page {
		return ""
	}
	t, _ := g.Topic(topic)
	return t.Type
}

// changes returns the entries that are new or changed; a name that lost all its users on one side has none.
func changes(was, now map[string][]string) map[string][]string {
	out := map[string][]string{}
	for name, ids := range now {
		if !slices.Equal(was[name], ids) {
			out[name] = ids
		}
	}
	for name := range was {
		if now[name] == nil {
			out[name] = []string{}
		}
	}
	return out
}

func keys(m map[string][]string) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	return list
}
