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
	// outletCapacity is how many bytes may wait for a reader.
	outletCapacity = 64 << 10
	// CloseTimeout is how long the end of the program waits for one.
	CloseTimeout = 200 * time.Millisecond
)

// Outlet is a writer that does not make its callers wait (TestOutletNeverBlocks): a terminal that is stopped with
// Ctrl-S, a pager that pauses or a journal that hangs blocks the goroutine of the outlet alone. Text beyond the
// capacity is dropped, and the number of dropped lines is written as soon as there is a reader again. It is safe for
// concurrent use. What is written is escaped (package printable); only a [Terminal] writes control sequences. Its maker
// calls Close.
type Outlet struct {
	w    io.Writer
	wake chan struct{} // holds one, that there is something to write
	idle chan struct{} // closed when all is written after Close

	mu      sync.Mutex // never held while something is written
	queue   [][]byte
	waiting int    // bytes in queue
	latest  []byte // replaces what was given before and not yet written
	dropped int    // lines
	closed  bool
}

// NewOutlet begins an outlet to w.
func NewOutlet(w io.Writer) *Outlet {
	o := &Outlet{w: printable.Unwrap(w), wake: make(chan struct{}, 1), idle: make(chan struct{})}
	task.Go("outlet", o.run)
	return o
}

// Write takes whole lines. It returns no error.
func (o *Outlet) Write(p []byte) (int, error) {
	o.raw([]byte(printable.Text(string(p))))
	return len(p), nil
}

// raw takes lines as they are and keeps p.
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

// Replace takes what is of interest only until there is something newer.
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

// Close waits until all is written, but not for long.
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
			_, _ = o.w.Write(text) // a reader that is gone does not stop a robot
		}
	}
}

// next returns what is to be written now; over reports that nothing follows.
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
