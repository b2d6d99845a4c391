// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Pipeline distributes a camera's pictures to its sinks. Its methods are safe for concurrent use, and none of them
// waits for the camera but [Pipeline.Check] and [Pipeline.Set] (for its list of modes) and [Pipeline.Close].
//
// While no sink is attached the camera is closed and the pipeline has no goroutine. Otherwise one goroutine reads the
// camera, one converts and compresses the latest frame, and each sink has one that calls its function; an encoder on
// the GPU has one that waits for its results. A newer frame replaces one not yet used.
type Pipeline struct {
	cfg     Config
	changed chan struct{} // wakes run after the settings changed
	wg      task.Group    // run and the sinks' goroutines
	setting sync.Mutex    // one Set at a time

	mu       sync.Mutex // guards the fields below; not held while a device, an encoder or a sink's function runs
	settings Settings
	sinks    []*Sink
	groups   []*group           // replaced, not changed
	running  bool               // run has not ended
	cancel   context.CancelFunc // ends run's current work
	closed   bool
	since    time.Time // since when pictures are missing; zero if they are not
	status   Status    // all but the sinks
	window   window    // for status.FrameRate
	// The last failures that were logged: of the camera, of a picture.
	logged, lossLogged string
}

// New returns a pipeline, without opening anything. Errors match [ErrSetting].
func New(cfg Config) (*Pipeline, error) {
	if cfg.Device == nil {
		return nil, fmt.Errorf("%w: no device", ErrSetting)
	}
	if err := cfg.Settings.check(); err != nil {
		return nil, err
	}
	if cfg.Clock == nil {
		cfg.Clock = systemClock{}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.RetryMin <= 0 {
		cfg.RetryMin = 250 * time.Millisecond
	}
	if cfg.RetryMax < cfg.RetryMin {
		cfg.RetryMax = max(5*time.Second, cfg.RetryMin)
	}
	return &Pipeline{cfg: cfg, settings: cfg.Settings.withDefaults(), changed: make(chan struct{}, 1)}, nil
}

// Attach adds a sink and opens the camera if it is the first. deliver is called on the sink's goroutine, one picture at
// a time; while it runs, newer pictures replace each other, so the next one is the latest. The error matches
// [ErrSetting] or [ErrClosed]. Failures to open the camera are not errors here: the pipeline retries and Status reports
// them.
func (p *Pipeline) Attach(want Output, deliver func(*Image)) (*Sink, error) {
	if err := want.check(); err != nil {
		return nil, err
	}
	if deliver == nil {
		return nil, fmt.Errorf("%w: deliver is nil", ErrSetting)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("%w: pipeline", ErrClosed)
	}
	s := &Sink{p: p, want: want, deliver: deliver, wake: make(chan struct{}, 1), quit: make(chan struct{})}
	if len(p.sinks) == 0 {
		p.since = p.cfg.Clock.Now()
	}
	p.sinks = append(p.sinks, s)
	p.regroup()
	p.wg.Go("pictures", s.run)
	if !p.running {
		p.running = true
		ctx, cancel := context.WithCancel(context.Background())
		p.cancel = cancel
		p.wg.Go("picture pipeline", func() { p.run(ctx) })
	}
	return s, nil
}

// Settings returns the current settings with defaults.
func (p *Pipeline) Settings() Settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings
}

// Check returns the error that [Pipeline.Set] would return, without changing anything.
func (p *Pipeline) Check(ctx context.Context, s Settings) error {
	if err := s.check(); err != nil {
		return err
	}
	modes, err := p.cfg.Device.Modes(ctx)
	if err == nil {
		_, err = chooseMode(modes, s.withDefaults())
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("camera: settings not changed: %w", errors.Join(err, ctx.Err()))
	}
	return nil
}

// Set changes the settings, all or nothing. Errors match [ErrSetting], or [ErrMode] when the camera is present and has
// no such mode. While the camera is absent its modes are unknown, and Status reports an unsupported mode later. An open
// camera is reopened only if its mode changes.
func (p *Pipeline) Set(ctx context.Context, s Settings) error {
	p.setting.Lock()
	defer p.setting.Unlock()
	if err := p.Check(ctx, s); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("%w: pipeline", ErrClosed)
	}
	p.settings = s.withDefaults()
	p.regroup()
	select {
	case p.changed <- struct{}{}:
	default:
	}
	return nil
}

// Close detaches all sinks and waits until the camera is closed and every goroutine has ended. It must not be called by
// a sink's function. It may be called more than once.
func (p *Pipeline) Close() error {
	p.mu.Lock()
	p.closed = true
	for len(p.sinks) > 0 {
		p.detach(p.sinks[0])
	}
	p.mu.Unlock()
	p.wg.Wait()
	return nil
}
