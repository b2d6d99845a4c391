// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"fmt"
	"syscall"
)

// allocate requests the buffers from the driver, maps and queues them.
func (s *source) allocate(n int) error {
	got, err := s.node.request(n)
	if err != nil {
		return err
	}
	if got < 1 || got > maxBuffers {
		return fmt.Errorf("%w: %d buffers requested, %d allocated", errDriver, n, got)
	}
	s.slots = make([]slot, got)
	for i := range s.slots {
		data, err := s.node.mapBuffer(i)
		if err != nil {
			return fmt.Errorf("map buffer %d of %d: %w", i, got, err)
		}
		s.slots[i].data = data
		s.slots[i].release = func() { s.giveBack(i) }
		if len(data) < s.layout.need() {
			return fmt.Errorf("%w: buffer of %d bytes for frames of %d", errDriver, len(data), s.layout.need())
		}
		if err := s.node.queue(i); err != nil {
			return fmt.Errorf("queue buffer %d of %d: %w", i, got, err)
		}
	}
	return nil
}

// free frees the buffers. Those held by readers stay mapped until they are released; none is queued any more.
func (s *source) free() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = true
	var errs []error
	held := 0
	for i := range s.slots {
		if s.slots[i].held {
			held++
			continue
		}
		errs = append(errs, s.unmapLocked(i))
	}
	// Mappings keep the device file open, so without this a reader that holds a frame would block the camera for
	// others. Kernels before 4.20 refuse while a buffer is mapped (EBUSY): there the camera is free when the last one
	// is released.
	_, err := s.node.request(0)
	if err != nil && !s.node.gone() && (held == 0 || !errors.Is(err, syscall.EBUSY)) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (s *source) unmapLocked(i int) error {
	data := s.slots[i].data
	if data == nil {
		return nil
	}
	s.slots[i].data = nil
	return s.node.unmap(data)
}

// giveBack queues a buffer released by a reader or, after Close, unmaps it. It may be called more than once.
func (s *source) giveBack(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.slots[i].held {
		return
	}
	s.slots[i].held = false
	if s.shut {
		if err := s.unmapLocked(i); err != nil {
			s.logger.Debug("unmap buffer", "device", s.info.Path, "error", err)
		}
		return
	}
	if err := s.node.queue(i); err != nil {
		// The stream has ended or the camera was unplugged; the next Read reports it. Close frees the memory.
		s.logger.Debug("queue buffer", "device", s.info.Path, "error", err)
	}
}

func (s *source) heldCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for i := range s.slots {
		if s.slots[i].held {
			n++
		}
	}
	return n
}

// Close implements [camera.Source].
func (s *source) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.node.wake()
	s.reading.Lock() // wait for Read; the next one finds the source closed
	defer s.reading.Unlock()

	err := s.node.stream(false)
	if err != nil && s.node.gone() {
		err = nil
	}
	err = errors.Join(err, s.free(), s.node.close())
	s.logger.Debug("camera closed", "device", s.info.Path, "stats", s.Stats())
	return during("close", s.info.Path, err)
}
