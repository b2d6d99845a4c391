// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// localGraph holds the nodes and endpoints of this participant and encodes its graph message. The cost of a change is
// independent of the number of nodes: one process may have a thousand. It is not safe for concurrent use. The zero
// value is empty.
type localGraph struct {
	nodes     []*localNode // added nodes, in the order of the message
	byName    map[ros2.NodeName]*localNode
	topics    map[string]*ddsEndpoint // the first endpoint of each
	endpoints int
	changed   bool // since the last message
	encoded   int  // how often a node was encoded, for tests
}

// localNode is a node with its endpoints. Endpoints may exist before their node is added and after it is removed.
type localNode struct {
	name      ros2.NodeName
	count     int // how often it was added: the name is listed as often, the first entry with all endpoints
	slot      int // in localGraph.nodes, if count > 0
	endpoints []*ddsEndpoint
	forms     [2][]byte // its part of the message in both forms; nil if not yet encoded
}

// node returns the entry of a name.
func (g *localGraph) node(name ros2.NodeName) *localNode {
	n := g.byName[name]
	if n == nil {
		if g.byName == nil {
			g.byName = make(map[ros2.NodeName]*localNode)
		}
		n = &localNode{name: name}
		g.byName[name] = n
	}
	return n
}

// addNode adds a node.
func (g *localGraph) addNode(name ros2.NodeName) {
	n := g.node(name)
	if n.count == 0 {
		n.slot = len(g.nodes)
		g.nodes = append(g.nodes, n)
	}
	n.count++
	g.touch(n)
}

// removeNode removes a node and reports whether it was present.
func (g *localGraph) removeNode(name ros2.NodeName) bool {
	n := g.byName[name]
	if n == nil || n.count == 0 {
		return false
	}
	g.touch(n)
	if n.count--; n.count > 0 {
		return true
	}
	last := len(g.nodes) - 1
	g.nodes[n.slot] = g.nodes[last]
	g.nodes[n.slot].slot = n.slot
	g.nodes[last] = nil
	g.nodes = g.nodes[:last]
	g.drop(n)
	return true
}

// add adds an endpoint to its node.
func (g *localGraph) add(e *ddsEndpoint) {
	n := g.node(e.info.Node)
	e.node, e.slot = n, len(n.endpoints)
	n.endpoints = append(n.endpoints, e)
	g.endpoints++
	if g.topics == nil {
		g.topics = make(map[string]*ddsEndpoint)
	}
	if e.after = g.topics[e.info.Topic]; e.after != nil {
		e.after.before = e
	}
	g.topics[e.info.Topic] = e
	g.touch(n)
}

// remove removes an endpoint that was added.
func (g *localGraph) remove(e *ddsEndpoint) {
	n, last := e.node, len(e.node.endpoints)-1
	n.endpoints[e.slot] = n.endpoints[last]
	n.endpoints[e.slot].slot = e.slot
	n.endpoints[last] = nil
	n.endpoints = n.endpoints[:last]
	e.node = nil
	g.endpoints--
	switch {
	case e.before != nil:
		e.before.after = e.after
	case e.after != nil:
		g.topics[e.info.Topic] = e.after
	default:
		delete(g.topics, e.info.Topic)
	}
	if e.after != nil {
		e.after.before = e.before
	}
	e.before, e.after = nil, nil
	g.touch(n)
	g.drop(n)
}

// touch marks a node as changed, if it is listed.
func (g *localGraph) touch(n *localNode) {
	n.forms = [2][]byte{}
	g.changed = g.changed || n.count > 0
}

// drop deletes a node that is not listed and has no endpoints.
func (g *localGraph) drop(n *localNode) {
	if n.count == 0 && len(n.endpoints) == 0 {
		delete(g.byName, n.name)
	}
}

// on yields the endpoints of a topic or service.
func (g *localGraph) on(topic string) func(yield func(*ddsEndpoint) bool) {
	return func(yield func(*ddsEndpoint) bool) {
		for e := g.topics[topic]; e != nil; e = e.after {
			if !yield(e) {
				return
			}
		}
	}
}

// all yields the endpoints.
func (g *localGraph) all(yield func(*ddsEndpoint) bool) {
	for _, n := range g.byName {
		for _, e := range n.endpoints {
			if !yield(e) {
				return
			}
		}
	}
}

// owner returns the node of an endpoint, by the GUID of its reader or writer, or the zero value.
func (g *localGraph) owner(endpoint wire.GUID) ros2.NodeName {
	for e := range g.all {
		if e.reader == endpoint || e.writer == endpoint {
			return e.info.Node
		}
	}
	return ros2.NodeName{}
}

// appendNames appends the name of each node, as often as it was added.
func (g *localGraph) appendNames(names []ros2.NodeName) []ros2.NodeName {
	names = slices.Grow(names, len(g.nodes))
	for _, n := range g.nodes {
		for range n.count {
			names = append(names, n.name)
		}
	}
	return names
}

// message returns the graph message of the participant in one form. Only changed nodes are encoded again.
func (g *localGraph) message(participant wire.GUID, variant int) []byte {
	form := ironForm
	if variant == humbleVariant {
		form = humbleForm
	}
	count, size := 0, cdr.HeaderSize+int(form)+4
	for _, n := range g.nodes {
		if n.forms[variant] == nil {
			n.forms[variant] = n.encode(form)
			g.encoded++
		}
		count += n.count
		size += len(n.forms[variant])
	}
	var e cdr.Encoder
	e.Reset(make([]byte, 0, size))
	appendGID(&e, participant, form)
	e.SeqLen(count)
	out := e.Bytes()
	for _, n := range g.nodes {
		out = append(out, n.forms[variant]...)
	}
	return out
}

// encode returns the node's part of a message, without an encapsulation header. It begins and ends at a multiple of
// four bytes, so it does not depend on its position in the message.
func (n *localNode) encode(form gidForm) []byte {
	nodes := make([]graphNode, n.count)
	for i := range nodes {
		nodes[i].name = n.name
	}
	for _, e := range n.endpoints {
		if !e.reader.IsZero() {
			nodes[0].readers = append(nodes[0].readers, e.reader)
		}
		if !e.writer.IsZero() {
			nodes[0].writers = append(nodes[0].writers, e.writer)
		}
	}
	var e cdr.Encoder
	e.Reset(nil)
	for i := range nodes {
		nodes[i].encode(&e, form)
	}
	return slices.Clip(e.Bytes()[cdr.HeaderSize:])
}
