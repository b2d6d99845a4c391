// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

const (
	// outletCapacity is the size of the queue, bytes.
	outletCapacity = 64 << 10
	// CloseTimeout is the maximum time that Close waits for the reader.
	CloseTimeout = 200 * time.Millisecond
)

// Outlet is a writer that does not block its callers (TestOutletNeverBlocks): a terminal that is stopped with Ctrl-S,
// a pager that pauses or a journal that hangs blocks only the goroutine of the outlet. Text beyond the capacity is
// dropped, and the number of dropped lines is written when the reader continues. It is safe for concurrent use. The
// text is escaped (package printable); only a [Terminal] writes control sequences. Its creator calls Close.
type Outlet struct {
	w    io.Writer
	wake chan struct{} // capacity 1: there is something to write
	idle chan struct{} // closed when everything is written after Close

	mu      sync.Mutex // never held during a write
	queue   [][]byte
	waiting int    // bytes in queue
	latest  []byte // the latest text of Replace that is not yet written
	dropped int    // lines
	closed  bool
}

// NewOutlet starts an outlet to w.
func NewOutlet(w io.Writer) *Outlet {
	o := &Outlet{w: printable.Unwrap(w), wake: make(chan struct{}, 1), idle: make(chan struct{})}
	task.Go("outlet", o.run)
	return o
}

// Write queues whole lines. It returns no error.
func (o *Outlet) Write(p []byte) (int, error) {
	o.raw([]byte(printable.Text(string(p))))
	return len(p), nil
}

// raw queues lines without escaping them, and retains p.
func (o *Outlet) raw(p []byte) {
	o.mu.Lock()
	if o.closed || o.waiting+len(p) > outletCapacity {
		o.dropped++
	} else {
		o.queue = append(o.queue, p)
		o.waiting += len(p)
	}
	o.mu.Unlock()
	o.nudge()
}

// Replace queues text that replaces the previous text of Replace if that is not yet written.
func (o *Outlet) Replace(p string) {
	o.mu.Lock()
	o.latest = append(o.latest[:0], p...)
	o.mu.Unlock()
	o.nudge()
}

func (o *Outlet) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Close waits until everything is written, for at most CloseTimeout.
func (o *Outlet) Close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.nudge()
	timer := time.NewTimer(CloseTimeout)
	defer timer.Stop()
	select {
	case <-o.idle:
	case <-timer.C:
	}
}

func (o *Outlet) run() {
	defer close(o.idle)
	for range o.wake {
		for {
			text, over := o.next()
			if over {
				return
			}
			if text == nil {
				break
			}
			_, _ = o.w.Write(text) // a closed reader must not stop a robot
		}
	}
}

// next returns the next text to write; over: the outlet is closed and empty.
func (o *Outlet) next() (text []byte, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case len(o.queue) > 0:
		text, o.queue = o.queue[0], o.queue[1:]
		o.waiting -= len(text)
	case o.dropped > 0:
		text = fmt.Appendf(nil, "epuck-driver: %d lines were dropped: this terminal, pipe or journal did not take them\n", o.dropped)
		o.dropped = 0
	case len(o.latest) > 0:
		text, o.latest = append([]byte(nil), o.latest...), o.latest[:0]
	default:
		over = o.closed
	}
	return text, over
}
