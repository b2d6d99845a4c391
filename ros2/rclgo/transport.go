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

// BuiltIn is whether the transport is built into this program.
const BuiltIn = true

// Transport is an rcl context for nodes. It implements [ros2.ServiceTransport] and is safe for concurrent use. The code
// that creates it closes it.
type Transport struct {
	context   *rclgo.Context
	log       *slog.Logger
	types     typeCache
	spin      *spinner
	observers callback.List[func()]
	done      chan struct{} // closed by fail and Close

	// rcl is held for writing while rcl objects are created or destroyed, for reading during queries of the graph. It
	// is not held during callbacks, and is acquired before mu.
	rcl sync.RWMutex

	mu     sync.Mutex // guards the fields below; held briefly
	err    error      // why done is closed
	closed bool
	nodes  []*node
}

var (
	_ ros2.ServiceTransport   = (*Transport)(nil)
	_ ros2.DescribedTransport = (*Transport)(nil)
)

// New creates a context. The error wraps [ErrConfig] or [ErrRCL].
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

// Anonymous implements [ros2.AnonymousTransport]: rclgo does not return the publisher of a message.
func (t *Transport) Anonymous() bool { return true }

// Cork does nothing: rcl sends every message at once.
func (t *Transport) Cork() {}

// Uncork does nothing.
func (t *Transport) Uncork() {}

// OnGraphChange calls f after changes of the graph, on the goroutine of all callbacks, until cancel is called.
func (t *Transport) OnGraphChange(f func()) (cancel func()) { return t.observers.Add(f) }

// Done is closed by Close, and when rcl can no longer wait for messages.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err returns [ros2.ErrClosed] after Close, and the failure before that.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// end closes done. It returns false if it was closed before.
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

// Close destroys all objects in the order that rcl requires: it stops the spinner, then closes endpoints, nodes, the
// wait set and the context. Closing twice is harmless.
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

// refuse prevents new endpoints and waits for those being created. It reports whether it was called before.
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
