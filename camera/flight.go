// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// flight holds the frames in an AsyncEncoder. The stream's goroutine submits; another one receives and posts, until the
// encoder is closed.
type flight struct {
	g    *group
	enc  AsyncEncoder
	done chan struct{}

	mu    sync.Mutex
	queue []ticket // submitted and not received, in order; a ring
	first int
	n     int
	err   error // reason of the end
}

// ticket is the description of a submitted frame.
type ticket struct {
	frame Frame // without data
	want  Output
	at    time.Time // of submission
}

// flightTime is the timeout of an encoder for a frame: a GPU that takes longer hangs. The GPU of a Pi Zero needs 30 ms.
const flightTime = 2 * time.Second

func newFlight(g *group, enc AsyncEncoder) *flight {
	f := &flight{g: g, enc: enc, done: make(chan struct{}), queue: make([]ticket, max(1, enc.Depth()))}
	task.Go("encoder", f.receive)
	return f
}

// submit submits a frame. It returns ErrBusy when the maximum is in flight, ErrTimeout when they have been for too
// long.
func (f *flight) submit(frame *Frame, want Output) error {
	now := f.g.p.cfg.Clock.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	if f.n > 0 && now.Sub(f.queue[f.first].at) > flightTime {
		return fmt.Errorf("%w: nothing from the encoder for %v", ErrTimeout, flightTime)
	}
	if f.n == len(f.queue) {
		return ErrBusy
	}
	// The result can't be looked up before mu is unlocked, so the ticket is stored in time.
	if err := f.enc.Submit(frame); err != nil {
		return err
	}
	t := &f.queue[(f.first+f.n)%len(f.queue)]
	t.frame, t.want, t.at = *frame, want, now
	t.frame.Data = nil
	f.n++
	return nil
}

// receive posts the results in the order of submission.
func (f *flight) receive() {
	defer close(f.done)
	for {
		pic := f.g.blank()
		data, err := f.enc.Receive(pic.image.Data[:0])
		if err != nil && !errors.Is(err, ErrFrame) {
			f.g.discard(pic)
			f.mu.Lock()
			f.err = err
			f.mu.Unlock()
			return
		}
		t := f.next()
		if err != nil {
			f.g.discard(pic)
			f.g.p.noteLoss(f.g, err)
			continue
		}
		pic.label(&t.frame, &t.want)
		pic.image.Data = data
		f.g.post(pic)
	}
}

// next removes the oldest ticket.
func (f *flight) next() ticket {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.queue[f.first]
	f.first, f.n = (f.first+1)%len(f.queue), f.n-1
	return t
}

// failed returns the reason why there are no more results; nil while there are.
func (f *flight) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// wait waits for the end of the receiver after the encoder was closed.
func (f *flight) wait() { <-f.done }
