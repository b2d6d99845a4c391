// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// maxGraphMessages bounds the participants whose nodes are remembered.
const maxGraphMessages = 512

// graphCache holds the last graph message of each remote participant. It is not
// safe for concurrent use.
type graphCache struct {
	messages map[graphSource]*graphMessage
}

// graphSource tells messages apart. A bridge may write those of several
// participants with one writer.
type graphSource struct{ writer, participant wire.GUID }

// put remembers a message instead of the one before it. It reports false if
// there are too many already.
func (c *graphCache) put(writer wire.GUID, m *graphMessage) bool {
	key := graphSource{writer, m.participant}
	if c.messages[key] == nil && len(c.messages) >= maxGraphMessages {
		return false
	}
	if c.messages == nil {
		c.messages = make(map[graphSource]*graphMessage)
	}
	c.messages[key] = m
	return true
}

// forget drops the messages of a writer that is gone, and reports whether there
// were any.
func (c *graphCache) forget(writer wire.GUID) bool {
	before := len(c.messages)
	for key := range c.messages {
		if key.writer == writer {
			delete(c.messages, key)
		}
	}
	return len(c.messages) != before
}

// owners maps each endpoint named in a message to its node.
func (c *graphCache) owners() map[wire.GUID]ros2.NodeName {
	owners := make(map[wire.GUID]ros2.NodeName)
	for _, m := range c.messages {
		m.addOwners(owners)
	}
	return owners
}

// owner returns the node of one endpoint, the zero value if no message names it.
func (c *graphCache) owner(endpoint wire.GUID) ros2.NodeName {
	return c.owners()[endpoint]
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
	for _, m := range c.messages {
		for _, n := range m.nodes {
			nodes = append(nodes, n.name)
		}
	}
	return nodes
}

// endpointInfo describes a DDS endpoint in ROS terms. It reports false for those
// that are not part of the ROS graph: topics beside the conventions, and the
// second half of each service and client.
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
	return info, true
}
