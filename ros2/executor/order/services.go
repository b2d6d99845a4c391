// SPDX-License-Identifier: Apache-2.0

package order

import (
	"errors"
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// server is a service of the application.
type server struct {
	t     *transport
	cfg   ros2.ServerConfig
	inner ros2.Server

	endpoint int // 0: none, requests are handled at once

	mu     sync.Mutex // one request at a time
	closed bool
}

// NewServer implements ros2.ServiceTransport.
func (t *transport) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	s := &server{t: t, cfg: cfg}
	if cfg.Grouped {
		s.endpoint = t.c.inbox.add(wire.Endpoint{Role: wire.Service, Name: cfg.Name, Type: cfg.Type, Node: cfg.Node.FullName()})
	}
	outer := cfg
	outer.OnRequest = func(q ros2.Request) {
		t.c.receive(s.endpoint, q.Payload, func(payload []byte, number int64) { q.Payload = payload; s.enqueue(q, number) })
	}
	inner, err := t.ServiceTransport.NewServer(outer)
	if err != nil {
		t.c.inbox.remove(s.endpoint)
		return nil, err
	}
	s.inner = inner
	add(&t.c.bus, &t.c.bus.servers, s)
	for _, r := range t.c.bus.clientsOf(cfg.Name) {
		r.announce()
	}
	return s, nil
}

// enqueue passes a request to the service; the response is sent in order. A request of another process has a number.
func (s *server) enqueue(q ros2.Request, number int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	respond := q.Respond
	q.Respond = func(payload []byte) error {
		copied := append([]byte(nil), payload...)
		s.t.c.send(output{deliver: func() {
			if number > 0 {
				s.t.c.recordSend(wire.Send{Kind: wire.Reply, Name: s.cfg.Name, Sum: wire.SumOf(copied), To: number})
			}
			_ = respond(copied) // on an error the client is gone
		}})
		return nil
	}
	s.cfg.OnRequest(q)
}

// GID implements ros2.Server.
func (s *server) GID() ros2.GID { return s.inner.GID() }

// Close implements ros2.Server.
func (s *server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	b := &s.t.c.bus
	s.t.c.inbox.remove(s.endpoint)
	drop(b, &b.servers, s)
	err := s.inner.Close()
	for _, r := range b.clientsOf(s.cfg.Name) {
		r.announce()
	}
	return err
}

// requester is a client of the application.
type requester struct {
	t     *transport
	cfg   ros2.ClientConfig
	inner ros2.Requester

	endpoint int // 0: none, its replies are handled at once

	mu       sync.Mutex // one reply at a time
	outer    bool       // there is a server outside
	reported bool
	closed   bool

	reporting sync.Mutex // changes are reported in order
}

// NewRequester implements ros2.ServiceTransport.
func (t *transport) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	r := &requester{t: t, cfg: cfg}
	if cfg.Grouped {
		r.endpoint = t.c.inbox.add(wire.Endpoint{Role: wire.Client, Name: cfg.Name, Type: cfg.Type, Node: cfg.Node.FullName()})
	}
	outer := cfg
	outer.OnReply = func(sequence int64, reply ros2.Sample) {
		t.c.receive(r.endpoint, reply.Payload, func(payload []byte, _ int64) { reply.Payload = payload; r.answer(sequence, reply) })
	}
	outer.OnAvailable = func(is bool) {
		r.mu.Lock()
		r.outer = is
		r.mu.Unlock()
		r.announce()
		t.c.inbox.match(r.endpoint, map[bool]int{true: 1}[is]) // last, as for writers
	}
	inner, err := t.ServiceTransport.NewRequester(outer)
	if err != nil {
		t.c.inbox.remove(r.endpoint)
		return nil, err
	}
	r.inner = inner
	add(&t.c.bus, &t.c.bus.requesters, r)
	r.announce()
	return r, nil
}

// announce reports to the client whether a server is available.
func (r *requester) announce() {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	local := r.t.c.bus.serverOf(r.cfg.Name, r.cfg.Type) != nil
	r.mu.Lock()
	is := local || r.outer
	changed := is != r.reported && !r.closed
	r.reported = is
	r.mu.Unlock()
	if changed && r.cfg.OnAvailable != nil {
		r.cfg.OnAvailable(is)
	}
}

func (r *requester) answer(sequence int64, s ros2.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.cfg.OnReply(sequence, s)
	}
}

// Available implements ros2.Requester.
func (r *requester) Available() bool {
	return r.t.c.bus.serverOf(r.cfg.Name, r.cfg.Type) != nil || r.inner.Available()
}

// Send implements ros2.Requester. It sends to the application's own server, if there is one.
func (r *requester) Send(sequence int64, payload []byte) error {
	s := r.t.c.bus.serverOf(r.cfg.Name, r.cfg.Type)
	if s == nil && !r.inner.Available() {
		return fmt.Errorf("service %s: %w", r.cfg.Name, ros2.ErrNoServer)
	}
	copied := append([]byte(nil), payload...)
	r.t.c.send(output{deliver: func() {
		if s == nil {
			r.t.c.recordSend(wire.Send{Kind: wire.Request, Name: r.cfg.Name, Sum: wire.SumOf(copied), From: r.endpoint})
			if err := r.inner.Send(sequence, copied); errors.Is(err, ros2.ErrNoServer) {
				r.cfg.OnAvailable(false) // the call ends; the transport reports when there is one again
			}
			return
		}
		now := r.t.c.time()
		info := ros2.MessageInfo{SourceTime: now, ReceivedTime: now, Publisher: r.inner.GID(), Sequence: sequence}
		s.enqueue(ros2.Request{Payload: copied, Info: info, Respond: func(reply []byte) error {
			now := r.t.c.time()
			r.answer(sequence, ros2.Sample{Payload: reply, Info: ros2.MessageInfo{
				SourceTime: now, ReceivedTime: now, Publisher: s.inner.GID(), Sequence: sequence,
			}})
			return nil
		}}, 0)
	}})
	return nil
}

// GID implements ros2.Requester.
func (r *requester) GID() ros2.GID { return r.inner.GID() }

// Close implements ros2.Requester.
func (r *requester) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	b := &r.t.c.bus
	r.t.c.inbox.remove(r.endpoint)
	drop(b, &b.requesters, r)
	return r.inner.Close()
}
