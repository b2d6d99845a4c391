// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"cmp"
	"slices"
	"strings"
)

// NodeName is the name of a node and its namespace.
type NodeName struct {
	// Namespace begins with a slash and, unless it is "/", does not end with one.
	Namespace string
	Name      string
}

// FullName returns the name with its namespace, as in "/robot1/driver".
func (n NodeName) FullName() string { return join(n.Namespace, n.Name) }

// Validate checks both parts by the rules of ROS 2 ([ValidateNodeName], [ValidateNamespace]).
func (n NodeName) Validate() error {
	if err := ValidateNamespace(n.Namespace); err != nil {
		return err
	}
	return ValidateNodeName(n.Name)
}

// LoggerName returns the name of the node's logger: its full name with dots for slashes, as in "robot1.driver".
func (n NodeName) LoggerName() string {
	return strings.ReplaceAll(strings.TrimPrefix(n.FullName(), "/"), "/", ".")
}

// join prefixes name with the namespace ns.
func join(ns, name string) string {
	if strings.HasSuffix(ns, "/") {
		return ns + name
	}
	return ns + "/" + name
}

// EndpointKind is the kind of an endpoint in the graph.
type EndpointKind uint8

// Kinds of endpoints.
const (
	PublisherEndpoint EndpointKind = iota
	SubscriptionEndpoint
	ServiceEndpoint
	ClientEndpoint
)

// String returns "publisher", "subscription", "service" or "client".
func (k EndpointKind) String() string {
	return pick(int(k), "publisher", "subscription", "service", "client")
}

// EndpointInfo describes one endpoint in the graph.
type EndpointInfo struct {
	Kind EndpointKind
	// Node is the endpoint's node; the zero value if not known (yet).
	Node NodeName
	// Topic is the full name of the topic or service.
	Topic string
	// Type is the interface name, as in "std_msgs/msg/String".
	Type string
	// TypeHash is empty if the endpoint does not announce it, as in ROS 2 Humble.
	TypeHash string
	// QoS is the announced quality of service. History and depth, if not announced, are those of the default profile.
	QoS QoS
	GID GID
}

// Graph is a snapshot of the nodes and endpoints of a network.
type Graph struct {
	// Nodes are sorted by full name; a name used by several nodes occurs as often.
	Nodes []NodeName
	// Endpoints is sorted by topic, then kind, then GID.
	Endpoints []EndpointInfo
}

// Sort puts nodes and endpoints into their documented order.
func (g *Graph) Sort() {
	slices.SortFunc(g.Nodes, func(a, b NodeName) int {
		return cmp.Compare(a.FullName(), b.FullName())
	})
	slices.SortFunc(g.Endpoints, func(a, b EndpointInfo) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Kind, b.Kind),
			slices.Compare(a.GID[:], b.GID[:]))
	})
}

// TopicInfo summarises a topic.
type TopicInfo struct {
	Name string
	// Types are the message types of the endpoints, sorted. More than one means that a node uses a wrong type.
	Types []string
	// Publishers and Subscriptions count the endpoints.
	Publishers, Subscriptions int
}

// Topics returns the topics sorted by name. Services are not included.
func (g Graph) Topics() []TopicInfo {
	byName := make(map[string]*TopicInfo)
	for _, e := range g.Endpoints {
		if e.Kind != PublisherEndpoint && e.Kind != SubscriptionEndpoint {
			continue
		}
		t := byName[e.Topic]
		if t == nil {
			t = &TopicInfo{Name: e.Topic}
			byName[e.Topic] = t
		}
		if i, found := slices.BinarySearch(t.Types, e.Type); !found {
			t.Types = slices.Insert(t.Types, i, e.Type)
		}
		if e.Kind == PublisherEndpoint {
			t.Publishers++
		} else {
			t.Subscriptions++
		}
	}
	topics := make([]TopicInfo, 0, len(byName))
	for _, t := range byName {
		topics = append(topics, *t)
	}
	slices.SortFunc(topics, func(a, b TopicInfo) int { return cmp.Compare(a.Name, b.Name) })
	return topics
}

// EndpointsOf returns the endpoints of the node, in the order of the snapshot.
func (g Graph) EndpointsOf(node NodeName) []EndpointInfo {
	return g.filter(func(e EndpointInfo) bool { return e.Node == node })
}

// EndpointsOn returns the publishers and subscriptions of a topic.
func (g Graph) EndpointsOn(topic string) []EndpointInfo {
	return g.filter(func(e EndpointInfo) bool {
		return e.Topic == topic && (e.Kind == PublisherEndpoint || e.Kind == SubscriptionEndpoint)
	})
}

// EndpointsOn returns the publishers and subscriptions of a topic known to a transport, in the order of a [Graph].
func EndpointsOn(t Transport, topic string) []EndpointInfo {
	if t, ok := t.(TopicTransport); ok {
		return t.EndpointsOn(topic)
	}
	return t.Graph().EndpointsOn(topic)
}

// SubscribedTypes returns the types of the subscriptions of a topic known to a transport, sorted.
func SubscribedTypes(t Transport, topic string) []string {
	var types []string
	for _, e := range EndpointsOn(t, topic) {
		if e.Kind != SubscriptionEndpoint {
			continue
		}
		if i, found := slices.BinarySearch(types, e.Type); !found {
			types = slices.Insert(types, i, e.Type)
		}
	}
	return types
}

// ServerTypes returns the types of a service's servers, sorted, without those of clients.
func (g Graph) ServerTypes(service string) []string {
	var types []string
	for _, e := range g.Endpoints {
		if e.Kind != ServiceEndpoint || e.Topic != service {
			continue
		}
		if i, found := slices.BinarySearch(types, e.Type); !found {
			types = slices.Insert(types, i, e.Type)
		}
	}
	return types
}

// CountNodes returns the number of nodes with a name that are known to a transport.
func CountNodes(t Transport, name NodeName) (n int) {
	if t, ok := t.(NodeTransport); ok {
		return t.CountNodes(name)
	}
	for _, other := range t.Graph().Nodes {
		if other == name {
			n++
		}
	}
	return n
}

func (g Graph) filter(keep func(EndpointInfo) bool) []EndpointInfo {
	var out []EndpointInfo
	for _, e := range g.Endpoints {
		if keep(e) {
			out = append(out, e)
		}
	}
	return out
}
