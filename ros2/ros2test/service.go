// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// party is the common part of servers and clients.
type party struct {
	t    *Transport
	kind ros2.EndpointKind
	gid  ros2.GID
	cfg  ros2.ServiceConfig

	mu     sync.Mutex // held during a callback: Close waits for it
	closed bool
}

// GID identifies the party in the graph.
func (p *party) GID() ros2.GID { return p.gid }

func (p *party) info() ros2.EndpointInfo {
	return ros2.EndpointInfo{
		Kind: p.kind, Node: p.cfg.Node, Topic: p.cfg.Name, Type: p.cfg.Type,
		TypeHash: p.cfg.RequestHash, QoS: p.cfg.QoS, GID: p.gid,
	}
}

// call runs f unless the party is closed.
func (p *party) call(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		f()
	}
}

// close closes the party when no callback runs, and reports whether it was open.
func (p *party) close() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	again := p.closed
	p.closed = true
	return !again
}

// server implements ros2.Server.
type server struct {
	party
	onRequest func(ros2.Request)
}

// requester implements ros2.Requester.
type requester struct {
	party
	onReply     func(int64, ros2.Sample)
	onAvailable func(bool)
}

// NewServer creates a server.
func (t *Transport) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	s := &server{party{t: t, kind: ros2.ServiceEndpoint, cfg: cfg.ServiceConfig}, cfg.OnRequest}
	n := t.net
	n.mu.Lock()
	s.gid = t.newGIDLocked()
	first := len(n.serversLocked(&s.party)) == 0
	n.servers = append(n.servers, s)
	clients := n.clientsLocked(&s.party)
	n.mu.Unlock()
	if first {
		reportAvailable(clients, true)
	}
	n.changed()
	return s, nil
}

// NewRequester creates a client.
func (t *Transport) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	r := &requester{party{t: t, kind: ros2.ClientEndpoint, cfg: cfg.ServiceConfig}, cfg.OnReply, cfg.OnAvailable}
	n := t.net
	n.mu.Lock()
	r.gid = r.t.newGIDLocked()
	n.clients = append(n.clients, r)
	available := len(n.serversLocked(&r.party)) > 0
	n.mu.Unlock()
	if available {
		reportAvailable([]*requester{r}, true)
	}
	n.changed()
	return r, nil
}

func reportAvailable(clients []*requester, available bool) {
	for _, r := range clients {
		if r.onAvailable != nil {
			r.call(func() { r.onAvailable(available) })
		}
	}
}

// serversLocked and clientsLocked return those of the service of p.
func (n *Network) serversLocked(p *party) (out []*server) {
	for _, s := range n.servers {
		if s.cfg.Name == p.cfg.Name && s.cfg.Type == p.cfg.Type {
			out = append(out, s)
		}
	}
	return out
}

func (n *Network) clientsLocked(p *party) (out []*requester) {
	for _, r := range n.clients {
		if r.cfg.Name == p.cfg.Name && r.cfg.Type == p.cfg.Type {
			out = append(out, r)
		}
	}
	return out
}

// Available reports whether a server is available.
func (r *requester) Available() bool {
	r.t.net.mu.Lock()
	defer r.t.net.mu.Unlock()
	return len(r.t.net.serversLocked(&r.party)) > 0
}

// Send sends the request to every server of the service.
func (r *requester) Send(sequence int64, payload []byte) error {
	if err := r.t.writeError(); err != nil {
		return err
	}
	n := r.t.net
	n.mu.Lock()
	servers := n.serversLocked(&r.party)
	n.mu.Unlock()
	if len(servers) == 0 {
		return fmt.Errorf("%s: %w", r.cfg.Name, ros2.ErrNoServer)
	}
	for _, s := range servers {
		respond := func(reply []byte) error { return s.respond(r, sequence, reply) }
		s.call(func() {
			s.onRequest(ros2.Request{Payload: slices.Clone(payload), Info: n.info(r.gid, sequence), Respond: respond})
		})
	}
	return nil
}

func (s *server) respond(r *requester, sequence int64, reply []byte) error {
	if err := s.t.writeError(); err != nil {
		return err
	}
	r.call(func() {
		r.onReply(sequence, ros2.Sample{Payload: slices.Clone(reply), Info: s.t.net.info(s.gid, sequence)})
	})
	return nil
}

func (n *Network) info(from ros2.GID, sequence int64) ros2.MessageInfo {
	now := n.clock.Now()
	return ros2.MessageInfo{SourceTime: now, ReceivedTime: now, Publisher: from, Sequence: sequence}
}

// Close removes the server.
func (s *server) Close() error {
	if !s.close() {
		return nil
	}
	n := s.t.net
	n.mu.Lock()
	n.servers = slices.DeleteFunc(n.servers, func(x *server) bool { return x == s })
	last := len(n.serversLocked(&s.party)) == 0
	clients := n.clientsLocked(&s.party)
	n.mu.Unlock()
	if last {
		reportAvailable(clients, false)
	}
	n.changed()
	return nil
}

// Close removes the client.
func (r *requester) Close() error {
	if !r.close() {
		return nil
	}
	n := r.t.net
	n.mu.Lock()
	n.clients = slices.DeleteFunc(n.clients, func(x *requester) bool { return x == r })
	n.mu.Unlock()
	n.changed()
	return nil
}

// closeServices closes the servers and clients of a transport.
func (t *Transport) closeServices() error {
	t.net.mu.Lock()
	servers, clients := slices.Clone(t.net.servers), slices.Clone(t.net.clients)
	t.net.mu.Unlock()
	var errs []error
	for _, s := range servers {
		if s.t == t {
			errs = append(errs, s.Close())
		}
	}
	for _, r := range clients {
		if r.t == t {
			errs = append(errs, r.Close())
		}
	}
	return errors.Join(errs...)
}
