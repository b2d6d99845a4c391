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

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// Client calls a service. It is safe for concurrent use; calls may overlap.
type Client[Req, Res any] struct {
	node      *Node
	name      string
	typ       string // of the service
	encode    func(*Req) ([]byte, error)
	decode    func([]byte) (*Res, error)
	use       usedType
	group     CallbackGroup
	callbacks CallbackQueue // nil: replies are handled as they arrive

	mu        sync.Mutex
	last      int64 // number of the last call
	requester Requester
	calls     map[int64]*pending[Res]
	changed   chan struct{} // closed and replaced when available changes
	available bool
	closed    bool
}

// pending is an unfinished call.
type pending[Res any] struct {
	done chan result[Res] // holds one; nil for Then
	then func(*Res, error)
	wait CallbackWait // the callback that waits
}

// end delivers the result of the call.
func (p *pending[Res]) end(r result[Res]) {
	if p.then != nil {
		p.then(r.response, r.err)
		return
	}
	p.wait.Due()
	p.done <- r
}

// result is the result of a call.
type result[Res any] struct {
	response *Res
	err      error
}

// NewClient creates a client of a service, whose name is resolved for the node, with the profile [ServicesQoS]. Close
// the client or its node when done.
func NewClient[Req, Res any, PReq MessageOf[Req], PRes MessageOf[Res]](n *Node, t ServiceType[Req, Res], name string,
	opts ...ServiceOption) (*Client[Req, Res], error) {
	services, ok := n.transport.(ServiceTransport)
	if !ok {
		return nil, fmt.Errorf("%w: the transport does not support services", ErrConfig)
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
	if c.callbacks, err = n.joinGroup(c.group, ReplyCallback, full, 0); err != nil {
		return nil, fmt.Errorf("client of %s: %w", full, err)
	}
	if err := n.register(c); err != nil {
		c.leaveGroup()
		return nil, err
	}
	cfg := serviceConfig[PReq, PRes](n, full, t)
	cfg.Grouped = c.group != nil
	requester, err := services.NewRequester(ClientConfig{ServiceConfig: cfg, OnReply: c.answer, OnAvailable: c.setAvailable})
	if err != nil {
		n.disown(c)
		c.leaveGroup()
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

// Available reports whether a server is available.
func (c *Client[Req, Res]) Available() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.available
}

// WaitAvailable waits until a server is available. The error wraps ctx's, with [ErrNoServer], or [ErrServiceType] if
// for a second all servers have another type, or is [ErrClosed].
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

// awaitServer waits until the availability of servers changes, or the servers' types must be checked.
func (c *Client[Req, Res]) awaitServer(ctx context.Context, changed <-chan struct{}, types *typeWatch) error {
	if err := ctx.Err(); err != nil { // it ended while the caller's callback group had others run
		return fmt.Errorf("service %s: %w: %w", c.name, ErrNoServer, err)
	}
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

// A client that waits for a server checks the types of the servers in the graph: first after firstTypeCheck, within
// which discovery normally finds a server of the right type, then at growing intervals.
const (
	firstTypeCheck = 500 * time.Millisecond
	maxTypeCheck   = 8 * time.Second
)

// typeWatch detects that a service is only offered with another type.
type typeWatch struct {
	pause time.Duration // until the next check
	wrong bool          // at the last check
}

// check returns an [ErrServiceType] the second time that all servers have another type: the first server discovered may
// be a wrong one in addition to a right one.
func (w *typeWatch) check(t Transport, service, typ string) error {
	types := t.Graph().ServerTypes(service)
	wrong := len(types) > 0 && !slices.Contains(types, typ)
	if wrong && w.wrong {
		return fmt.Errorf("service %s: %w: it is a %s, the client's is a %s", service, ErrServiceType, strings.Join(types, " and a "), typ)
	}
	if w.wrong = wrong; !wrong {
		w.pause = min(2*w.pause, maxTypeCheck)
	}
	return nil
}

// Call waits for a server, sends the request and returns the first reply. It waits until ctx ends. The error wraps
// ctx's, [ErrNoServer] if the last server left before it replied, [ErrServiceType] if all servers have another type,
// [ErrDecode] or [ErrClosed]. A callback of an executor may call it: other callbacks, including the server's, run
// meanwhile.
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

// await waits for the result of a call.
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

// Then sends the request and returns. then is called with the first reply or an error: in the client's callback group,
// or without a group on a goroutine of the transport, which it must not block. Without a server Then returns
// [ErrNoServer] and does not call then.
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

// resendPeriod is how long a call that found no server waits if the transport reports no change.
const resendPeriod = 100 * time.Millisecond

// awaitChange waits, after a send without a server failed, until the transport reports a change: only the transport
// knows the order in which servers appeared and left.
func (c *Client[Req, Res]) awaitChange(ctx context.Context, changed <-chan struct{}) {
	timer := time.NewTimer(resendPeriod)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}

// begin numbers and registers a call. changed is closed when available changes.
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

// forget removes a pending call and returns it, or nil if it is finished.
func (c *Client[Req, Res]) forget(sequence int64) *pending[Res] {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.calls[sequence]
	delete(c.calls, sequence)
	return call
}

// answer finishes the call to which a reply belongs.
func (c *Client[Req, Res]) answer(sequence int64, reply Sample) {
	call := c.forget(sequence)
	if call == nil { // cancelled, or answered by another server
		return
	}
	r := result[Res]{}
	if r.response, r.err = c.decode(reply.Payload); r.err != nil {
		r = result[Res]{err: fmt.Errorf("%w: reply: %w", ErrDecode, r.err)}
	}
	// A waiting callback needs no queue of an executor to continue, unless replies are part of the group's order.
	_, ordered := c.group.(TimingGroup)
	if c.callbacks != nil && (ordered || call.then != nil) {
		c.callbacks.Post(func() { call.end(r) })
		return
	}
	call.end(r)
}

// setAvailable wakes waiting callers. If no server is available, it finishes the pending calls with an error.
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

// takeAllLocked removes and returns the unfinished calls, oldest first.
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

// leaveGroup removes the client from its callback group.
func (c *Client[Req, Res]) leaveGroup() (ended bool) {
	return c.callbacks == nil || c.callbacks.Close(closeTimeout)
}

// Close removes the client; pending calls return [ErrClosed]. Closing twice is harmless.
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
	if !c.leaveGroup() {
		err = fmt.Errorf("client of %s: reply: %w after %v", c.name, ErrStuck, closeTimeout)
	}
	if requester == nil { // NewClient is still running and will close it
		return err
	}
	return errors.Join(err, requester.Close())
}
