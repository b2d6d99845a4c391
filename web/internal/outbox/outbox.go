// SPDX-License-Identifier: Apache-2.0

// Package outbox is a viewer's send queue: bounded in bytes, preferring the latest messages. Writers do not wait, so
// that a slow viewer does not delay a robot.
package outbox

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Errors of a [Box].
var (
	// ErrFull is matched when the unread answers alone exceed the limit: the viewer must be disconnected.
	ErrFull = errors.New("outbox: a viewer does not read")
	// ErrClosed is matched after Close.
	ErrClosed = errors.New("outbox: closed")
)

// Limit is the default limit of a [Box], in bytes.
const Limit = 1 << 20

// perFrame is a frame's overhead in the limit, in bytes.
const perFrame = 64

// Frame is a unit to send: the head is the viewer's own, the body is shared and must not be modified.
type Frame struct {
	Head, Body []byte
	// Convert, if it is not nil, converts the body just before it is sent: messages that are replaced by newer ones
	// are not converted. If it returns nil the frame is not sent.
	Convert func(body []byte) []byte
	// Split, if it is not nil, is used instead of Convert: it converts the body to several frames.
	Split func(body []byte) [][]byte
	// Text is whether the frame is text or binary.
	Text bool
}

func (f *Frame) size() int { return len(f.Head) + len(f.Body) + perFrame }

// entry is a queued frame.
type entry struct {
	frame Frame
	flow  *Flow
	gone  bool // sent or dropped
}

// Box is a viewer's outbox. It is safe for concurrent use.
type Box struct {
	limit int
	wake  chan struct{} // holds a token after a change

	mu       sync.Mutex
	closed   bool
	answers  []Frame  // must arrive, in order
	entries  []*entry // may be dropped, in order
	gone     int      // number of entries that are gone
	free     []*entry // for reuse, in no list
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

// Flow is one channel of messages in a box; the latest have priority.
type Flow struct {
	box    *Box
	depth  int
	period time.Duration
	acked  bool // wait for Acknowledge after each frame
	list   []*entry
	next   time.Time // earliest time of the next frame
	flying bool      // a frame is not acknowledged yet
	closed bool
}

// FlowOptions are the options of a [Flow].
type FlowOptions struct {
	// Depth is the maximum number of queued messages; the oldest is dropped. It defaults to 1.
	Depth int
	// Period is the least time between two messages, 0 for none.
	Period time.Duration
	// Acknowledge makes a message wait until the one before has been acknowledged.
	Acknowledge bool
}

// Flow adds a channel to the box; Close removes it.
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
	b.makeSpaceLocked(f.size())
	if b.bytes+f.size() > b.limit && len(b.answers) > 0 {
		return ErrFull
	}
	b.answers = append(b.answers, f)
	b.bytes += f.size()
	b.signal()
	return nil
}

// Put adds a message. It has no error: messages that are not sent in time are replaced by newer ones, and one that is
// larger than the box is dropped and counted.
func (f *Flow) Put(frame Frame) {
	b := f.box
	b.mu.Lock()
	defer b.mu.Unlock()
	if f.closed || b.closed {
		return
	}
	if frame.size() > b.limit {
		b.oversize++
		return
	}
	if len(f.list) >= f.depth && f.depth == 1 { // keeps its position
		e := f.list[0]
		b.bytes += frame.size() - e.frame.size()
		e.frame = frame
		b.dropped++
	} else {
		if len(f.list) >= f.depth {
			b.dropLocked(f.list[0])
		}
		e := b.entryLocked(frame, f)
		f.list = append(f.list, e)
		b.entries = append(b.entries, e)
		b.bytes += frame.size()
	}
	b.makeSpaceLocked(0)
	b.signal()
}

// dropLocked drops a queued entry.
func (b *Box) dropLocked(e *entry) {
	b.removeLocked(e)
	b.dropped++
}

// removeLocked removes an entry that is not sent.
func (b *Box) removeLocked(e *entry) {
	b.markLocked(e)
	if b.gone > len(b.entries)/2 {
		b.tidyLocked()
	}
}

// tidyLocked removes marked entries, and keeps them for reuse.
func (b *Box) tidyLocked() {
	b.entries = slices.DeleteFunc(b.entries, func(e *entry) bool {
		if !e.gone {
			return false
		}
		*e = entry{}
		b.free = append(b.free, e)
		return true
	})
	b.gone = 0
}

