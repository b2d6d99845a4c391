// SPDX-License-Identifier: Apache-2.0

// Package logqueue is a queue for log lines of code that must not wait: another goroutine passes them to their handler.
// A handler that blocks, such as a stopped terminal or a full pipe, delays only later lines.
package logqueue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// capacity is how many lines wait for a slow handler. Further ones are dropped and counted; their number is logged
// after the waiting ones.
const capacity = 256

// Queue queues the lines of one or more loggers. It has a goroutine only while lines wait. It is safe for concurrent
// use.
type Queue struct {
	mu      sync.Mutex
	lines   []line
	dropped int           // not logged yet
	idle    chan struct{} // closed when the goroutine ends; nil while there is none
}

// line is a queued record.
type line struct {
	to     slog.Handler
	record slog.Record
}

// Logger returns a logger whose lines pass through the queue to h. h.Enabled is called at once; values that attributes
// point to are read later and must not change.
func (q *Queue) Logger(h slog.Handler) *slog.Logger { return slog.New(handler{h, q}) }

// handler queues records.
type handler struct {
	slog.Handler
	queue *Queue
}

// Handle returns no error: the wrapped handler is called later.
func (h handler) Handle(_ context.Context, r slog.Record) error {
	h.queue.put(h.Handler, r)
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs), h.queue}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(name), h.queue}
}

// put queues a line or drops it.
func (q *Queue) put(to slog.Handler, r slog.Record) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) >= capacity {
		q.dropped++
		return
	}
	q.lines = append(q.lines, line{to, r.Clone()})
	if q.idle == nil {
		q.idle = make(chan struct{})
		idle := q.idle
		task.Go("log lines", func() { q.work(idle) })
	}
}

// work passes on lines until there are none.
func (q *Queue) work(idle chan struct{}) {
	defer close(idle)
	var last slog.Handler
	for {
		next, ok := q.next(last)
		if !ok {
			return
		}
		last = next.to
		_ = last.Handle(context.Background(), next.record) // a failure to log cannot be logged
	}
}

// next returns the oldest line, or one with the number of dropped ones.
func (q *Queue) next(last slog.Handler) (l line, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.lines) > 0:
		l, q.lines = q.lines[0], q.lines[1:]
		return l, true
	case q.dropped > 0 && last.Enabled(context.Background(), slog.LevelWarn):
		l = line{last, slog.NewRecord(time.Now(), slog.LevelWarn, "log lines were dropped: they arrived faster than they were written", 0)}
		l.record.AddAttrs(slog.Int("lines", q.dropped))
		q.dropped = 0
		return l, true
	}
	q.lines, q.idle = nil, nil
	return l, false
}

// Flush waits until the lines queued so far are written, at most limit, and reports whether they are.
func (q *Queue) Flush(limit time.Duration) bool {
	q.mu.Lock()
	idle := q.idle
	q.mu.Unlock()
	if idle == nil {
		return true
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
		return true
	case <-timer.C:
		return false
	}
}
