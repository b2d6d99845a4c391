// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// run keeps the camera open while there are sinks. It runs on one goroutine, which also converts and compresses.
func (p *Pipeline) run(ctx context.Context) {
	for ctx != nil {
		p.keepOpen(ctx)
		ctx = p.again()
	}
}

// again returns a new context if sinks were attached while the camera was being closed, else nil: run ends.
func (p *Pipeline) again() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel()
	if len(p.sinks) == 0 {
		p.running = false
		p.status.Mode, p.status.FrameRate, p.logged = Mode{}, 0, ""
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	return ctx
}

// keepOpen opens the camera, and reopens it after failures, until ctx ends.
func (p *Pipeline) keepOpen(ctx context.Context) {
	wait := p.cfg.RetryMin
	for ctx.Err() == nil {
		frames, err := p.open(ctx)
		if err == nil || ctx.Err() != nil {
			continue // another mode is needed, or none
		}
		if frames > 0 {
			wait = p.cfg.RetryMin
		}
		p.noteFailure(err, wait)
		timer := p.cfg.Clock.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-p.changed:
		case <-timer.C():
		}
		timer.Stop()
		wait = min(2*wait, p.cfg.RetryMax)
	}
}

// open opens the camera and processes frames until ctx ends, another mode is needed (nil) or the camera fails. It
// returns the number of frames.
func (p *Pipeline) open(ctx context.Context) (frames int, err error) {
	modes, err := p.cfg.Device.Modes(ctx)
	if err != nil {
		return 0, err
	}
	settings := p.Settings()
	mode, err := chooseMode(modes, settings)
	if err != nil {
		return 0, err
	}
	want := mode
	if want.FrameRate == 0 {
		want.FrameRate = settings.FrameRate
	}
	src, err := p.cfg.Device.Open(ctx, want)
	if err != nil {
		return 0, err
	}
	p.noteOpen(want)
	s := &stream{p: p, src: src, modes: modes, mode: mode, frames: make(chan held, 1), ended: make(chan error, 1)}
	err = s.run(ctx)
	p.noteClosed(err)
	return s.used, err
}

// stream is the camera while it is open. The fields belong to run except those marked.
type stream struct {
	p      *Pipeline
	src    Source
	modes  []Mode     // the camera's modes when it was opened
	mode   Mode       // the current one of these
	frames chan held  // from capture: the latest frame
	ended  chan error // from capture: reason of the end
	groups []*group   // with a maker
	now    held       // the current frame; a field, so that it is not allocated each time
	used   int        // frames
	full   fullFrame
}

// held is a frame with its release function.
type held struct {
	Frame
	release func()
}

// run processes the frames of capture until ctx ends, another mode is needed (nil) or the camera fails.
func (s *stream) run(ctx context.Context) (err error) {
	task.Go("camera", s.capture)
	running := true
	for running && err == nil && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-s.p.changed:
			running = s.serves()
		case s.now = <-s.frames:
			s.used++
			s.work(&s.now.Frame)
			s.now.release()
		case err = <-s.ended:
		}
	}
	if closing := s.src.Close(); closing != nil {
		s.p.cfg.Logger.Warn("camera not closed properly", "error", closing)
	}
	if err == nil {
		if ended := <-s.ended; !errors.Is(ended, ErrClosed) {
			s.p.cfg.Logger.Debug("camera failed while it was being closed", "error", ended)
		}
	}
	select {
	case f := <-s.frames:
		f.release()
	default:
	}
	s.retain(nil)
	return err
}

// serves reports whether the current mode suits the settings, so the camera need not be reopened. A higher frame rate
// than requested is acceptable.
func (s *stream) serves() bool {
	settings := s.p.Settings()
	best, err := chooseMode(s.modes, settings)
	return err == nil && best.Width == s.mode.Width && best.Height == s.mode.Height && best.Format == s.mode.Format &&
		(s.mode.FrameRate == 0 || s.mode.FrameRate >= min(settings.FrameRate, best.FrameRate))
}