// entryLocked returns an entry for a frame, a reused one if possible.
func (b *Box) entryLocked(frame Frame, f *Flow) *entry {
	if len(b.free) == 0 {
		return &entry{frame: frame, flow: f}
	}
	e := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	*e = entry{frame: frame, flow: f}
	return e
}

// makeSpaceLocked drops the oldest messages until size bytes more fit, or none is left.
func (b *Box) makeSpaceLocked(size int) {
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

// Acknowledge reports that the viewer has processed the flow's last message.
func (f *Flow) Acknowledge() {
	f.box.mu.Lock()
	defer f.box.mu.Unlock()
	f.flying = false
	f.box.signal()
}

// Close removes the flow and its queued messages. It may be called more than once.
func (f *Flow) Close() {
	b := f.box
	b.mu.Lock()
	defer b.mu.Unlock()
	f.closed = true
	delete(b.flows, f)
	for len(f.list) > 0 {
		b.removeLocked(f.list[0])
	}
}

// Take closes the flow and returns the messages that it holds, oldest first.
func (f *Flow) Take() []Frame {
	f.box.mu.Lock()
	frames := make([]Frame, 0, len(f.list))
	for _, e := range f.list {
		frames = append(frames, e.frame)
	}
	f.box.mu.Unlock()
	f.Close()
	return frames
}

func (b *Box) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Next waits for frames, removes those that are due and appends them to into: answers first, then messages, in order
// of arrival, as many as begin within size bytes. Only one goroutine may call it. An error is ctx's or matches
// [ErrClosed].
func (b *Box) Next(ctx context.Context, into []Frame, size int) ([]Frame, error) {
	for {
		out, wait, closed := b.next(into, size, time.Now())
		if len(out) > len(into) {
			return out, nil
		}
		if closed {
			return into, ErrClosed
		}
		if err := b.sleep(ctx, wait); err != nil {
			return into, err
		}
	}
}

// sleep waits for a change, or until a flow's next frame is due; 0 is none.
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

func (b *Box) next(into []Frame, size int, now time.Time) (out []Frame, wait time.Duration, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return into, 0, true
	}
	out = into
	for ; len(b.answers) > 0 && size > 0; b.answers = b.answers[1:] {
		frame := b.answers[0]
		b.answers[0] = Frame{}
		out = append(out, frame)
		size -= frame.size()
		b.bytes -= frame.size()
		b.sent++
	}
	if len(b.answers) == 0 {
		b.answers = nil
	}
	for _, e := range b.entries {
		if size <= 0 {
			break
		}
		f := e.flow
		if e.gone || f.flying {
			continue
		}
		if f.period > 0 {
			if left := f.next.Sub(now); left > 0 {
				if wait == 0 || left < wait {
					wait = left
				}
				continue
			}
			f.next = now.Add(f.period)
		}
		f.flying = f.acked
		out = append(out, e.frame)
		size -= e.frame.size()
		b.markLocked(e)
		b.sent++
	}
	b.tidyLocked()
	return out, wait, false
}

// markLocked removes an entry from its flow, and keeps it in the list of all for tidyLocked.
func (b *Box) markLocked(e *entry) {
	b.gone++
	b.bytes -= e.frame.size()
	e.gone, e.frame = true, Frame{}
	f := e.flow
	if i := slices.Index(f.list, e); i >= 0 {
		f.list = slices.Delete(f.list, i, i+1)
	}
}

// Close empties the box; Next returns. It may be called more than once.
func (b *Box) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.answers, b.entries, b.free, b.bytes, b.gone = true, nil, nil, nil, 0, 0
	for f := range b.flows {
		f.list = nil
	}
	b.signal()
}

// Stats are the counters of a box.
type Stats struct {
	// Sent counts frames taken out, Dropped messages replaced by newer ones, Oversize those larger than the box.
	Sent, Dropped, Oversize uint64
	// Bytes are queued now.
	Bytes int
}

// Stats returns the box's counters.
func (b *Box) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{Sent: b.sent, Dropped: b.dropped, Oversize: b.oversize, Bytes: b.bytes}
}
