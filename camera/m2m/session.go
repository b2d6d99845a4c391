// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// session is a running device: pictures in, results out, in the same order. One goroutine submits, another receives.
type session struct {
	node    File
	path    string
	card    string
	timeout time.Duration
	out     queue // used by the submitter
	in      queue // CAPTURE; used by the receiver
	free    []int // free OUTPUT buffers; the submitter's
	next    int64 // number of the next picture; the submitter's

	receiving sync.Mutex // held while waiting for a result, so that Close does not free the memory in use
	sending   sync.Mutex // likewise

	early result // result of a later picture, dequeued while waiting for an earlier one; the receiver's

	mu     sync.Mutex
	change sync.Cond // of flight and closed
	flight []ticket  // submitted and not received, earliest first
	depth  int
	closed bool
}

// ticket is a picture in flight.
type ticket struct {
	number int64
	since  time.Time
}

// start configures a device: formats, memory, streams.
func start(k Files, o options, want string, out, in pixFormat) (*session, error) {
	path, card, n, err := find(k, want)
	if err != nil {
		return nil, err
	}
	s := &session{
		node: n, path: path, card: card, timeout: o.Timeout, next: 1,
		out: queue{node: n, kind: queueOutput}, in: queue{node: n, kind: queueCapture},
	}
	s.change.L = &s.mu
	if err := s.prepare(o.Depth, out, in); err != nil {
		return nil, errors.Join(fmt.Errorf("m2m: %s (%s): %w", path, card, err), s.tearDown())
	}
	return s, nil
}

// prepare performs the requests in the required order.
func (s *session) prepare(depth int, out, in pixFormat) error {
	if err := s.out.setFormat(out); err != nil {
		return err
	}
	if err := s.in.setFormat(in); err != nil {
		return err
	}
	for _, q := range []*queue{&s.out, &s.in} {
		err := q.allocate(depth)
		if errors.Is(err, unix.ENOMEM) && depth > 1 && len(q.mem) == 0 {
			err = q.allocate(1) // the GPU's memory (CMA) is shared: one buffer is slower, but works
		}
		if err != nil {
			return err
		}
	}
	s.depth = min(len(s.out.mem), len(s.in.mem), depth)
	for i := range s.out.mem {
		s.free = append(s.free, i)
	}
	for i := range s.in.mem {
		if err := s.in.put(i, 0, 0); err != nil {
			return err
		}
	}
	if err := s.out.stream(true); err != nil {
		return err
	}
	return s.in.stream(true)
}

// submit copies a picture into a buffer and queues it for the GPU. It does not wait.
func (s *session) submit(data []byte, stride, row, rows int) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	s.mu.Lock()
	closed, full := s.closed, len(s.flight) >= s.depth
	s.mu.Unlock()
	switch {
	case closed:
		return s.closedError()
	case full:
		return fmt.Errorf("%w: %d pictures in %s", camera.ErrBusy, s.depth, s.card)
	}
	if err := s.reclaim(); err != nil {
		return err
	}
	if len(s.free) == 0 { // the result was returned, but the driver still has the picture
		return fmt.Errorf("%w: no buffer free in %s", camera.ErrBusy, s.card)
	}
	i := s.free[len(s.free)-1]
	copyRows(s.out.mem[i], int(s.out.pix.planes[0].stride), data, stride, row, rows)

	// The ticket is stored first: the result may arrive before the request returns.
	number := s.next
	s.mu.Lock()
	s.flight = append(s.flight, ticket{number, time.Now()})
	s.mu.Unlock()
	if err := s.out.put(i, int(s.out.pix.planes[0].sizeImage), number); err != nil {
		s.mu.Lock()
		s.flight = s.flight[:len(s.flight)-1]
		s.mu.Unlock()
		return s.failure(err)
	}
	s.next++
	s.free = s.free[:len(s.free)-1]
	s.change.Broadcast()
	return nil
}

// reclaim dequeues the OUTPUT buffers that the GPU has read.
func (s *session) reclaim() error {
	for len(s.free) < len(s.out.mem) {
		i, err := s.out.dequeue()
		if errors.Is(err, unix.EAGAIN) {
			return nil
		}
		if err != nil {
			return s.failure(err)
		}
		if slices.Contains(s.free, i) {
			return fmt.Errorf("%w: OUTPUT buffer %d was returned twice", errDriver, i)
		}
		s.free = append(s.free, i)
	}
	return nil
}

// copyRows copies rows of row bytes between pictures of different strides, at once if the strides are equal.
func copyRows(dst []byte, dstStride int, src []byte, srcStride, row, rows int) {
	if dstStride == srcStride && len(src) >= srcStride*rows {
		copy(dst, src[:srcStride*rows])
		return
	}
	for y := range rows {
		copy(dst[y*dstStride:y*dstStride+row], src[y*srcStride:])
	}
}

// control sets a control of the device.
func (s *session) control(id uint32, value int) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return s.closedError()
	}
	c := control{id: id, value: int32(value)}
	if err := s.node.Ioctl(vidiocSCtrl, unsafe.Pointer(&c)); err != nil {
		return s.failure(fmt.Errorf("S_CTRL %#x = %d: %w", id, value, err))
	}
	return nil
}

// close ends the session: waiting calls return ErrClosed, pictures in flight are dropped, and the memory is freed.
func (s *session) close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.change.Broadcast()
	s.node.Wake()
	s.receiving.Lock()
	defer s.receiving.Unlock()
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.tearDown()
}

// tearDown frees both queues and closes the file. For an unplugged device only the mappings are freed.
func (s *session) tearDown() error {
	err := errors.Join(s.in.free(), s.out.free())
	if errors.Is(err, unix.ENODEV) {
		err = nil
	}
	if err = errors.Join(err, s.node.Close()); err != nil {
		return fmt.Errorf("m2m: close %s: %w", s.path, err)
	}
	return nil
}

func (s *session) closedError() error { return fmt.Errorf("%w: %s", camera.ErrClosed, s.card) }

func (s *session) failure(err error) error {
	return fmt.Errorf("m2m: %s (%s): %w", s.path, s.card, err)
}

// name returns the name for the log: "GPU (bcm2835-codec-isp, /dev/video12)".
func (s *session) name() string { return fmt.Sprintf("GPU (%s, %s)", s.card, s.path) }
