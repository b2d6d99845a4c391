// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/cdr"
)

// Client asks a service. It is safe for concurrent use; calls may overlap.
type Client[Req, Res any] struct {
	node   *Node
	name   string
	encode func(*Req) ([]byte, error)
	decode func([]byte) (*Res, error)
	use    usedType

	mu        sync.Mutex
	last      int64 // number of the last call
	requester Requester
	calls     map[int64]chan<- result[Res]
	changed   chan struct{} // closed and replaced when available changes
	available bool
	closed    bool
}

// result is the end of a call.
type result[Res any] struct {
	response *Res
	err      error
}

// NewClient makes a client of the service with a name that is resolved for the
// node, with the profile [ServicesQoS]. Close the client or its node when done.
func NewClient[Req, Res any, PReq MessageOf[Req], PRes MessageOf[Res]](n *Node, t ServiceType[Req, Res], name string) (*Client[Req, Res], error) {
	services, ok := n.transport.(ServiceTransport)
	if !ok {
		return nil, fmt.Errorf("%w: the transport carries no services", ErrConfig)
	}
	full, err := n.ResolveServiceName(name)
	if err != nil {
		return nil, fmt.Errorf("client of %q: %w", name, err)
	}
	c := &Client[Req, Res]{
		node: n, name: full, calls: make(map[int64]chan<- result[Res]), changed: make(chan struct{}),
		use:    serviceUse[PReq, PRes](t),
		encode: func(m *Req) ([]byte, error) { return cdr.Marshal(nil, PReq(m)) },
		decode: func(data []byte) (*Res, error) {
			m := new(Res)
			return m, cdr.Unmarshal(data, PRes(m))
		},
	}
	if err := n.own(c); err != nil {
		return nil, err
	}
	requester, err := services.NewRequester(ClientConfig{
		ServiceConfig: serviceConfig[PReq, PRes](n, full, t), OnReply: c.take, OnAvailable: c.setAvailable,
	})
	if err != nil {
		n.disown(c)
		return nil, fmt.Errorf("client of %s: %w", full, err)
	}
	c.mu.Lock()
	c.requester = requester
	closed := c.closed
	c.mu.Unlock()
	if closed { // the node closed meanwhile
		return nil, errors.Join(fmt.Errorf("client of %s: %w", full, ErrClosed), requester.Close())
	}
	return c, nil
}

func (c *Client[Req, Res]) usedType() usedType { return c.use }

// Name returns the full name of the service.
func (c *Client[Req, Res]) Name() string { return c.name }

// Available tells whether a server is there.
func (c *Client[Req, Res]) Available() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.available
}

// WaitAvailable waits until a server is there. The error wraps ctx's, with
// [ErrNoServer], or is [ErrClosed].
func (c *Client[Req, Res]) WaitAvailable(ctx context.Context) error {
	for {
		c.mu.Lock()
		available, closed, changed := c.available, c.closed, c.changed
		c.mu.Unlock()
		switch {
		case closed:
			return fmt.Errorf("service %s: %w", c.name, ErrClosed)
		case available:
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("service %s: %w: %w", c.name, ErrNoServer, ctx.Err())
		case <-changed:
		}
	}
}

// Call waits for a server, sends the request and returns the first reply. How
// long it waits is ctx's business. The error wraps ctx's, [ErrNoServer] if the
// last server left before it replied, [ErrDecode] or [ErrClosed].
func (c *Client[Req, Res]) Call(ctx context.Context, request *Req) (*Res, error) {
	payload, err := c.encode(request)
	if err != nil {
		return nil, fmt.Errorf("service %s: request: %w", c.name, err)
	}
	for {
		if err := c.WaitAvailable(ctx); err != nil {
			return nil, err
		}
		requester, sequence, done, changed, err := c.begin()
		if err == nil {
			err = requester.Send(sequence, payload)
		}
		if err != nil {
			c.forget(sequence)
			if errors.Is(err, ErrNoServer) {
				c.awaitChange(ctx, changed)
				continue
			}
			return nil, fmt.Errorf("service %s: %w", c.name, err)
		}
		select {
		case r := <-done:
			if r.err != nil {
				return nil, fmt.Errorf("service %s: %w", c.name, r.err)
			}
			return r.response, nil
		case <-ctx.Done():
			c.forget(sequence)
			return nil, fmt.Errorf("service %s: no reply: %w", c.name, ctx.Err())
		}
	}
}

// resendPeriod is how long a call waits that found the last server gone, if the
// transport tells nothing.
const resendPeriod = 100 * time.Millisecond

// awaitChange waits after the last server has left, until the transport tells of it or
// of another server: only the transport knows in which order they came and went.
func (c *Client[Req, Res]) awaitChange(ctx context.Context, changed <-chan struct{}) {
	timer := time.NewTimer(resendPeriod)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}

// begin numbers a call and notes it. changed is closed when available changes.
func (c *Client[Req, Res]) begin() (r Requester, sequence int64, done <-chan result[Res], changed <-chan struct{}, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, 0, nil, nil, ErrClosed
	}
	c.last++
	end := make(chan result[Res], 1)
	c.calls[c.last] = end
	return c.requester, c.last, end, c.changed, nil
}

// forget gives a call up and returns where its end was to be told, if it is
// still waited for.
func (c *Client[Req, Res]) forget(sequence int64) chan<- result[Res] {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := c.calls[sequence]
	delete(c.calls, sequence)
	return done
}

// take ends the call that a reply is for.
func (c *Client[Req, Res]) take(sequence int64, reply Sample) {
	done := c.forget(sequence)
	if done == nil { // given up, or answered by another server
		return
	}
	response, err := c.decode(reply.Payload)
	if err != nil {
		done <- result[Res]{err: fmt.Errorf("%w: reply: %w", ErrDecode, err)}
		return
	}
	done <- result[Res]{response: response}
}

// setAvailable wakes those who wait, and ends the calls that will not be answered.
func (c *Client[Req, Res]) setAvailable(available bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.available == available {
		return
	}
	c.available = available
	close(c.changed)
	c.changed = make(chan struct{})
	if !available {
		c.endLocked(ErrNoServer)
	}
}

func (c *Client[Req, Res]) endLocked(err error) {
	for sequence, done := range c.calls {
		delete(c.calls, sequence)
		done <- result[Res]{err: err}
	}
}

// Close withdraws the client; calls that wait end with [ErrClosed]. Closing twice
// is harmless.
func (c *Client[Req, Res]) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	requester := c.requester
	c.endLocked(ErrClosed)
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	c.node.disown(c)
	if requester == nil { // NewClient is still at work and will close it
		return nil
	}
	return requester.Close()
}
