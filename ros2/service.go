// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// ServiceType describes the two messages of a service. Generated services, such as std_srvs.Trigger{}, implement it.
type ServiceType[Req, Res any] interface {
	// ROSType returns the interface name, as in "std_srvs/srv/Trigger".
	ROSType() string
	// New returns an empty request and an empty response.
	New() (*Req, *Res)
}

// Handler handles a request. It runs on a goroutine of its service, or in its callback group, one request at a time,
// and may block; ctx ends when the service closes. ROS cannot transmit an error: it is logged, and the client gets no
// reply. Report failures in the response if it has a field for them.
type Handler[Req, Res any] func(ctx context.Context, request *Req) (response *Res, err error)

// DeferringHandler handles a request as a [Handler] does, but responds by calling respond once, at any time before the
// service closes and on any goroutine. respond returns an error if the response was not sent.
type DeferringHandler[Req, Res any] func(ctx context.Context, request *Req, respond func(*Res) error) error

// Service responds to requests. It has a goroutine only while there are any.
type Service[Req, Res any] struct {
	node      *Node
	name      string
	handler   DeferringHandler[Req, Res]
	decode    func([]byte, *Req) error
	encode    func(*Res) ([]byte, error)
	use       usedType
	badCall   limiter
	callbacks CallbackQueue // nil: the service's own goroutine

	mu     sync.Mutex
	server Server
	queue  []call[Req]
	queued int  // encoded size of the requests in the queue, bytes
	busy   bool // a worker is running
	closed bool
	worker task.Group
	ctx    context.Context // of the handlers
	cancel context.CancelFunc
}

// call is one decoded request.
type call[Req any] struct {
	request *Req
	size    int // bytes, encoded
	respond func([]byte) error
}

// Bounds of the requests that wait for a handler, of all clients together. The depth of the profile applies to each
// client, of which there may be many.
const (
	maxWaitingRequests = 1000
	maxWaitingBytes    = 1 << 20
)

// NewService creates a service, whose name is resolved for the node, with the profile [ServicesQoS]; up to 1000
// requests or 1 MiB of them may wait. Close the service or its node when done.
func NewService[Req, Res any, PReq MessageOf[Req], PRes MessageOf[Res]](n *Node, t ServiceType[Req, Res], name string,
	handler Handler[Req, Res], opts ...ServiceOption) (*Service[Req, Res], error) {
	return NewDeferringService[Req, Res, PReq, PRes](n, t, name, atOnce(handler), opts...)
}

// atOnce converts a Handler, whose result is the response, to a DeferringHandler.
func atOnce[Req, Res any](handler Handler[Req, Res]) DeferringHandler[Req, Res] {
	return func(ctx context.Context, request *Req, respond func(*Res) error) error {
		response, err := handler(ctx, request)
		switch {
		case err != nil:
			return err
		case response == nil:
			return errors.New("the handler returned neither a response nor an error")
		}
		return respond(response)
	}
}

