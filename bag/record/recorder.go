// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/clockwatch"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Recorder records one network. Its methods are safe for concurrent use; [Recorder.Run] does the work.
type Recorder struct {
	cfg     Config
	topics  *topics
	cache   *cache
	latched latched
	missed  missed
	paused  atomic.Bool
	tooMany sync.Once // for the warning about too many topics

	pausing  sync.Mutex
	pausedAt uint64 // guarded by pausing

	held       atomic.Int64  // bytes of messages that wait for the definitions of their types
	querySlots chan struct{} // one token for each request for a definition
	queries    task.Group
	commands   chan command
	done       chan struct{} // closed when Run has returned

	mu      sync.Mutex
	status  Status
	waiting []*subscription             // topics whose types are being requested
	onSplit func(closed, opened string) // nil unless events are offered
}

// Status is the state of a recorder.
type Status struct {
	// Recording is true while a bag is open, in the folder Dir; Paused and Full are reasons why nothing is written.
	Recording, Paused, Full bool
	Dir                     string
	// Messages and Bytes were written, Lost messages were not, since the bag was begun; Losses has their causes. Topics is
	// the number of subscribed topics.
	Messages, Lost uint64
	Losses         Losses
	Bytes          int64
	Topics         int
	Begun          time.Time
}

// command is a request to the writing goroutine.
type command struct {
	do     func(w *writing) error
	result chan error
}

// New returns a recorder that discards messages, or keeps the pre-roll, until Start.
func New(cfg Config) (*Recorder, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	r := &Recorder{cfg: cfg, topics: newTopics(), latched: latched{limit: cfg.Cache}, missed: missed{dropped: cfg.Dropped}, cache: newCache(cfg.ChunkSize, cfg.Cache),
		querySlots: make(chan struct{}, maxConcurrentQueries), commands: make(chan command), done: make(chan struct{})}
	r.setIdle()
	return r, nil
}

// setIdle sets the cache's mode while nothing is recorded.
func (r *Recorder) setIdle() {
	if r.cfg.PreRoll > 0 {
		r.cache.set(ring, r.cfg.PreRoll)
		return
	}
	r.cache.set(discard, 0)
}

// setRecording sets the cache's mode while a bag is open.
func (r *Recorder) setRecording() {
	if r.cfg.Snapshots {
		r.cache.set(ring, r.cfg.PreRoll)
		return
	}
	r.cache.set(pass, 0)
}

// hashOf returns the hash of a topic's type as its first publisher announced it.
func (r *Recorder) hashOf(number uint16) string {
	r.topics.mu.Lock()
	defer r.topics.mu.Unlock()
	return r.topics.byNumber[number].hash
}

// stamp returns a message's log time, ns since 1970; false if there is none yet.
func (r *Recorder) stamp(info ros2.MessageInfo) (uint64, bool) {
	t := info.ReceivedTime
	if r.cfg.Clock != nil {
		t = r.cfg.Clock.Now()
	}
	if t.IsZero() {
		if r.cfg.Clock != nil {
			return 0, false
		}
		t = r.cfg.Node.Now()
	}
	return uint64(max(0, t.UnixNano())), true
}

// Run records until ctx ends, a limit is reached or the disk fails; then the bag is complete. The error matches
// [ErrNotPublished] and [ErrNoMessages] if a bag lacks a topic that was named, or has no message; both are logged, too.
// It may be called once.
func (r *Recorder) Run(ctx context.Context) error {
	defer close(r.done)
	watching, stop := context.WithCancel(ctx)
	var wg task.Group
	wg.Go("record: graph", func() { r.watch(watching) })
	w := &writing{r: r, clock: clockwatch.New(r.cfg.Logger, "the computer's clock was set: the times of the messages jump")}
	w.clock.Wall = r.cfg.wall
	err := w.run(ctx)
	stop()
	wg.Wait()
	r.queries.Wait()
	return errors.Join(err, w.stop(), w.unheard)
}

// do runs f on the writing goroutine.
func (r *Recorder) do(ctx context.Context, f func(w *writing) error) error {
	c := command{f, make(chan error, 1)}
	select {
	case r.commands <- c:
		return <-c.result
	case <-r.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Start begins a bag in the folder dir, which must not exist. The pre-roll is its beginning.
func (r *Recorder) Start(ctx context.Context, dir string) error {
	return r.do(ctx, func(w *writing) error { return w.start(dir) })
}

// Stop completes the bag and returns its folder.
func (r *Recorder) Stop(ctx context.Context) (dir string, err error) {
	err = r.do(ctx, func(w *writing) error {
		if w.sink == nil {
			return ErrNotRecording
		}
		dir = w.sink.dir
		return w.stop()
	})
	return dir, err
}

// Snapshot writes the pre-roll: to the open bag, else to a new one in the folder dir.
func (r *Recorder) Snapshot(ctx context.Context, dir string) error {
	if r.cfg.PreRoll == 0 {
		return fmt.Errorf("%w: there is no pre-roll to take a snapshot of", errConfig)
	}
	return r.do(ctx, func(w *writing) error { return w.snapshot(dir) })
}

// Split begins a new file.
func (r *Recorder) Split(ctx context.Context) error {
	return r.do(ctx, func(w *writing) error {
		if w.sink == nil {
			return ErrNotRecording
		}
		r.cache.seal()
		return errors.Join(w.drain(), w.sink.closeFile())
	})
}

// Pause discards messages until the recorder is resumed; transient-local ones are kept.
func (r *Recorder) Pause() {
	r.pausing.Lock()
	defer r.pausing.Unlock()
	if !r.paused.Swap(true) {
		r.pausedAt, _ = r.stamp(ros2.MessageInfo{ReceivedTime: r.cfg.Node.Now()})
	}
}

// resume ends a pause. Messages of transient-local publishers that arrived meanwhile are recorded now.
func (r *Recorder) resume() {
	r.pausing.Lock()
	defer r.pausing.Unlock()
	if !r.paused.Swap(false) {
		return
	}
	now, ok := r.stamp(ros2.MessageInfo{ReceivedTime: r.cfg.Node.Now()})
	if !ok {
		return
	}
	r.latched.since(r.pausedAt, now, func(channel uint16, m latchedMessage) {
		r.cache.put(channel, m.sequence, m.logTime, m.publishTime, m.data)
	})
}

// Paused reports whether the recorder is paused.
func (r *Recorder) Paused() bool { return r.paused.Load() }

// Status returns the recorder's state.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	s := r.status
	r.mu.Unlock()
	s.Paused = r.Paused()
	r.topics.mu.Lock()
	s.Topics = len(r.topics.byNumber)
	r.topics.mu.Unlock()
	return s
}

// warn logs an error of a topic.
func (r *Recorder) warn(text, topic string, err error) {
	r.cfg.Logger.Warn(text, "topic", topic, "error", err)
}
