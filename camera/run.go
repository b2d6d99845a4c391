// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// run keeps the camera open while there are sinks. It is one goroutine, which also converts and compresses.
func (p *Pipeline) run(ctx context.Context) {
	for ctx != nil {
		p.keepOpen(ctx)
		ctx = p.again()
	}
}

// again returns the context to go on with if sinks came while the camera was being closed, else nil: run ends.
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

// keepOpen opens the camera, and again when it fails, until ctx ends.
func (p *Pipeline) keepOpen(ctx context.Context) {
	wait := p.cfg.RetryMin
	for ctx.Err() == nil {
		frames, err := p.open(ctx)
		if err == nil || ctx.Err() != nil {
			continue // another mode is wanted, or none
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

// open opens the camera and hands out frames until ctx ends, another mode is wanted (nil) or the camera fails. It
// returns how many frames there were.
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

// stream is the camera while it is open. Its fields are run's but for those marked.
type stream struct {
	p      *Pipeline
	src    Source
	modes  []Mode     // what the camera could do when it was opened
	mode   Mode       // of these, the one it runs in
	frames chan held  // from capture: the latest frame
	ended  chan error // from capture: why it ended
	groups []*group   // that have a maker
	now    held       // the frame being worked on; a field, so that it is not allocated anew
	used   int        // frames
	full   fullFrame
}

// held is a frame with the function that gives it back.
type held struct {
	Frame
	release func()
}

// run works on the frames that capture reads, until ctx ends, another mode is wanted (nil) or the camera fails.
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
		s.p.cfg.Logger.Warn("camera did not close well", "error", closing)
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

// serves reports whether the mode the camera runs in is the one for the settings, or as good: then it is not opened
// anew. A camera that gives more frames than wanted may go on doing so.
func (s *stream) serves() bool {
	settings := s.p.Settings()
	best, err := chooseMode(s.modes, settings)
	return err == nil && best.Width == s.mode.Width && best.Height == s.mode.Height && best.Format == s.mode.Format &&
		(s.mode.FrameRate == 0 || s.mode.FrameRate >= min(settings.FrameRate, best.FrameRate))
}
