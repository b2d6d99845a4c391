// SPDX-License-Identifier: Apache-2.0

// Package logqueue lets code log that must not wait: the lines go to a queue, and from there to their handler on
// another goroutine. A handler that blocks, as a terminal that was stopped or a full pipe does, holds up nothing but
// later lines.
package logqueue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// capacity is how many lines wait for a slow handler; what comes on top is dropped and counted, and a line of its own
// tells how many when the others are out.
const capacity = 256

// Queue takes the lines of one or more loggers. It has a goroutine only while lines wait. It is safe for concurrent
// use.
type Queue struct {
	mu      sync.Mutex
	lines   []line
	dropped int           // not told yet
	idle    chan struct{} // closed when the goroutine ends; nil while there is none
}

// line is a record on its way.
type line struct {
	to     slog.Handler
	record slog.Record
}

// Logger returns a logger whose lines take the way through the queue to h. Whether h takes a level at all is asked at
// once; what the attributes point to is read later, and must not change.
func (q *Queue) Logger(h slog.Handler) *slog.Logger { return slog.New(handler{h, q}) }

// handler puts records into the queue.
type handler struct {
	slog.Handler
	queue *Queue
}

// Handle returns no error: what the real handler returns comes too late to be told.
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

// work hands lines on until there are none.
func (q *Queue) work(idle chan struct{}) {
	defer close(idle)
	var last slog.Handler
	for {
		next, ok := q.next(last)
		if !ok {
			return
		}
		last = next.to
		_ = last.Handle(context.Background(), next.record) // that a line could not be written cannot be logged
	}
}

// next returns the oldest line, or one that tells of those dropped.
func (q *Queue) next(last slog.Handler) (l line, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.lines) > 0:
		l, q.lines = q.lines[0], q.lines[1:]
		return l, true
	case q.dropped > 0 && last.Enabled(context.Background(), slog.LevelWarn):
		l = line{last, slog.NewRecord(time.Now(), slog.LevelWarn, "log lines were dropped: they came faster than they are taken", 0)}
		l.record.AddAttrs(slog.Int("lines", q.dropped))
		q.dropped = 0
		return l, true
	}
	q.lines, q.idle = nil, nil
	return l, false
}

// Flush waits until the lines put so far are written, but not longer than limit, and reports whether they are.
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
