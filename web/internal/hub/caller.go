// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// maxCallers bounds the clients that are kept for the next call of their service.
const maxCallers = 32

// caller is the client of a service, shared by all viewers that call it.
type caller struct {
	requester ros2.Requester
	used      time.Time // guarded by the hub's mu, as is users
	users     int

	mu        sync.Mutex
	last      int64
	waiting   map[int64]chan<- []byte
	available chan struct{} // closed and replaced at each change
}

// Call sends a request, CDR with its encapsulation header, to a service in the graph, and returns the first reply.
// ctx limits the wait. An error matches [ErrNoService] if no node offers the service.
func (h *Hub) Call(ctx context.Context, service, rosType string, request []byte) ([]byte, error) {
	g := h.Graph()
	if s, ok := g.Service(service); !ok || s.Type != rosType {
		return nil, fmt.Errorf("%w: %s of type %s", ErrNoService, service, rosType)
	}
	c, err := h.borrow(service, rosType)
	if err != nil {
		return nil, err
	}
	defer h.giveBack(c)
	if err := c.await(ctx); err != nil {
		return nil, fmt.Errorf("service %s: %w: %w", service, ErrNoService, err)
	}
	sequence, reply := c.begin()
	defer c.forget(sequence)
	if err := c.requester.Send(sequence, request); err != nil {
		return nil, fmt.Errorf("service %s: %w", service, err)
	}
	select {
	case data := <-reply:
		return data, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("service %s: no reply: %w", service, ctx.Err())
	case <-h.ctx.Done():
		return nil, ErrClosed
	}
}

// borrow returns the client of a service; it makes one if there is none.
func (h *Hub) borrow(service, rosType string) (*caller, error) {
	transport, ok := h.cfg.Transport.(ros2.ServiceTransport)
	if !ok {
		return nil, fmt.Errorf("%w: the transport carries none", ErrNoService)
	}
	request, requestHash := h.types.known(h.cfg.Types, rosType+"_Request")
	_, responseHash := h.types.known(h.cfg.Types, rosType+"_Response")
	if request == nil {
		requestHash, responseHash = "", ""
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrClosed
	}
	c := h.callers[service+" "+rosType]
	if c == nil {
		h.dropIdleLocked()
		c = &caller{waiting: map[int64]chan<- []byte{}, available: make(chan struct{})}
		requester, err := transport.NewRequester(ros2.ClientConfig{
			ServiceConfig: ros2.ServiceConfig{
				Node: h.cfg.Node, Name: service, Type: rosType, QoS: ros2.ServicesQoS(), RequestHash: requestHash, ResponseHash: responseHash,
			},
			OnReply: c.deliver, OnAvailable: c.setAvailable,
		})
		if err != nil {
			return nil, fmt.Errorf("client of %s: %w", service, err)
		}
		c.requester = requester
		h.callers[service+" "+rosType] = c
	}
	c.users++
	c.used = time.Now()
	return c, nil
}

func (h *Hub) giveBack(c *caller) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.users--
}

// dropIdleLocked frees space for one more client by closing the least recently used one.
func (h *Hub) dropIdleLocked() {
	for len(h.callers) >= maxCallers {
		oldest := ""
		for name, c := range h.callers {
			if c.users == 0 && (oldest == "" || c.used.Before(h.callers[oldest].used)) {
				oldest = name
			}
		}
		if oldest == "" {
			return
		}
		err := h.callers[oldest].close()
		delete(h.callers, oldest)
		if err != nil {
			h.cfg.Logger.Warn("client did not close", "service", oldest, "error", err)
		}
	}
}

func (c *caller) begin() (int64, <-chan []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	reply := make(chan []byte, 1)
	c.waiting[c.last] = reply
	return c.last, reply
}

func (c *caller) forget(sequence int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, sequence)
}

// deliver passes a reply to the waiting call; further replies, of other servers, are dropped.
func (c *caller) deliver(sequence int64, reply ros2.Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if done := c.waiting[sequence]; done != nil {
		delete(c.waiting, sequence)
		done <- append([]byte(nil), reply.Payload...)
	}
}

func (c *caller) setAvailable(bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.available)
	c.available = make(chan struct{})
}

// await waits until a server is matched and would receive a request.
func (c *caller) await(ctx context.Context) error {
	for {
		c.mu.Lock()
		changed := c.available
		c.mu.Unlock()
		if c.requester.Available() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *caller) close() error { return c.requester.Close() }
