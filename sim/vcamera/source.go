// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// buffers is how many frames may be in use at once.
const buffers = 4

// source is the opened camera.
type source struct {
	c    *Camera
	free chan *buffer
	next time.Time // when the next frame is due; zero before the first
	seq  uint32

	once sync.Once
	gone chan struct{} // closed at the end
	why  error         // written before gone is closed
}

var _ camera.Source = (*source)(nil)

// buffer is the memory of a frame.
type buffer struct {
	data    []byte
	lent    atomic.Bool
	release func()
}

func newSource(c *Camera) *source {
	s := &source{c: c, free: make(chan *buffer, buffers), gone: make(chan struct{})}
	for range buffers {
		b := &buffer{data: make([]byte, FrameSize)}
		b.release = func() {
			if b.lent.CompareAndSwap(true, false) {
				s.free <- b // there is capacity for all
			}
		}
		s.free <- b
	}
	return s
}

// end makes Read fail from now on.
func (s *source) end(why error) {
	s.once.Do(func() {
		s.why = why
		close(s.gone)
	})
}

// Close implements camera.Source.
func (s *source) Close() error {
	s.end(camera.ErrClosed)
	s.c.closed(s)
	return nil
}

// Read implements camera.Source: it waits until the next frame is due, then draws it.
func (s *source) Read() (camera.Frame, func(), error) {
	if err := s.await(); err != nil {
		return camera.Frame{}, nil, err
	}
	var b *buffer
	select {
	case b = <-s.free:
	case <-s.gone:
		return camera.Frame{}, nil, s.over()
	}
	damaged, noticed := s.c.count()
	f := camera.Frame{
		Format: camera.YUYV, Width: Width, Height: Height, Stride: Stride,
		Stamp: s.c.cfg.Now(), Sequence: s.seq, Range: yuv.Full,
	}
	s.seq++
	if noticed {
		s.free <- b
		return camera.Frame{}, nil, fmt.Errorf("%w: frame %d is incomplete", camera.ErrFrame, f.Sequence)
	}
	d, _ := develop(s.c.cfg.Viewpoint.Output())
	s.c.draw(b.data, d)
	f.Data = b.data
	if damaged {
		f.Data = f.Data[:len(f.Data)/3]
	}
	b.lent.Store(true)
	return f, b.release, nil
}

// over returns why there are no more frames.
func (s *source) over() error {
	<-s.gone
	return fmt.Errorf("%w: %s", s.why, s.c.cfg.Name)
}

// await waits until a frame is due.
func (s *source) await() error {
	began := s.c.cfg.Now()
	for {
		select {
		case <-s.gone:
			return s.over()
		default:
		}
		_, rate := develop(s.c.cfg.Viewpoint.Output())
		now, silent := s.c.cfg.Now(), rate == 0 || s.c.Faults().Stalled
		if silent {
			rate = FrameRate
		}
		period := time.Duration(float64(time.Second) / rate)
		if s.next.IsZero() || s.next.Sub(now) > period { // the first, or the clock was put back
			s.next = now.Add(period)
		}
		if late := now.Sub(s.next); late >= 0 {
			s.next = s.next.Add(late - late%period + period) // those between were not read
			s.seq += uint32(late / period)
			if !silent {
				return nil
			}
			if waited := now.Sub(began); waited >= s.c.cfg.Timeout {
				return fmt.Errorf("%w: %s sent nothing for %v", camera.ErrTimeout, s.c.cfg.Name, waited.Round(time.Millisecond))
			}
			continue
		}
		s.c.cfg.Wait(s.next.Sub(now), s.gone)
	}
}
