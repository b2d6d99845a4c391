// SPDX-License-Identifier: Apache-2.0

// Package outbox holds what a viewer has yet to be sent: bounded in bytes, the latest first to matter. The code that
// puts something in does not wait, so that a slow phone is no matter of a robot's.
package outbox

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Errors of a [Box].
var (
	// ErrFull is matched when the answers alone that a viewer does not read exceed the limit: it is to be cut off.
	ErrFull = errors.New("outbox: a viewer does not read")
	// ErrClosed is matched after Close.
	ErrClosed = errors.New("outbox: closed")
)

// Limit is the default limit of a [Box], in bytes.
const Limit = 1 << 20

// perFrame is what a frame counts beside its bytes.
const perFrame = 64

// Frame is one thing to send: the head is the viewer's own, the body is shared with others and must not be changed.
type Frame struct {
	Head, Body []byte
	// Convert makes of the body what is sent, if it is not nil, when its turn has come: of messages that give way to
	// newer ones nothing is made. What it returns nil for is not sent.
	Convert func(body []byte) []byte
	// Text tells text from binary.
	Text bool
}

func (f *Frame) size() int { return len(f.Head) + len(f.Body) + perFrame }

// entry is a frame that waits.
type entry struct {
	frame Frame
	flow  *Flow
	gone  bool // taken or dropped; passed over
}

// Box is a viewer's outbox. It is safe for concurrent use.
type Box struct {
	limit int
	wake  chan struct{} // holds a token after a change

	mu       sync.Mutex
	closed   bool
	answers  []Frame  // what must arrive, in order
	entries  []*entry // what may be dropped, in order
	flows    map[*Flow]struct{}
	bytes    int
	dropped  uint64
	oversize uint64
	sent     uint64
}

// New returns an empty box of at most limit bytes; [Limit] if that is 0.
func New(limit int) *Box {
	if limit <= 0 {
		limit = Limit
	}
	return &Box{limit: limit, wake: make(chan struct{}, 1), flows: map[*Flow]struct{}{}}
}

// Flow is one channel of messages in a box, of which the latest matter.
type Flow struct {
	box    *Box
	depth  int
	period time.Duration
	acked  bool // wait for Acknowledge after each frame
	list   []*entry
	next   time.Time // when the next frame may leave
	flying bool      // a frame is not acknowledged
}

// FlowOptions describe a [Flow].
type FlowOptions struct {
	// Depth is how many messages may wait; the oldest goes. It defaults to 1.
	Depth int
	// Period is the least time between two messages, 0 for none.
	Period time.Duration
	// Acknowledge makes a message wait until the one before has been acknowledged.
	Acknowledge bool
}

// Flow adds a channel to the box; Close takes it out again.
func (b *Box) Flow(o FlowOptions) *Flow {
	f := &Flow{box: b, depth: max(o.Depth, 1), period: o.Period, acked: o.Acknowledge}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flows[f] = struct{}{}
	return f
}

// Answer adds a frame that must not be lost. An error matches [ErrFull] or [ErrClosed].
func (b *Box) Answer(f Frame) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	b.makeRoomLocked(f.size())
	if b.bytes+f.size() > b.limit && len(b.answers) > 0 {
		return ErrFull
	}
	b.answers = append(b.answers, f)
	b.bytes += f.size()
	b.signal()
	return nil
}

// Put adds a message. It has no error: messages that are not taken give way to newer ones, and one that is larger than
// the box is dropped and counted.
func (f *Flow) Put(frame Frame) {
	b := f.box
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, open := b.flows[f]; !open || b.closed {
		return
	}
	if frame.size() > b.limit {
		b.oversize++
		return
	}
	if len(f.list) >= f.depth && f.depth == 1 { // keeps its turn
		e := f.list[0]
		b.bytes += frame.size() - e.frame.size()
		e.frame = frame
		b.dropped++
	} else {
		if len(f.list) >= f.depth {
			b.dropLocked(f.list[0])
		}
		e := &entry{frame: frame, flow: f}
		f.list = append(f.list, e)
		b.entries = append(b.entries, e)
		b.bytes += frame.size()
	}
	b.makeRoomLocked(0)
	b.signal()
}

