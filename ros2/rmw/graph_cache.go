// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// graphCache holds the last graph message of each remote participant. It is not
// safe for concurrent use.
type graphCache struct {
	limit   int // bytes
	used    int
	writers map[wire.GUID]*graphWriter
}

// graphWriter holds the messages of one writer. A bridge may write messages of several participants.
type graphWriter struct {
	used     int                       // bytes
	messages map[wire.GUID]cachedGraph // by participant
}

// cachedGraph is a message and its size.
type cachedGraph struct {
	*graphMessage
	size int
}

// graphOverhead is the memory of a message in addition to its size, bytes.
const graphOverhead = 512

// put stores a message of size bytes, replacing the previous one. If there is no space, it drops messages of the writer
// that uses most, as long as that uses more than this one would; otherwise it returns false.
func (c *graphCache) put(writer wire.GUID, m *graphMessage, size int) bool {
	size += graphOverhead
	w := c.writers[writer]
	if w == nil {
		w = &graphWriter{messages: make(map[wire.GUID]cachedGraph)}
	}
	c.drop(w, m.participant)
	for c.used+size > c.limit {
		most := c.most()
		if most == nil || most.used <= w.used+size {
			return false
		}
		for participant := range most.messages {
			c.drop(most, participant)
			break
		}
	}
	if c.writers == nil {
		c.writers = make(map[wire.GUID]*graphWriter)
	}
	c.writers[writer] = w
	w.messages[m.participant] = cachedGraph{m, size}
	w.used += size
	c.used += size
	return true
}

// drop deletes one message, if it exists.
func (c *graphCache) drop(w *graphWriter, participant wire.GUID) {
	size := w.messages[participant].size
	delete(w.messages, participant)
	w.used -= size
	c.used -= size
}

// most returns the writer that uses most memory.
func (c *graphCache) most() (most *graphWriter) {
	for _, w := range c.writers {
		if most == nil || w.used > most.used {
			most = w
		}
	}
	return most
}

// forget deletes the messages of an unmatched writer, and reports whether there were any.
func (c *graphCache) forget(writer wire.GUID) bool {
	w := c.writers[writer]
	if w == nil {
		return false
	}
	delete(c.writers, writer)
	c.used -= w.used
	return true
}

// all yields the messages.
func (c *graphCache) all(yield func(*graphMessage) bool) {
	for _, w := range c.writers {
		for _, m := range w.messages {
			if !yield(m.graphMessage) {
				return
			}
		}
	}
}

// owners maps each endpoint named in a message to its node.
func (c *graphCache) owners() map[wire.GUID]ros2.NodeName {
	owners := make(map[wire.GUID]ros2.NodeName)
	for m := range c.all {
		m.addOwners(owners)
	}
	return owners
}

// owner returns the node of one endpoint, the zero value if no message contains it.
func (c *graphCache) owner(endpoint wire.GUID) ros2.NodeName {
	for m := range c.all {
		for i := range m.nodes {
			if n := &m.nodes[i]; slices.Contains(n.readers, endpoint) || slices.Contains(n.writers, endpoint) {
				return n.name
			}
		}
	}
	return ros2.NodeName{}
}

func (m *graphMessage) addOwners(owners map[wire.GUID]ros2.NodeName) {
	for _, n := range m.nodes {
		for _, gids := range [][]wire.GUID{n.readers, n.writers} {
			for _, g := range gids {
				owners[g] = n.name
			}
		}
	}
}

// nodes returns the nodes of all messages.
func (c *graphCache) nodes() []ros2.NodeName {
	var nodes []ros2.NodeName
	for m := range c.all {
		for _, n := range m.nodes {
			nodes = append(nodes, n.name)
		}
	}
	return nodes
}

// endpointInfo describes a DDS endpoint in ROS terms. It reports false for those that are not part of the ROS graph:
// topics outside of the conventions, invalid type names, and the second DDS endpoint of each service and client.
func endpointInfo(d *wire.EndpointData, node ros2.NodeName) (ros2.EndpointInfo, bool) {
	name, role := DemangleTopic(d.Topic)
	info := ros2.EndpointInfo{
		Node: node, Topic: name, TypeHash: endpointTypeHash(d.UserData),
		QoS: fromDDS(&d.QoS), GID: ros2.GID(d.GUID.Bytes()),
	}
	writer := d.IsWriter()
	switch {
	case role == TopicRole:
		info.Kind = ros2.SubscriptionEndpoint
		if writer {
			info.Kind = ros2.PublisherEndpoint
		}
		info.Type, _ = DemangleType(d.Type)
	case role == RequestRole && !writer:
		info.Kind = ros2.ServiceEndpoint
		info.Type, _ = serviceType(d.Type)
	case role == ReplyRole && !writer:
		info.Kind = ros2.ClientEndpoint
		info.Type, _ = serviceType(d.Type)
	default:
		return ros2.EndpointInfo{}, false
	}
	if ros2.ValidateTypeName(info.Type) != nil {
		return ros2.EndpointInfo{}, false
	}
	return info, true
}
