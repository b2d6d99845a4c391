// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// source is a running camera. One goroutine calls Read; everything else is safe for concurrent use.
type source struct {
	node    node
	sys     system
	logger  *slog.Logger
	info    Info
	mode    camera.Mode
	layout  layout
	yuv     yuv.Range
	timeout time.Duration

	closed atomic.Bool
	stats  counters

	// reading is held by Read, so that Close does not release what Read still uses.
	reading sync.Mutex
	last    uint32 // previous sequence number; valid if counted
	counted bool

	// mu guards the slots.
	mu    sync.Mutex
	slots []slot
	shut  bool // buffers are no longer queued
}

// slot is one buffer. It belongs to the driver or to a reader.
type slot struct {
	data    []byte // mapped; nil once unmapped
	held    bool
	release func() // allocated once
}

// Stats are the counts of a source's frames.
type Stats struct {
	Frames    uint64 // returned by Read
	Lost      uint64 // missing in the driver's sequence: no free buffer, or lost on the bus
	Skipped   uint64 // released unread because a newer one was available
	Damaged   uint64 // marked by the driver as incomplete, or too short
	Unstamped uint64 // stamped with the time of Read, because the driver's stamp is unusable
}

// maxAlarms is the maximum number of spurious error conditions during a Read: see [vpoll.Poller].
const maxAlarms = 100

type counters struct {
	frames, lost, skipped, damaged, unstamped atomic.Uint64
}

func newSource(n node, sys system, cfg Config, info Info, mode camera.Mode, l layout) *source {
	return &source{
		node: n, sys: sys, logger: cfg.Logger, info: info, mode: mode, layout: l,
		yuv: rangeOf(info, l), timeout: cfg.Timeout,
	}
}

// Mode returns the current mode, with the driver's frame rate (0: not reported).
func (s *source) Mode() camera.Mode { return s.mode }

// Info returns the description of the device.
func (s *source) Info() Info { return s.info }

// Stats returns the counts so far.
func (s *source) Stats() Stats {
	return Stats{
		Frames: s.stats.frames.Load(), Lost: s.stats.lost.Load(), Skipped: s.stats.skipped.Load(),
		Damaged: s.stats.damaged.Load(), Unstamped: s.stats.unstamped.Load(),
	}
}

// Read implements [camera.Source]. It returns the newest frame; a slow reader skips older ones. In addition to the
// interface's errors it fails if the kernel stopped the stream although the camera is still present; the error has the
// device and the step. Reopening the camera may help.
func (s *source) Read() (camera.Frame, func(), error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	deadline := time.Now().Add(s.timeout)
	for alarms := 0; ; {
		if s.closed.Load() {
			return camera.Frame{}, nil, s.closedError()
		}
		ev, err := s.node.wait(time.Until(deadline))
		switch {
		case err != nil:
			return camera.Frame{}, nil, s.failure("wait", err)
		case s.closed.Load() || ev&vpoll.Woken != 0:
			return camera.Frame{}, nil, s.closedError()
		case ev&vpoll.Failed != 0 && (s.node.gone() || alarms == maxAlarms):
			return camera.Frame{}, nil, s.failure("wait", syscall.EIO)
		case ev&(vpoll.Readable|vpoll.Failed) != 0:
			if ev&vpoll.Failed != 0 {
				alarms++
			}
			b, err := s.newest()
			if errors.Is(err, syscall.EAGAIN) {
				continue
			}
			if err != nil {
				return camera.Frame{}, nil, err
			}
			return s.frame(b)
		case time.Until(deadline) <= 0:
			return camera.Frame{}, nil, fmt.Errorf("%w: %s sent nothing for %v, %d of %d buffers are held by readers",
				camera.ErrTimeout, s.info.Path, s.timeout, s.heldCount(), len(s.slots))
		}
	}
}

// newest returns the last filled buffer and releases older ones. Errors after the first buffer are left to the next
// Read.
func (s *source) newest() (buffer, error) {
	b, err := s.dequeue()
	for err == nil {
		if ev, werr := s.node.wait(0); werr != nil || ev != vpoll.Readable {
			break
		}
		newer, terr := s.dequeue()
		if terr != nil {
			break
		}
		s.stats.skipped.Add(1)
		s.giveBack(b.index)
		b = newer
	}
	return b, err
}

// dequeue dequeues a buffer, checks its index and marks it as held.
func (s *source) dequeue() (buffer, error) {
	b, err := s.node.dequeue()
	if errors.Is(err, syscall.EAGAIN) {
		return b, err
	}
	if err != nil {
		return b, s.failure("dequeue", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.index < 0 || b.index >= len(s.slots) || s.slots[b.index].held {
		return b, fmt.Errorf("%w: %s returned invalid buffer %d of %d", errDriver, s.info.Path, b.index, len(s.slots))
	}
	s.slots[b.index].held = true
	s.count(b.sequence)
	return b, nil
}

// count detects gaps in the driver's sequence numbers, which wrap around.
func (s *source) count(sequence uint32) {
	if gap := sequence - s.last - 1; s.counted && gap < 1<<31 {
		s.stats.lost.Add(uint64(gap))
	}
	s.last, s.counted = sequence, true
}

// frame returns a view of the buffer.
func (s *source) frame(b buffer) (camera.Frame, func(), error) {
	data := s.slots[b.index].data
	short := b.used > len(data) || b.used == 0 || b.used < s.layout.need()
	if b.damaged || short {
		s.stats.damaged.Add(1)
		s.giveBack(b.index)
		return camera.Frame{}, nil, fmt.Errorf("%w: frame %d of %s has %d bytes of %d, marked as damaged: %v",
			camera.ErrFrame, b.sequence, s.info.Path, b.used, s.layout.image, b.damaged)
	}
	stamp, ok := s.stamp(b)
	if !ok {
		s.stats.unstamped.Add(1)
	}
	s.stats.frames.Add(1)
	return camera.Frame{
		Data: data[:b.used:b.used], Format: s.mode.Format, Width: s.mode.Width, Height: s.mode.Height,
		Stride: s.layout.stride, Stamp: stamp, Sequence: b.sequence, Range: s.yuv,
	}, s.slots[b.index].release, nil
}

// failure converts an error of the kernel: calls for an unplugged device fail with various numbers.
func (s *source) failure(step string, err error) error {
	if s.node.gone() {
		return fmt.Errorf("%w: %s: %s: %w", camera.ErrUnplugged, s.info.String(), step, err)
	}
	return fmt.Errorf("%w: %s: %s: %w", errStream, s.info.Path, step, err)
}

func (s *source) closedError() error { return fmt.Errorf("%w: %s", camera.ErrClosed, s.info.Path) }

// need returns the minimum number of bytes of a valid frame; 0 for compressed ones.
func (l layout) need() int {
	bpp := l.format.BytesPerPixel()
	if bpp == 0 {
		return 0
	}
	return l.stride*(l.height-1) + l.width*bpp
}
