// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <stdlib.h>
#include <rcl/graph.h>
*/
import "C"

import (
	"log/slog"
	"slices"
	"time"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Graph returns the graph of the middleware, including the endpoints of this transport. It is empty before a node is
// added.
func (t *Transport) Graph() (g ros2.Graph) {
	t.rcl.RLock()
	defer t.rcl.RUnlock()
	n := t.anyNode()
	if n == nil {
		return g
	}
	g.Nodes = n.all(t)
	topics := ask(t, "topics", func() (map[string][]string, error) { return n.GetTopicNamesAndTypes(true) })
	for topic := range topics {
		g.Endpoints = append(g.Endpoints, n.endpointsOn(t, ros2.PublisherEndpoint, topic)...)
		g.Endpoints = append(g.Endpoints, n.endpointsOn(t, ros2.SubscriptionEndpoint, topic)...)
	}
	for i, of := range g.Nodes {
		if !slices.Contains(g.Nodes[:i], of) {
			g.Endpoints = append(g.Endpoints, n.servicesOf(t, of)...)
		}
	}
	g.Sort()
	return g
}

// ask makes one query. Data that are not available, for example because a node has just left, are not in the graph.
func ask[T any](t *Transport, what string, question func() (T, error)) (answer T) {
	err := call("asking for "+what, func() (err error) {
		answer, err = question()
		return err
	})
	if err != nil {
		t.log.Debug("graph incomplete", slog.Any("error", err))
	}
	return answer
}

// all returns all nodes.
func (n *node) all(t *Transport) (nodes []ros2.NodeName) {
	var namespaces []string
	names := ask(t, "nodes", func() (names []string, err error) {
		names, namespaces, err = n.GetNodeNames()
		return names, err
	})
	for i, name := range names {
		if node := (ros2.NodeName{Namespace: namespaces[i], Name: name}); node.Validate() == nil {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// endpointsOn returns the publishers or the subscriptions of a topic; the caller
// holds no lock of the transport.
func (t *Transport) endpointsOn(kind ros2.EndpointKind, topic string) []ros2.EndpointInfo {
	t.rcl.RLock()
	defer t.rcl.RUnlock()
	n := t.anyNode()
	if n == nil {
		return nil
	}
	return n.endpointsOn(t, kind, topic)
}

func (n *node) endpointsOn(t *Transport, kind ros2.EndpointKind, topic string) (out []ros2.EndpointInfo) {
	question := n.GetPublishersInfoByTopic
	if kind == ros2.SubscriptionEndpoint {
		question = n.GetSubscriptionsInfoByTopic
	}
	infos := ask(t, topic, func() ([]rclgo.TopicEndpointInfo, error) { return question(topic, true) })
	hashes := n.typeHashes(kind, topic)
	for _, i := range infos {
		gid, of := ros2.GID(i.EndpointGID[:16]), ros2.NodeName{Namespace: i.NodeNamespace, Name: i.NodeName}
		if ros2.ValidateTypeName(i.TopicType) != nil || ros2.ValidateFullName(topic) != nil {
			continue
		}
		if of.Validate() != nil { // not known, or another program's text
			of = ros2.NodeName{}
		}
		out = append(out, ros2.EndpointInfo{
			Kind: kind, Node: of, Topic: topic,
			Type: i.TopicType, TypeHash: hashes[gid], QoS: fromRCL(i.QosProfile), GID: gid,
		})
	}
	return out
}

// servicesOf returns the services and clients of a node.
func (n *node) servicesOf(t *Transport, of ros2.NodeName) (out []ros2.EndpointInfo) {
	for kind, question := range map[ros2.EndpointKind]func(node, namespace string) (map[string][]string, error){
		ros2.ServiceEndpoint: n.GetServiceNamesAndTypesByNode,
		ros2.ClientEndpoint:  n.GetClientNamesAndTypesByNode,
	} {
		services := ask(t, "services of "+of.FullName(), func() (map[string][]string, error) { return question(of.Name, of.Namespace) })
		for name, types := range services {
			for _, typ := range types {
				if ros2.ValidateTypeName(typ) != nil || ros2.ValidateFullName(name) != nil {
					continue
				}
				out = append(out, ros2.EndpointInfo{Kind: kind, Node: of, Topic: name, Type: typ})
			}
		}
	}
	return out
}

// count returns how many publishers or subscriptions a topic has, of any type.
func (t *Transport) count(kind ros2.EndpointKind, topic string) int {
	t.rcl.RLock()
	defer t.rcl.RUnlock()
	n := t.anyNode()
	if n == nil {
		return 0
	}
	name := C.CString(topic)
	defer C.free(unsafe.Pointer(name))
	return ask(t, "endpoints of "+topic, func() (int, error) {
		var count C.size_t
		err := check("counting", func() C.rcl_ret_t {
			if kind == ros2.SubscriptionEndpoint {
				return C.rcl_count_subscribers(nodeHandle(n.Node), name, &count)
			}
			return C.rcl_count_publishers(nodeHandle(n.Node), name, &count)
		})
		return int(count), err
	})
}

// gidTimeout is how long an endpoint waits to appear in the graph: some middlewares add it on another thread, within a
// millisecond or two.
const gidTimeout = 100 * time.Millisecond

// newestGID returns the GID in the graph of an endpoint that has just been created: the one of the node that no other
// endpoint has. rcl has a function only for that of a publisher, and with Cyclone DDS it returns another one. The
// caller holds rcl.
func (t *Transport) newestGID(n *node, kind ros2.EndpointKind, topic string) ros2.GID {
	t.spin.mu.Lock()
	taken := make(map[ros2.GID]bool)
	for _, r := range t.spin.readers {
		taken[r.gid] = true
	}
	for _, w := range t.spin.writers {
		taken[w.gid] = true
	}
	t.spin.mu.Unlock()
	for end := time.Now().Add(gidTimeout); ; {
		for _, e := range n.endpointsOn(t, kind, topic) {
			if e.Node == n.name && !taken[e.GID] {
				return e.GID
			}
		}
		if time.Now().After(end) {
			return ros2.GID{}
		}
		<-time.After(time.Millisecond)
	}
}
