// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rmw/rmw.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/callback"
)

// BuiltIn tells whether this program can use the transport.
const BuiltIn = true

// Transport is one rcl context that carries nodes. It implements
// [ros2.ServiceTransport] and is safe for concurrent use. The code that makes it closes
// it.
type Transport struct {
	context   *rclgo.Context
	log       *slog.Logger
	types     typeCache
	spin      *spinner
	observers callback.List[func()]
	done      chan struct{} // closed by fail and Close

	// rcl is held for writing by what makes or ends a part of rcl, for reading by
	// questions to the graph. No callback runs under it; it is taken before mu.
	rcl sync.RWMutex

	mu     sync.Mutex // guards what follows; held for moments
	err    error      // why done is closed
	closed bool
	nodes  []*node
}

var (
	_ ros2.ServiceTransport   = (*Transport)(nil)
	_ ros2.DescribedTransport = (*Transport)(nil)
)

// New opens a context. The error wraps [ErrConfig] or [ErrRCL].
func New(cfg Config) (ros2.ServiceTransport, error) {
	domain := uint(rclgo.DefaultDomainID)
	if cfg.DomainID != EnvironmentDomain {
		if cfg.DomainID < 0 || cfg.DomainID > math.MaxUint8 {
			return nil, fmt.Errorf("%w: DomainID %d", ErrConfig, cfg.DomainID)
		}
		domain = uint(cfg.DomainID)
	}
	t := &Transport{log: cfg.Logger, done: make(chan struct{})}
	if t.log == nil {
		t.log = slog.New(slog.DiscardHandler)
	}
	err := call("opening a context", func() error {
		args, _, err := rclgo.ParseArgs(forRCL(cfg.Args))
		if err != nil {
			return err
		}
		t.context, err = rclgo.NewContextWithOpts(args, &rclgo.ContextOptions{ClockType: rclgo.ClockTypeSystemTime, DomainID: domain})
		return err
	})
	if err != nil {
		return nil, err
	}
	if t.spin, err = newSpinner(t.context); err != nil {
		return nil, errors.Join(err, call("closing a context", t.context.Close))
	}
	task.Go("rcl", t.run)
	return t, nil
}

// Description returns "rclgo" and the middleware that rcl uses, as in
// "rclgo (rmw_cyclonedds_cpp)".
func (t *Transport) Description() string {
	return "rclgo (" + C.GoString(C.rmw_get_implementation_identifier()) + ")"
}

// Cork does nothing: rcl sends every message at once.
func (t *Transport) Cork() {}

// Uncork does nothing.
func (t *Transport) Uncork() {}

// OnGraphChange calls f after changes of the graph, on the goroutine that all
// callbacks run on, until cancel is called.
func (t *Transport) OnGraphChange(f func()) (cancel func()) { return t.observers.Add(f) }

// Done is closed by Close, and when rcl can wait for messages no longer.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err returns [ros2.ErrClosed] after Close, and what broke before that.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// end closes done. It reports false if that was done before.
func (t *Transport) end(reason error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := t.err == nil
	if first {
		close(t.done)
	}
	t.err = reason
	return first
}

// Close ends everything in the order that rcl asks for: first no call waits any
// more, then endpoints, nodes, what was waited with, and the context. Closing
// twice is harmless.
func (t *Transport) Close() error {
	if again := t.refuse(); again {
		return nil
	}
	t.end(fmt.Errorf("transport: %w", ros2.ErrClosed))
	t.spin.stop()
	var errs []error
	for _, e := range t.spin.endpoints() {
		errs = append(errs, e.Close())
	}
	t.rcl.Lock()
	defer t.rcl.Unlock()
	t.mu.Lock()
	nodes := t.nodes
	t.nodes = nil
	t.mu.Unlock()
	for _, n := range nodes {
		errs = append(errs, n.end())
	}
	return errors.Join(append(errs, t.spin.free(), call("closing a context", t.context.Close))...)
}

// refuse lets nothing new begin; when it returns nothing is half begun. It reports
// whether that was so already.
func (t *Transport) refuse() (again bool) {
	t.rcl.Lock()
	defer t.rcl.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	again, t.closed = t.closed, true
	return again
}

// closedErr returns [ros2.ErrClosed] after Close.
func (t *Transport) closedErr() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return fmt.Errorf("transport: %w", ros2.ErrClosed)
	}
	return nil
}
