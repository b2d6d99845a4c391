// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/clockwatch"
)

// writing is the state of the goroutine between cache and disk.
type writing struct {
	r      *Recorder
	sink   *sink // nil while nothing is recorded
	begun  time.Time
	lost   Losses
	full   bool // the disk was full during this bag
	warned time.Time
	clock  *clockwatch.Watch

	searched bool  // topics that are not published yet were warned of
	unheard  error // what the bags that were completed lack: ErrNotPublished, ErrNoMessages
}

// spaceInterval is the period of checks of a full disk.
const spaceInterval = time.Second

// errLimit ends a recording that has reached its size or time.
var errLimit = errors.New("record: limit reached")

func (w *writing) run(ctx context.Context) error {
	tick := time.NewTicker(w.r.cfg.ChunkTime)
	defer tick.Stop()
	space := time.NewTicker(spaceInterval)
	defer space.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case c := <-w.r.commands:
			c.result <- c.do(w)
		case <-w.r.cache.wake:
			err = w.drain()
		case <-tick.C:
			w.r.cache.seal()
			err = errors.Join(w.drain(), w.sync())
		case <-space.C:
			w.clock.Check()
			w.warnOfUnpublished()
			err = w.tryAgain()
		}
		if err == nil {
			err = w.checkLimits()
		}
		w.report()
		if errors.Is(err, errLimit) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// start begins a bag.
func (w *writing) start(dir string) (err error) {
	if w.sink != nil {
		return ErrRecording
	}
	if w.sink, err = newSink(w.r, dir); err != nil {
		w.sink = nil
		return err
	}
	w.begun, w.lost, w.full, w.searched = time.Now(), Losses{}, false, false
	w.r.cache.takeLost()
	w.r.missed.take()
	w.r.setRecording()
	w.report()
	w.r.cfg.Logger.Info("recording", "bag", dir)
	return nil
}

// stop completes the bag. The error matches errLost if messages are missing from it, and errDiskFull if the disk
// was full.
func (w *writing) stop() error {
	if w.sink == nil {
		return nil
	}
	var err error
	w.r.stopWaiting()
	if w.r.cache.seal(); !w.r.cfg.Snapshots {
		err = w.drain()
	}
	if w.sink.full || err != nil {
		w.r.cache.abandon()
	}
	err = errors.Join(err, w.sink.closeFile())
	w.report()
	s := w.r.Status()
	err = errors.Join(err, w.losses(s))
	w.r.cfg.Logger.Info("recorded", "bag", s.Dir, "messages", s.Messages, "size", bytesText(s.Bytes), "lost", s.Lost,
		"lost_queue_full", s.Losses.Queue, "lost_disk", s.Losses.Disk, "lost_by_publishers", s.Losses.Publisher, "lost_other_type", s.Losses.OtherType)
	if n := s.Losses.Publisher; n > 0 {
		w.r.cfg.Logger.Warn("messages did not arrive: their publishers or the network lost them", "lost", n, "bag", s.Dir)
	}
	if n := s.Losses.OtherType; n > 0 {
		w.r.cfg.Logger.Warn("messages of another definition of their type are not recorded", "lost", n, "bag", s.Dir)
	}
	w.noteUnheard(s)
	w.sink = nil
	w.r.setIdle()
	w.report()
	return err
}

// losses returns an error if messages that arrived were not written.
func (w *writing) losses(s Status) error {
	lost := s.Losses.Queue + s.Losses.Disk
	if lost == 0 {
		return nil
	}
	full := errFailed
	if w.full {
		full = errDiskFull
	}
	var cause error
	switch {
	case s.Losses.Disk == 0:
		cause = errSlow
	case s.Losses.Queue == 0:
		cause = full
	default:
		cause = fmt.Errorf("%d: %w; %d: %w", s.Losses.Disk, full, s.Losses.Queue, errSlow)
	}
	return fmt.Errorf("%w: %d of %d, bag %s: %w", errLost, lost, lost+s.Messages, s.Dir, cause)
}

// Causes of lost messages besides a full disk.
var (
	errSlow   = errors.New("the disk is too slow (a larger cache helps with short peaks)")
	errFailed = errors.New("the disk failed")
)

// snapshot writes the kept messages.
func (w *writing) snapshot(dir string) error {
	if w.sink == nil {
		if err := w.start(dir); err != nil {
			return err
		}
		return w.stop()
	}
	if w.sink.full {
		return errDiskFull
	}
	w.r.cache.set(pass, 0)
	w.r.cache.seal()
	err := errors.Join(w.drain(), w.sync())
	if !w.sink.full {
		w.r.setRecording()
	}
	return err
}

// drain writes the waiting chunks.
func (w *writing) drain() error {
	for w.sink != nil && !w.sink.full {
		c := w.r.cache.pop()
		if c == nil {
			return nil
		}
		if err := w.write(c); err != nil {
			return err
		}
	}
	return nil
}

// write writes one chunk. On a full disk the chunk stays in the cache, which then keeps the newest messages.
func (w *writing) write(c *mcap.Chunk) error {
	err := w.sink.write(c)
	if err == nil {
		w.r.cache.done(c)
		return nil
	}
	w.r.cache.putBack(c)
	if !diskFull(err) {
		return err
	}
	w.sink.full, w.full = true, true
	w.r.cache.set(ring, 0)
	w.r.cfg.Logger.Error("recording suspended: the disk is full", "bag", w.sink.dir, "error", err)
	return w.sink.closeFile()
}

// tryAgain continues when there is space again.
func (w *writing) tryAgain() error {
	if w.sink == nil || !w.sink.full {
		return nil
	}
	if w.sink.freeSpace(int64(w.r.cfg.ChunkSize)) != nil {
		return nil //nolint:nilerr // still full, which was reported
	}
	w.sink.full = false
	w.r.setRecording()
	w.r.cfg.Logger.Info("recording continues: there is space on the disk again", "bag", w.sink.dir)
	return w.drain()
}

func (w *writing) sync() error {
	if w.sink == nil {
		return nil
	}
	return w.sink.sync()
}

// checkLimits ends the recording at its size or time.
func (w *writing) checkLimits() error {
	if w.sink == nil {
		return nil
	}
	cfg := &w.r.cfg
	if cfg.MaxTime > 0 && time.Since(w.begun) >= cfg.MaxTime || cfg.MaxSize > 0 && w.sink.size() >= cfg.MaxSize {
		return errLimit
	}
	return nil
}

// report publishes the status, and losses.
func (w *writing) report() {
	lost := w.r.cache.takeLost()
	if missed := w.r.missed.take(); w.sink != nil && !w.r.cfg.Snapshots {
		lost = lost.plus(missed)
	}
	w.lost = w.lost.plus(lost)
	s := Status{Lost: w.lost.Total(), Losses: w.lost, Begun: w.begun}
	if w.sink != nil {
		s.Recording, s.Dir, s.Full, s.Bytes, s.Messages = true, w.sink.dir, w.sink.full, w.sink.size(), w.sink.total
		if lost.Queue > 0 && !s.Full && time.Since(w.warned) > spaceInterval {
			w.warned = time.Now()
			w.r.cfg.Logger.Warn("messages lost: the disk is too slow", "lost", w.lost.Queue, "cache", bytesText(int64(w.r.cfg.Cache)))
		}
	}
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	w.r.status = s
}
