// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// window is how far machines may be apart in simulated time: what one sends by a network, another hears within it.
const window = time.Millisecond

// Rack is machines that share simulated time. What they want of the world outside, which is transfers on their buses
// and what they send by the network, is done in the order of simulated time, at that time: the world's clock is
// [Rack.Now] and [Rack.Sleep]. Its methods but those two are for one goroutine.
type Rack struct {
	start    time.Time
	workers  int
	machines []*Machine
	now      atomic.Int64 // simulated, ns
	reached  time.Duration
	busy     bool // a transfer is being made
	asleep   []*transfer
	steps    chan step
	closed   chan struct{}
	group    task.Group
}

// transfer is one that is under way; the wires take their time.
type transfer struct {
	request *request
	until   time.Duration
	resume  chan struct{}
}

// step is what a transfer does next: sleep, or end.
type step struct {
	sleep  time.Duration
	resume chan struct{}
	done   bool
	err    error
}

// NewRack makes a rack whose clock shows start at 0, and which computes up to so many machines at once; 0 is one.
func NewRack(start time.Time, workers int) *Rack {
	return &Rack{start: start, workers: max(1, workers), steps: make(chan step), closed: make(chan struct{})}
}

// Add makes a machine; it begins at the rack's present. The clock of its day is the rack's.
func (r *Rack) Add(cfg Config) (*Machine, error) {
	cfg.Start = r.start
	m, err := newMachine(cfg)
	if err != nil {
		return nil, err
	}
	m.core.header().now.Store(uint64(m.ticks(r.reached)))
	r.machines = append(r.machines, m)
	for _, each := range r.machines {
		each.hasPeers = len(r.machines) > 1
	}
	return m, nil
}

// Now is the world's clock. It may be called from any goroutine.
func (r *Rack) Now() time.Time { return r.start.Add(time.Duration(r.now.Load())) }

// Sleep advances time by that of a transfer that one of the machines' programs waits for; for others it does nothing.
func (r *Rack) Sleep(d time.Duration) {
	if !r.busy || d <= 0 {
		return
	}
	s := step{sleep: d, resume: make(chan struct{})}
	select {
	case r.steps <- s:
	case <-r.closed:
		return
	}
	select {
	case <-s.resume:
	case <-r.closed:
	}
}

// Advance runs all machines up to an age of simulated time. It returns early, with its error, when ctx ends.
func (r *Rack) Advance(ctx context.Context, to time.Duration) error {
	for r.reached < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(to, r.reached+window)
		if err := r.through(end); err != nil {
			return err
		}
		r.reached = end
		r.now.Store(int64(end))
	}
	return nil
}

// through runs all machines to the end of a window.
func (r *Rack) through(end time.Duration) error {
	for {
		if err := r.compute(end); err != nil {
			return err
		}
		w, t := r.nextEvent(end)
		if w == nil && t == nil {
			if r.behind(end) {
				continue
			}
			return nil
		}
		if err := r.act(w, t); err != nil {
			return err
		}
	}
}

// bound is how far a machine may run: to the end, or to the completion of its own transfer.
func (r *Rack) bound(m *Machine, end time.Duration) time.Duration {
	for _, t := range r.asleep {
		if t.request.m == m {
			end = min(end, t.until)
		}
	}
	return end
}

func (r *Rack) goes(m *Machine, end time.Duration) bool {
	return len(m.requests) == 0 && m.now() < m.ticks(r.bound(m, end))
}

// behind reports whether a machine can still advance.
func (r *Rack) behind(end time.Duration) bool {
	return slices.ContainsFunc(r.machines, func(m *Machine) bool { return r.goes(m, end) })
}

// compute advances machines, several at once.
func (r *Rack) compute(end time.Duration) error {
	var go_ []*Machine
	for _, m := range r.machines {
		if r.goes(m, end) {
			go_ = append(go_, m)
		}
	}
	if len(go_) == 1 || r.workers == 1 {
		for _, m := range go_ {
			if err := m.run(m.ticks(r.bound(m, end))); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, len(go_))
	var next atomic.Int32
	var group task.Group
	for range min(r.workers, len(go_)) {
		group.Go("machines", func() {
			for i := int(next.Add(1)) - 1; i < len(go_); i = int(next.Add(1)) - 1 {
				errs[i] = go_[i].run(go_[i].ticks(r.bound(go_[i], end)))
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// nextEvent returns the time of the next bus request or transfer completion that every machine has reached.
func (r *Rack) nextEvent(end time.Duration) (*request, *transfer) {
	var w *request
	var t *transfer
	at := end + 1
	for _, m := range r.machines {
		if len(m.requests) > 0 {
			if d := m.core.header().duration(m.requests[0].at); d < at {
				at, w = d, m.requests[0]
			}
		}
	}
	for _, s := range r.asleep {
		if s.until < at {
			at, w, t = s.until, nil, s
		}
	}
	for _, m := range r.machines {
		if len(m.requests) == 0 && m.now() < m.ticks(min(at, end)) {
			return nil, nil
		}
	}
	return w, t
}

// act executes the next request or the end of a transfer.
func (r *Rack) act(w *request, t *transfer) error {
	if w == nil {
		r.asleep = slices.DeleteFunc(r.asleep, func(o *transfer) bool { return o == t })
		r.now.Store(max(r.now.Load(), int64(t.until)))
		r.busy = true
		close(t.resume)
		return r.outcome(t.request)
	}
	w.m.requests = w.m.requests[1:]
	if w.bus == nil {
		return w.m.sendNow(w)
	}
	if w.bus.busy {
		w.bus.line = append(w.bus.line, w)
		return nil
	}
	r.now.Store(max(r.now.Load(), int64(w.m.core.header().duration(w.at))))
	return r.begin(w)
}

// begin begins a transfer.
func (r *Rack) begin(w *request) error {
	w.bus.busy, r.busy = true, true
	r.group.Go("transfer", func() {
		s := step{done: true, err: w.transfer()}
		select {
		case r.steps <- s:
		case <-r.closed:
		}
	})
	return r.outcome(w)
}

// outcome waits until a transfer sleeps or ends.
func (r *Rack) outcome(w *request) error {
	s := <-r.steps
	r.busy = false
	if !s.done {
		r.asleep = append(r.asleep, &transfer{w, time.Duration(r.now.Load()) + s.sleep, s.resume})
		return nil
	}
	w.bus.busy = false
	if err := w.done(s.err); err != nil {
		return fmt.Errorf("machine: a transfer's end: %w", err)
	}
	if len(w.bus.line) == 0 {
		return nil
	}
	next := w.bus.line[0]
	w.bus.line = w.bus.line[1:]
	return r.begin(next)
}

// Close ends all programs, and transfers that are under way.
func (r *Rack) Close() error {
	select {
	case <-r.closed:
		return errClosed
	default:
		close(r.closed)
	}
	r.group.Wait()
	var errs []error
	for _, m := range r.machines {
		errs = append(errs, m.close())
	}
	r.machines = nil
	return errors.Join(errs...)
}
