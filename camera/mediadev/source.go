// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"errors"
	"fmt"
	"image"
	"sync"
	"time"

	"github.com/pion/mediadevices/pkg/io/video"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// slots is the number of a source's buffers: four frames held by readers, one unread, one being filled.
const slots = 6

// grace is how long Close waits for the driver's Read before it closes the driver nevertheless.
const grace = time.Second

// source reads a driver on its own goroutine, since the driver's Read can't be interrupted.
type source struct {
	name    string
	reader  video.Reader
	mode    camera.Mode
	timeout time.Duration
	timer   *time.Timer  // of the one goroutine that reads
	release func() error // closes the driver

	news    chan struct{} // a frame, a failure or the end
	closing chan struct{}
	ended   chan struct{} // closed when the goroutine has ended
	once    sync.Once
	err     error // of Close

	mu       sync.Mutex
	slots    [slots]slot
	ready    int // slot of the newest unread frame, −1 if none
	sequence uint32
	failure  error // next error of Read
}

// slot is one frame's memory.
type slot struct {
	data    []byte
	frame   camera.Frame
	used    bool // filled, unread or held by a reader
	release func()
}

func newSource(name string, r video.Reader, mode camera.Mode, timeout time.Duration, release func() error) *source {
	s := &source{
		name: name, reader: r, mode: mode, timeout: timeout, release: release, ready: -1,
		news: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{}),
	}
	s.timer = time.NewTimer(timeout)
	s.timer.Stop()
	for i := range s.slots {
		s.slots[i].release = func() { s.giveBack(i) }
	}
	task.Go("camera source", s.run)
	return s
}

// fromReader returns a reader of mediadevices as an opened camera. Its frames have the size and format of its images,
// which must not change. end, which may be nil, is called once by Close when the reader is no longer used.
func fromReader(r video.Reader, mode camera.Mode, end func() error) camera.Source {
	if end == nil {
		end = func() error { return nil }
	}
	return newSource("video.Reader", r, mode, defaultTimeout, end)
}

func (s *source) run() {
	defer close(s.ended)
	for {
		select {
		case <-s.closing:
			return
		default:
		}
		m, release, err := s.reader.Read()
		if err != nil {
			s.fail(fmt.Errorf("%w: %s: %w", camera.ErrUnplugged, s.name, err))
			return
		}
		s.store(m, time.Now())
		if release != nil {
			release()
		}
	}
}

// store copies an image into a slot, if necessary that of the unread frame. If readers hold all others, the image is
// dropped.
func (s *source) store(m image.Image, now time.Time) {
	s.mu.Lock()
	sequence := s.sequence
	s.sequence++
	i := s.emptyLocked()
	s.mu.Unlock()
	if i < 0 {
		return
	}
	slot := &s.slots[i]
	data, err := pack(slot.data, m, s.mode.Format)
	if b := m.Bounds(); err == nil && (b.Dx() != s.mode.Width || b.Dy() != s.mode.Height) {
		err = fmt.Errorf("%w: image of %d×%d, the mode is %v", camera.ErrFrame, b.Dx(), b.Dy(), s.mode)
	}
	slot.data = data
	slot.frame = camera.Frame{
		Data: data, Format: s.mode.Format, Width: s.mode.Width, Height: s.mode.Height,
		Stride: s.mode.Width * s.mode.Format.BytesPerPixel(), Stamp: now.Round(0), Sequence: sequence,
	}
	s.mu.Lock()
	if err != nil {
		slot.used, s.failure = false, err
	} else {
		if s.ready >= 0 {
			s.slots[s.ready].used = false
		}
		s.ready = i
	}
	s.mu.Unlock()
	s.wake()
}

// emptyLocked returns an empty slot; −1 if there is none.
func (s *source) emptyLocked() int {
	for i := range s.slots {
		if !s.slots[i].used {
			s.slots[i].used = true
			return i
		}
	}
	return -1
}

func (s *source) fail(err error) {
	s.mu.Lock()
	s.failure = err
	s.mu.Unlock()
	s.wake()
}

func (s *source) wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// Read implements [camera.Source].
func (s *source) Read() (camera.Frame, func(), error) {
	s.timer.Reset(s.timeout)
	defer s.timer.Stop()
	for {
		select {
		case <-s.closing:
			return camera.Frame{}, nil, fmt.Errorf("%w: %s", camera.ErrClosed, s.name)
		default:
		}
		if f, release, err := s.next(); release != nil || err != nil {
			return f, release, err
		}
		select {
		case <-s.closing:
		case <-s.news:
		case <-s.timer.C:
			return camera.Frame{}, nil, fmt.Errorf("%w: %s sent nothing for %v", camera.ErrTimeout, s.name, s.timeout)
		}
	}
}

// next returns the unread frame or the failure; neither if there is none.
func (s *source) next() (camera.Frame, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.ready; i >= 0 {
		s.ready = -1
		return s.slots[i].frame, s.slots[i].release, nil
	}
	err := s.failure
	if errors.Is(err, camera.ErrFrame) {
		s.failure = nil // it was about one frame
	}
	return camera.Frame{}, nil, err
}

func (s *source) giveBack(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i != s.ready {
		s.slots[i].used = false
	}
}

// Close implements [camera.Source]. The driver is closed after its Read has returned, or after a second. If Read does
// not return even then, its goroutine is abandoned.
func (s *source) Close() error {
	s.once.Do(func() {
		close(s.closing)
		s.await()
		s.err = s.release()
		s.await()
	})
	return s.err
}

// await waits for the goroutine for at most grace.
func (s *source) await() {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-s.ended:
	case <-timer.C:
	}
}
