// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package v4l2

import (
	"time"

	"github.com/vladimirvivien/go4vl/v4l2"
	"golang.org/x/sys/unix"
)

func (d *device) request(n int) (got int, err error) {
	err = d.call(func() error {
		var answer v4l2.RequestBuffers
		var err error
		if n == 0 {
			answer, err = v4l2.ResetBuffers(streaming{fd: d.fd})
		} else {
			answer, err = v4l2.InitBuffers(streaming{fd: d.fd, count: uint32(n)})
		}
		got = int(answer.Count)
		return err
	})
	return got, err
}

// mapBuffer does not use go4vl's MapMemoryBuffers: it maps the requested instead of the existing number of buffers, and
// leaks mappings when one fails.
func (d *device) mapBuffer(index int) (data []byte, err error) {
	var b v4l2.Buffer
	err = d.call(func() error {
		var err error
		b, err = v4l2.GetBuffer(streaming{fd: d.fd}, uint32(index))
		return err
	})
	if err != nil {
		return nil, err
	}
	return unix.Mmap(int(d.fd), int64(b.Info.Offset), int(b.Length), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func (d *device) unmap(data []byte) error { return unix.Munmap(data) }

func (d *device) stream(on bool) error {
	return d.call(func() error {
		if on {
			return v4l2.StreamOn(streaming{fd: d.fd})
		}
		return v4l2.StreamOff(streaming{fd: d.fd})
	})
}

func (d *device) queue(index int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.index = uint32(index)
	d.pin.do(d.queueCall)
	return errnoOf(d.err, d.fd)
}

func (d *device) dequeue() (buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pin.do(d.dequeueCall)
	if d.err != nil {
		return buffer{}, errnoOf(d.err, d.fd)
	}
	b := &d.got
	return buffer{
		index: int(b.Index), used: int(b.BytesUsed), sequence: b.Sequence,
		stamp:     time.Duration(b.Timestamp.Nano()),
		monotonic: b.Flags&flagTimestampMask == flagTimestampMonotonic,
		damaged:   b.Flags&flagError != 0,
	}, nil
}
