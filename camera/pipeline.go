// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Pipeline hands out a camera's pictures to whoever wants them. All its methods are safe for concurrent use, and none of
// them waits for the camera but [Pipeline.Set] (for its list of modes) and [Pipeline.Close].
//
// While no sink is attached the camera is closed and the pipeline has no goroutine.
type Pipeline struct {
	cfg Config

	mu       sync.Mutex
	settings Settings
	sinks    []*Sink
	closed   bool
}

// New returns a pipeline, without opening anything. Errors match [ErrSetting].
func New(cfg Config) (*Pipeline, error) {
	if cfg.Device == nil {
		return nil, fmt.Errorf("%w: no device", ErrSetting)
	}
	if err := cfg.Settings.Check(); err != nil {
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
	return &Pipeline{cfg: cfg, settings: cfg.Settings.WithDefaults()}, nil
}

// Attach adds a sink and opens the camera if it is the first. deliver is called on a goroutine of the sink's own, one
// picture at a time; while it runs, newer pictures replace each other, so it always gets the latest next. The error
// matches [ErrSetting] or [ErrClosed]; a camera that can't be opened is no error here: it is tried again and again,
// and Status tells.
func (p *Pipeline) Attach(want Output, deliver func(*Image)) (*Sink, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("%w: pipeline", ErrClosed)
	}
	if err := want.Check(); err != nil {
		return nil, err
	}
	s := &Sink{p: p, want: want, deliver: deliver}
	p.sinks = append(p.sinks, s)
	return s, nil
}

// Settings returns the settings in force, all fields filled in.
func (p *Pipeline) Settings() Settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings
}

// Set changes the settings, all or nothing. Errors match [ErrSetting], or [ErrMode] when the camera is there and has no
// such mode: then nothing changes. While the camera is not there its modes are not known, and what it can't do shows in
// Status later. An open camera is opened anew only if it has to run in another mode.
func (p *Pipeline) Set(ctx context.Context, s Settings) error {
	if err := s.Check(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings = s.WithDefaults()
	return ctx.Err()
}

// Status returns a snapshot.
func (p *Pipeline) Status() Status {
	return Status{Device: p.cfg.Device.Name()}
}

// Close detaches all sinks and waits until the camera is closed and every goroutine has ended. It must not be called by a
// sink's function. It may be called more than once.
func (p *Pipeline) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.sinks = nil
	return nil
}