// NewDeferringService is [NewService] for responses long after their requests, such as the results of actions: later
// requests do not wait for them.
func NewDeferringService[Req, Res any, PReq MessageOf[Req], PRes MessageOf[Res]](n *Node, t ServiceType[Req, Res], name string,
	handler DeferringHandler[Req, Res], opts ...ServiceOption) (*Service[Req, Res], error) {
	services, ok := n.transport.(ServiceTransport)
	if !ok {
		return nil, fmt.Errorf("%w: the transport does not support services", ErrConfig)
	}
	full, err := n.ResolveServiceName(name)
	if err != nil {
		return nil, fmt.Errorf("service %q: %w", name, err)
	}
	s := &Service[Req, Res]{
		node: n, name: full, handler: handler, use: serviceUse[PReq, PRes](t),
		decode: func(data []byte, m *Req) error { return cdr.Unmarshal(data, PReq(m)) },
		encode: func(m *Res) ([]byte, error) { return cdr.Marshal(nil, PRes(m)) },
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if s.callbacks, err = n.joinGroup(n.serviceGroup(opts), ServiceCallback, full, 0); err != nil {
		return nil, fmt.Errorf("service %s: %w", full, err)
	}
	if err := n.register(s); err != nil {
		s.leaveGroup()
		return nil, err
	}
	cfg := serviceConfig[PReq, PRes](n, full, t)
	cfg.Grouped = s.callbacks != nil
	server, err := services.NewServer(ServerConfig{ServiceConfig: cfg, OnRequest: s.enqueue})
	if err != nil {
		n.disown(s)
		s.leaveGroup()
		return nil, fmt.Errorf("service %s: %w", full, err)
	}
	s.mu.Lock()
	s.server = server
	closed := s.closed
	s.mu.Unlock()
	if closed { // the node closed meanwhile
		return nil, errors.Join(fmt.Errorf("service %s: %w", full, ErrClosed), server.Close())
	}
	return s, nil
}

// leaveGroup removes the service from its callback group.
func (s *Service[Req, Res]) leaveGroup() (ended bool) {
	return s.callbacks == nil || s.callbacks.Close(closeTimeout)
}

// serviceConfig returns the transport's configuration of the service t.
func serviceConfig[PReq, PRes Message, Req, Res any](n *Node, name string, t ServiceType[Req, Res]) ServiceConfig {
	var request PReq
	var response PRes
	return ServiceConfig{
		Node: n.name, Name: name, Type: t.ROSType(), QoS: ServicesQoS(),
		RequestHash: request.TypeHash(), ResponseHash: response.TypeHash(),
	}
}

func (s *Service[Req, Res]) usedType() usedType { return s.use }

// Name returns the full name of the service.
func (s *Service[Req, Res]) Name() string { return s.name }

// enqueue queues a request for the worker.
func (s *Service[Req, Res]) enqueue(r Request) {
	request := new(Req)
	if err := s.decode(r.Payload, request); err != nil {
		s.logUnanswered(fmt.Errorf("%w: request: %w", ErrDecode, err))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
	case len(s.queue) >= maxWaitingRequests || len(s.queue) > 0 && s.queued+len(r.Payload) > maxWaitingBytes:
		s.logUnanswered(fmt.Errorf("request dropped: %d requests are waiting", len(s.queue)))
	default:
		s.queue = append(s.queue, call[Req]{request, len(r.Payload), r.Respond})
		s.queued += len(r.Payload)
		if s.callbacks != nil {
			s.callbacks.Post(s.workOne)
		} else if !s.busy {
			s.busy = true
			s.worker.Go("service", s.work)
		}
	}
}

// work answers requests until there are none.
func (s *Service[Req, Res]) work() {
	for s.answerNext() {
	}
}

// workOne answers one request in an executor.
func (s *Service[Req, Res]) workOne() { s.answerNext() }

// answerNext answers a request, if one waits.
func (s *Service[Req, Res]) answerNext() bool {
	s.mu.Lock()
	if s.closed || len(s.queue) == 0 {
		s.busy = false
		s.mu.Unlock()
		return false
	}
	next := s.queue[0]
	s.queue = s.queue[1:]
	s.queued -= next.size
	s.mu.Unlock()
	if err := s.answer(next); err != nil && s.ctx.Err() == nil {
		s.logUnanswered(err)
	}
	return true
}

func (s *Service[Req, Res]) answer(c call[Req]) error {
	return s.handler(s.ctx, c.request, func(response *Res) error {
		payload, err := s.encode(response)
		if err != nil {
			return fmt.Errorf("service %s: response: %w", s.name, err)
		}
		return c.respond(payload)
	})
}

func (s *Service[Req, Res]) logUnanswered(err error) {
	if s.badCall.allow(s.node.clock.Now()) {
		s.node.asyncLog.Warn("request not answered", slog.String("service", s.name), slog.Any("error", err))
	}
}

// Close removes the service, cancels the running handler and waits for it, at most one second; after that the error
// matches [ErrStuck]. Waiting requests are not answered. It must not be called from the handler. Closing twice is
// harmless.
func (s *Service[Req, Res]) Close() error {
	s.mu.Lock()
	again, server, busy := s.closed, s.server, s.busy
	s.closed = true
	s.queue = nil
	s.mu.Unlock()
	if again {
		return nil
	}
	s.node.disown(s)
	s.cancel()
	var err error
	if server != nil { // else NewService is still running and will close it
		err = server.Close()
	}
	if !s.leaveGroup() {
		err = errors.Join(err, fmt.Errorf("service %s: handler: %w %v after its context ended", s.name, ErrStuck, closeTimeout))
	}
	if !busy {
		s.worker.Wait()
	} else if !s.worker.WaitFor(closeTimeout) {
		err = errors.Join(err, fmt.Errorf("service %s: handler: %w %v after its context ended", s.name, ErrStuck, closeTimeout))
	}
	return err
}
