// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/cdr"
)

// Client asks a service. It is safe for concurrent use; calls may overlap.
type Client[Req, Res any] struct {
	node   *Node
	name   string
	typ    string // of the service
	encode func(*Req) ([]byte, error)
	decode func([]byte) (*Res, error)
	use    usedType
	group  CallbackGroup
	place  CallbackPlace // nil: replies are told as they come

	mu        sync.Mutex
	last      int64 // number of the last call
	requester Requester
	calls     map[int64]*pending[Res]
	changed   chan struct{} // closed and replaced when available changes
	available bool
	closed    bool
}

// pending is a call that is not at its end.
type pending[Res any] struct {
	done chan result[Res] // holds one; nil for Then
	then func(*Res, error)
	wait CallbackWait // the callback that waits
}

// end tells how the call ended.
func (p *pending[Res]) end(r result[Res]) {
	if p.then != nil {
		p.then(r.response, r.err)
		return
	}
	p.wait.Due()
	p.done <- r
}

// result is the end of a call.
type result[Res any] struct {
	response *Res
	err      error
}

// NewClient makes a client of the service with a name that is resolved for the
// node, with the profile [ServicesQoS]. Close the client or its node when done.
func NewClient[Req, Res any, PReq MessageOf[Req], PRes MessageOf[Res]](n *Node, t ServiceType[Req, Res], name string,
	opts ...ServiceOption) (*Client[Req, Res], error) {
	services, ok := n.transport.(ServiceTransport)
	if !ok {
		return nil, fmt.Errorf("%w: the transport carries no services", ErrConfig)
	}
	full, err := n.ResolveServiceName(name)
	if err != nil {
		return nil, fmt.Errorf("client of %q: %w", name, err)
	}
	c := &Client[Req, Res]{
		node: n, name: full, typ: t.ROSType(), calls: make(map[int64]*pending[Res]), changed: make(chan struct{}),
		use: serviceUse[PReq, PRes](t), group: n.serviceGroup(opts),
		encode: func(m *Req) ([]byte, error) { return cdr.Marshal(nil, PReq(m)) },
		decode: func(data []byte) (*Res, error) {
			m := new(Res)
			return m, cdr.Unmarshal(data, PRes(m))
		},
	}
	if c.place, err = n.place(c.group, ReplyCallback, full, 0); err != nil {
		return nil, fmt.Errorf("client of %s: %w", full, err)
	}
	if err := n.register(c); err != nil {
		c.quit()
		return nil, err
	}
	cfg := serviceConfig[PReq, PRes](n, full, t)
	cfg.Grouped = c.group != nil
	requester, err := services.NewRequester(ClientConfig{ServiceConfig: cfg, OnReply: c.answer, OnAvailable: c.setAvailable})
	if err != nil {
		n.disown(c)
		c.quit()
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
// [ErrNoServer], or [ErrServiceType] if all servers have another type for a
// second, or is [ErrClosed].
func (c *Client[Req, Res]) WaitAvailable(ctx context.Context) error {
	w := typeWatch{pause: firstTypeCheck}
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
		if err := c.awaitServer(ctx, changed, &w); err != nil {
			return err
		}
	}
}

// awaitServer waits until what is known of the servers has changed, or the types of the servers are to be checked.
func (c *Client[Req, Res]) awaitServer(ctx context.Context, changed <-chan struct{}, types *typeWatch) error {
	w := pause(c.group)
	w.Begin()
	defer w.End()
	timer := time.NewTimer(types.pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("service %s: %w: %w", c.name, ErrNoServer, ctx.Err())
	case <-changed:
		return nil
	case <-timer.C:
		return types.check(c.node.transport, c.name, c.typ)
	}
}

// A client that waits for a server looks at the types of the servers in the graph: first after firstTypeCheck, since
// discovery finds a server of the right type within less, then at growing intervals.
const (
	firstTypeCheck = 500 * time.Millisecond
	maxTypeCheck   = 8 * time.Second
)

// typeWatch finds out that a service is only offered with another type.
type typeWatch struct {
	pause time.Duration // until the next check
	wrong bool          // at the last check
}

// check returns an [ErrServiceType] the second time that all servers have another type: the first server found may be
// a wrong one beside a right one.
func (w *typeWatch) check(t Transport, service, typ string) error {
	types := t.Graph().ServerTypes(service)
	wrong := len(types) > 0 && !slices.Contains(types, typ)
	if wrong && w.wrong {
		return fmt.Errorf("service %s: %w: it is a %s, the client wants a %s", service, ErrServiceType, strings.Join(types, " and a "), typ)
	}
	if w.wrong = wrong; !wrong {
		w.pause = min(2*w.pause, maxTypeCheck)
	}
	return nil
}

// Call waits for a server, sends the request and returns the first reply. How
// long it waits is ctx's business. The error wraps ctx's, [ErrNoServer] if the
// last server left before it replied, [ErrServiceType] if all servers have
// another type, [ErrDecode] or [ErrClosed]. A callback of
// an executor may call: meanwhile others run in its place, the server among them.
func (c *Client[Req, Res]) Call(ctx context.Context, request *Req) (*Res, error) {
	payload, err := c.encode(request)
	if err != nil {
		return nil, fmt.Errorf("service %s: request: %w", c.name, err)
	}
	for {
		if err := c.WaitAvailable(ctx); err != nil {
			return nil, err
		}
		call := &pending[Res]{done: make(chan result[Res], 1), wait: pause(c.group)}
		requester, sequence, changed, err := c.begin(call)
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
		return c.await(ctx, sequence, call)
	}
}

// await waits for the end of a call.
func (c *Client[Req, Res]) await(ctx context.Context, sequence int64, call *pending[Res]) (*Res, error) {
	call.wait.Begin()
	defer call.wait.End()
	select {
	case r := <-call.done:
		if r.err != nil {
			return nil, fmt.Errorf("service %s: %w", c.name, r.err)
		}
		return r.response, nil
	case <-ctx.Done():
		c.forget(sequence)
		return nil, fmt.Errorf("service %s: no reply: %w", c.name, ctx.Err())
	}
}

// Then sends the request and returns. then gets the first reply, or why there is none: in the client's callback group,
// without one on a goroutine of the transport, and must not block there. Without a server the error is [ErrNoServer],
// and then is not called.
func (c *Client[Req, Res]) Then(request *Req, then func(response *Res, err error)) error {
	payload, err := c.encode(request)
	if err != nil {
		return fmt.Errorf("service %s: request: %w", c.name, err)
	}
	requester, sequence, _, err := c.begin(&pending[Res]{then: then})
	if err == nil {
		err = requester.Send(sequence, payload)
	}
	if err != nil {
		c.forget(sequence)
		return fmt.Errorf("service %s: %w", c.name, err)
	}
	return nil
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
func (c *Client[Req, Res]) begin(call *pending[Res]) (r Requester, sequence int64, changed <-chan struct{}, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, 0, nil, ErrClosed
	}
	c.last++
	c.calls[c.last] = call
	return c.requester, c.last, c.changed, nil
}

// forget gives a call up and returns it, if its end is still waited for.
func (c *Client[Req, Res]) forget(sequence int64) *pending[Res] {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.calls[sequence]
	delete(c.calls, sequence)
	return call
}

// answer ends the call that a reply is for.
func (c *Client[Req, Res]) answer(sequence int64, reply Sample) {
	call := c.forget(sequence)
	if call == nil { // given up, or answered by another server
		return
	}
	r := result[Res]{}
	if r.response, r.err = c.decode(reply.Payload); r.err != nil {
		r = result[Res]{err: fmt.Errorf("%w: reply: %w", ErrDecode, r.err)}
	}
	// A callback that waits needs no place of an executor to go on, unless replies are part of its order.
	_, ordered := c.group.(TimingGroup)
	if c.place != nil && (ordered || call.then != nil) {
		c.place.Post(func() { call.end(r) })
		return
	}
	call.end(r)
}

// setAvailable wakes those who wait, and ends the calls that will not be answered.
func (c *Client[Req, Res]) setAvailable(available bool) {
	c.mu.Lock()
	if c.available == available {
		c.mu.Unlock()
		return
	}
	c.available = available
	close(c.changed)
	c.changed = make(chan struct{})
	var left []*pending[Res]
	if !available {
		left = c.takeAllLocked()
	}
	c.mu.Unlock()
	endAll(left, ErrNoServer)
}

// takeAllLocked returns the calls that are not at their end, oldest first, and forgets them.
func (c *Client[Req, Res]) takeAllLocked() (all []*pending[Res]) {
	for _, sequence := range slices.Sorted(maps.Keys(c.calls)) {
		all = append(all, c.calls[sequence])
	}
	clear(c.calls)
	return all
}

func endAll[Res any](calls []*pending[Res], err error) {
	for _, call := range calls {
		call.end(result[Res]{err: err})
	}
}

// quit leaves the group.
func (c *Client[Req, Res]) quit() (ended bool) {
	return c.place == nil || c.place.Close(closePatience)
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
	left := c.takeAllLocked()
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	endAll(left, ErrClosed)
	c.node.disown(c)
	var err error
	if !c.quit() {
		err = fmt.Errorf("client of %s: reply: %w after %v", c.name, ErrStuck, closePatience)
	}
	if requester == nil { // NewClient is still at work and will close it
		return err
	}
	return errors.Join(err, requester.Close())
}
