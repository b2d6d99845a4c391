// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// gidForm is the size of a GID in a graph message, bytes.
//
//	ParticipantEntitiesInfo            NodeEntitiesInfo
//	+--------------------------+      +---------------------------+
//	| gid (16 B, Humble 24 B)  |      | string<=256 namespace     |
//	| u32 count                |      | string<=256 name          |
//	| count x NodeEntitiesInfo |      | u32 count, count x gid    | readers
//	+--------------------------+      | u32 count, count x gid    | writers
//	                                  +---------------------------+
//
// A GID is the 16 bytes of a GUID; in Humble 8 zeros follow (rmw_dds_common/msg, before and after Iron).
type gidForm int

const (
	humbleForm gidForm = 24
	ironForm   gidForm = 16
)

// Limits of an accepted graph message.
const (
	maxGraphNodes     = 1 << 14
	maxGraphEndpoints = 4096 // readers, or writers, of one node
	maxGraphName      = 256
)

// graphMessage is a participant's message on ros_discovery_info.
type graphMessage struct {
	participant wire.GUID
	nodes       []graphNode
}

// graphNode is a node with the GIDs of its endpoints.
type graphNode struct {
	name             ros2.NodeName
	readers, writers []wire.GUID
}

// append appends the message with its encapsulation header to dst.
func (m *graphMessage) append(dst []byte, form gidForm) []byte {
	var e cdr.Encoder
	e.Reset(dst)
	appendGID(&e, m.participant, form)
	e.SeqLen(len(m.nodes))
	for i := range m.nodes {
		m.nodes[i].encode(&e, form)
	}
	return e.Bytes()
}

// encode appends the node. It ends at a multiple of four bytes if it begins at one.
func (n *graphNode) encode(e *cdr.Encoder, form gidForm) {
	e.String(n.name.Namespace)
	e.String(n.name.Name)
	for _, gids := range [][]wire.GUID{n.readers, n.writers} {
		e.SeqLen(len(gids))
		for _, g := range gids {
			appendGID(e, g, form)
		}
	}
}

func appendGID(e *cdr.Encoder, g wire.GUID, form gidForm) {
	var b [humbleForm]byte
	id := g.Bytes()
	copy(b[:], id[:])
	e.Uint8s(b[:form])
}

// parseGraphMessage parses a message of either form: the one whose lengths add up to the size of the payload, except
// for up to three bytes of padding.
func parseGraphMessage(payload []byte) (*graphMessage, error) {
	m, err16 := parseGraphForm(payload, ironForm)
	if err16 == nil {
		return m, nil
	}
	m, err24 := parseGraphForm(payload, humbleForm)
	if err24 == nil {
		return m, nil
	}
	return nil, fmt.Errorf("%w: %d bytes: as 16-byte form: %w; as 24-byte form: %w", ErrGraphMessage, len(payload), err16, err24)
}

func parseGraphForm(payload []byte, form gidForm) (*graphMessage, error) {
	var d cdr.Decoder
	if err := d.Reset(payload); err != nil {
		return nil, err
	}
	m := &graphMessage{participant: parseGID(&d, form)}
	const leastNode = 4 * 4 // two empty strings, two empty sequences
	count := d.SeqLen(leastNode, maxGraphNodes)
	for range count {
		n := graphNode{name: ros2.NodeName{
			Namespace: d.StringOf("", maxGraphName),
			Name:      d.StringOf("", maxGraphName),
		}}
		n.readers = parseGIDs(&d, form)
		n.writers = parseGIDs(&d, form)
		if d.Err() != nil {
			break
		}
		m.nodes = append(m.nodes, n)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if left := d.Remaining(); left > 3 {
		return nil, fmt.Errorf("%d surplus bytes", left)
	}
	return m, nil
}

// dropInvalid removes the nodes with invalid names, and returns the first error. An empty namespace becomes the root.
func (m *graphMessage) dropInvalid() (err error) {
	for i := range m.nodes {
		m.nodes[i].name.Namespace = cmp.Or(m.nodes[i].name.Namespace, "/")
	}
	m.nodes = slices.DeleteFunc(m.nodes, func(n graphNode) bool {
		wrong := n.name.Validate()
		if err == nil {
			err = wrong
		}
		return wrong != nil
	})
	return err
}

func parseGIDs(d *cdr.Decoder, form gidForm) []wire.GUID {
	n := d.SeqLen(int(form), maxGraphEndpoints)
	if n == 0 {
		return nil
	}
	gids := make([]wire.GUID, n)
	for i := range gids {
		gids[i] = parseGID(d, form)
	}
	return gids
}

func parseGID(d *cdr.Decoder, form gidForm) wire.GUID {
	var b [humbleForm]byte
	d.Uint8s(b[:form])
	return wire.GUIDFromBytes(b[:])
}
