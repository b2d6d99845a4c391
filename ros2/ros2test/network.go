// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"encoding/binary"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/callback"
)

// Network connects its transports. It is safe for concurrent use.
type Network struct {
	mu         sync.Mutex
	transports []*Transport
	writers    []*writer
	readers    []*reader
	servers    []*server
	clients    []*requester
	observers  callback.List[func()]
	lastID     uint32
	clock      ros2.Clock
}

// NewNetwork returns a network without transports whose messages have time stamps of the system clock.
func NewNetwork() *Network { return NewNetworkWithClock(ros2.SystemClock()) }

// NewNetworkWithClock returns a network whose messages have time stamps of clock.
func NewNetworkWithClock(clock ros2.Clock) *Network { return &Network{clock: clock} }

// NewTransport creates a transport on the network, which represents another process.
func (n *Network) NewTransport() *Transport {
	t := &Transport{net: n, done: make(chan struct{})}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.transports = append(n.transports, t)
	t.number = uint32(len(n.transports))
	return t
}

// NewTransport returns the only transport of a new network.
func NewTransport() *Transport { return NewNetwork().NewTransport() }

// newGIDLocked returns a GID that is unique in the network; its first 12 bytes are those of the transport's process.
func (t *Transport) newGIDLocked() ros2.GID {
	n := t.net
	n.lastID++
	var g ros2.GID
	binary.BigEndian.PutUint32(g[8:], t.number)
	binary.BigEndian.PutUint32(g[12:], n.lastID)
	return g
}

// graphLocked returns the graph, the same for every transport.
func (n *Network) graphLocked() ros2.Graph {
	var g ros2.Graph
	for _, t := range n.transports {
		g.Nodes = append(g.Nodes, t.nodes...)
	}
	for _, w := range n.writers {
		g.Endpoints = append(g.Endpoints, w.info())
	}
	for _, r := range n.readers {
		g.Endpoints = append(g.Endpoints, r.info())
	}
	for _, s := range n.servers {
		g.Endpoints = append(g.Endpoints, s.info())
	}
	for _, r := range n.clients {
		g.Endpoints = append(g.Endpoints, r.info())
	}
	g.Sort()
	return g
}

// changed calls the observers of the graph; the caller holds no lock.
func (n *Network) changed() {
	for f := range n.observers.All {
		f()
	}
}
