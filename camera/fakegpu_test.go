// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

var errBroken = errors.New("the fake GPU is broken")

// fakeGPU opens encoders and converters that work on the CPU and fail on request.
type fakeGPU struct {
	mu       sync.Mutex
	missing  bool             // can't be opened
	broken   bool             // opened ones fail
	damaged  func(n int) bool // this frame can't be encoded
	delay    time.Duration    // per frame, of the asynchronous encoder
	depth    int
	hangs    bool // the asynchronous encoder gives nothing back
	encoders []*fakeEncoder
	convs    int
	convOpen int
}

func (g *fakeGPU) is() (missing, broken bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.missing, g.broken
}

func (g *fakeGPU) set(missing, broken bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.missing, g.broken = missing, broken
	for _, e := range g.encoders {
		e.cond.Broadcast()
	}
}

func (g *fakeGPU) opened() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.encoders)
}

// left counts what was opened and not closed.
func (g *fakeGPU) left() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range g.encoders {
		if !e.closed {
			n++
		}
	}
	return n + g.convOpen
}

// fakeEncoder is a synchronous encoder of one size.
type fakeEncoder struct {
	Encoder
	g      *fakeGPU
	cfg    EncoderConfig
	n      int
	closed bool
	cond   *sync.Cond
}

func (g *fakeGPU) open(cfg EncoderConfig) (*fakeEncoder, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.missing {
		return nil, errBroken
	}
	cpu, err := newCPUEncoder(cfg.Quality)
	if err != nil {
		return nil, err
	}
	e := &fakeEncoder{Encoder: cpu, g: g, cfg: cfg, cond: sync.NewCond(&g.mu)}
	g.encoders = append(g.encoders, e)
	return e, nil
}

func (g *fakeGPU) openSync(cfg EncoderConfig) (Encoder, error) { return g.open(cfg) }

func (e *fakeEncoder) Name() string { return "fake GPU" }

func (e *fakeEncoder) Encode(dst []byte, f *Frame) ([]byte, error) {
	if _, broken := e.g.is(); broken {
		return dst, errBroken
	}
	if e.closed || f.Width != e.cfg.Width || f.Height != e.cfg.Height || f.Format != e.cfg.Format {
		return dst, fmt.Errorf("fake GPU: closed %t, given %d×%d, opened for %+v", e.closed, f.Width, f.Height, e.cfg)
	}
	if e.n++; e.g.damaged != nil && e.g.damaged(e.n) {
		return dst, fmt.Errorf("%w: number %d", ErrFrame, e.n)
	}
	return e.Encoder.Encode(dst, f)
}

func (e *fakeEncoder) Close() error {
	e.g.mu.Lock()
	defer e.g.mu.Unlock()
	e.closed = true
	e.cond.Broadcast()
	return nil
}

// asyncEncoder takes delay for each frame and has depth of them in flight.
type asyncEncoder struct {
	*fakeEncoder
	flight []asyncFrame
	most   int
}

type asyncFrame struct {
	file []byte
	err  error
	done time.Time
}

func (g *fakeGPU) openAsync(cfg EncoderConfig) (Encoder, error) {
	e, err := g.open(cfg)
	if err != nil {
		return nil, err
	}
	return &asyncEncoder{fakeEncoder: e}, nil
}

func (e *asyncEncoder) Depth() int { return e.g.depth }

func (e *asyncEncoder) Submit(f *Frame) error {
	file, err := e.Encode(nil, f)
	e.g.mu.Lock()
	defer e.g.mu.Unlock()
	if err != nil && !errors.Is(err, ErrFrame) {
		return err
	}
	if len(e.flight) == e.g.depth {
		return ErrBusy
	}
	start := time.Now()
	if n := len(e.flight); n > 0 && e.flight[n-1].done.After(start) {
		start = e.flight[n-1].done
	}
	e.flight = append(e.flight, asyncFrame{file, err, start.Add(e.g.delay)})
	e.most = max(e.most, len(e.flight))
	e.cond.Broadcast()
	return nil
}

func (e *asyncEncoder) Receive(dst []byte) ([]byte, error) {
	e.g.mu.Lock()
	defer e.g.mu.Unlock()
	for (len(e.flight) == 0 || e.g.hangs) && !e.closed && !e.g.broken {
		e.cond.Wait()
	}
	if e.closed {
		return dst, ErrClosed
	}
	if e.g.broken {
		return dst, errBroken
	}
	wait := time.Until(e.flight[0].done)
	e.g.mu.Unlock()
	time.Sleep(wait)
	e.g.mu.Lock()
	next := e.flight[0]
	e.flight = slices.Delete(e.flight, 0, 1)
	return append(dst, next.file...), next.err
}

// fakeISP is a Converter that says so in its pictures: every byte is 77.
type fakeISP struct {
	g   *fakeGPU
	cfg ConverterConfig
}

func (g *fakeGPU) openISP(cfg ConverterConfig) (Converter, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.missing {
		return nil, errBroken
	}
	g.convs++
	g.convOpen++
	return &fakeISP{g, cfg}, nil
}

func (c *fakeISP) Name() string { return "fake ISP" }

func (c *fakeISP) Convert(dst []byte, f *Frame) ([]byte, error) {
	if _, broken := c.g.is(); broken {
		return dst, errBroken
	}
	for range c.cfg.OutWidth * c.cfg.OutHeight * c.cfg.OutFormat.BytesPerPixel() {
		dst = append(dst, 77)
	}
	return dst, nil
}

func (c *fakeISP) Close() error {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	c.g.convOpen--
	return nil
}