// dropLocked drops an entry that waits.
func (b *Box) dropLocked(e *entry) {
	b.removeLocked(e)
	b.dropped++
}

// removeLocked takes an entry out of its flow and marks it for the list of all.
func (b *Box) removeLocked(e *entry) {
	e.gone = true
	b.bytes -= e.frame.size()
	e.frame = Frame{}
	f := e.flow
	for i := range f.list {
		if f.list[i] == e {
			f.list = append(f.list[:i], f.list[i+1:]...)
			break
		}
	}
	b.tidyLocked()
}

// tidyLocked forgets marked entries: those at the front at once, the others when they are most of the list.
func (b *Box) tidyLocked() {
	for len(b.entries) > 0 && b.entries[0].gone {
		b.entries[0] = nil
		b.entries = b.entries[1:]
	}
	gone := 0
	for _, e := range b.entries {
		if e.gone {
			gone++
		}
	}
	if gone <= len(b.entries)/2 {
		return
	}
	kept := make([]*entry, 0, len(b.entries)-gone)
	for _, e := range b.entries {
		if !e.gone {
			kept = append(kept, e)
		}
	}
	b.entries = kept
}

// makeRoomLocked drops the oldest messages until size bytes more fit, or none is left.
func (b *Box) makeRoomLocked(size int) {
	for b.bytes+size > b.limit {
		if !b.dropOldestLocked() {
			return
		}
	}
}

func (b *Box) dropOldestLocked() bool {
	for _, e := range b.entries {
		if !e.gone {
			b.dropLocked(e)
			return true
		}
	}
	return false
}

// Acknowledge tells that the viewer has dealt with the flow's last message.
func (f *Flow) Acknowledge() {
	f.box.mu.Lock()
	defer f.box.mu.Unlock()
	f.flying = false
	f.box.signal()
}

// Close takes the flow out of the box, with what waits in it. Closing twice is harmless.
func (f *Flow) Close() {
	b := f.box
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.flows, f)
	for len(f.list) > 0 {
		b.removeLocked(f.list[0])
	}
}

func (b *Box) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Next waits for a frame and takes it out: answers first, then messages whose time has come, in the order they came.
// One goroutine may call it. An error is ctx's or matches [ErrClosed].
func (b *Box) Next(ctx context.Context) (Frame, error) {
	for {
		frame, wait, ok, closed := b.next(time.Now())
		if ok {
			return frame, nil
		}
		if closed {
			return Frame{}, ErrClosed
		}
		if err := b.sleep(ctx, wait); err != nil {
			return Frame{}, err
		}
	}
}

// sleep waits for a change, or for the time after which a flow may go on; 0 is none.
func (b *Box) sleep(ctx context.Context, wait time.Duration) error {
	var due <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-b.wake:
	case <-due:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (b *Box) next(now time.Time) (frame Frame, wait time.Duration, ok, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return Frame{}, 0, false, true
	}
	if len(b.answers) > 0 {
		frame = b.answers[0]
		b.answers[0] = Frame{}
		b.answers = b.answers[1:]
		b.bytes -= frame.size()
		b.sent++
		return frame, 0, true, false
	}
	for _, e := range b.entries {
		f := e.flow
		if e.gone || f.flying {
			continue
		}
		if left := f.next.Sub(now); left > 0 {
			if wait == 0 || left < wait {
				wait = left
			}
			continue
		}
		frame = e.frame
		b.removeLocked(e)
		f.flying, f.next = f.acked, now.Add(f.period)
		b.sent++
		return frame, 0, true, false
	}
	return Frame{}, wait, false, false
}

// Close empties the box; Next returns. Closing twice is harmless.
func (b *Box) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.answers, b.entries, b.bytes = true, nil, nil, 0
	for f := range b.flows {
		f.list = nil
	}
	b.signal()
}

// Stats are numbers of a box.
type Stats struct {
	// Sent counts frames taken out, Dropped messages that gave way to newer ones, Oversize those larger than the box.
	Sent, Dropped, Oversize uint64
	// Bytes wait now.
	Bytes int
}

// Stats returns what the box has done.
func (b *Box) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{Sent: b.sent, Dropped: b.dropped, Oversize: b.oversize, Bytes: b.bytes}
}
