// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// queue is one of a device's two queues of buffers. One goroutine at a time uses it.
type queue struct {
	node File
	kind uint32 // queueOutput or queueCapture
	pix  pixFormat
	mem  [][]byte // the mapped buffers
	on   bool     // streaming

	// The structures of the current request. They are reused, so that a picture costs no allocation.
	buf   buffer
	plane plane
}

func (q *queue) String() string {
	if q.kind == queueOutput {
		return "OUTPUT"
	}
	return "CAPTURE"
}

// setFormat requests a format and keeps the driver's result.
func (q *queue) setFormat(want pixFormat) error {
	want.numPlanes, want.field = 1, fieldNone
	f := format{queue: q.kind, pix: want}
	if err := q.node.Ioctl(vidiocSFmt, unsafe.Pointer(&f)); err != nil {
		return fmt.Errorf("S_FMT %v: %w", q, err)
	}
	got := f.pix
	switch {
	case got.fourcc != want.fourcc:
		return fmt.Errorf("%w: %v of %v; it offers %v", errFormat, q, fourCC(want.fourcc), fourCC(got.fourcc))
	case got.width != want.width || got.height < want.height:
		return fmt.Errorf("%w: %v of %d×%d; it offers %d×%d", errFormat, q, want.width, want.height, got.width, got.height)
	case got.numPlanes != 1:
		return fmt.Errorf("%w: %v with %d planes", errFormat, q, got.numPlanes)
	}
	q.pix = got
	return nil
}

// allocate allocates n buffers, or fewer, and maps them. After an error, free frees those allocated so far.
func (q *queue) allocate(n int) error {
	r := requestBuffers{count: uint32(n), queue: q.kind, memory: memoryMapped}
	if err := q.node.Ioctl(vidiocReqbufs, unsafe.Pointer(&r)); err != nil {
		return fmt.Errorf("REQBUFS %v of %d × %d bytes: %w", q, n, q.pix.planes[0].sizeImage, err)
	}
	if r.count < 1 || r.count > maxBuffers {
		return fmt.Errorf("%w: REQBUFS %v returned %d buffers", errDriver, q, r.count)
	}
	for i := range r.count {
		q.prepare(i)
		if err := q.node.Ioctl(vidiocQuerybuf, unsafe.Pointer(&q.buf)); err != nil {
			return fmt.Errorf("QUERYBUF %v %d: %w", q, i, err)
		}
		length := int(q.plane.length)
		if uint32(length) < q.pix.planes[0].sizeImage {
			return fmt.Errorf("%w: %v buffer of %d bytes for pictures of %d", errDriver, q, length, q.pix.planes[0].sizeImage)
		}
		data, err := q.node.Mmap(int64(uint32(q.plane.place)), length)
		if err != nil {
			return fmt.Errorf("map %v %d: %w", q, i, err)
		}
		q.mem = append(q.mem, data)
	}
	return nil
}

// prepare fills the request's structures for a buffer.
func (q *queue) prepare(index uint32) {
	q.plane = plane{}
	q.buf = buffer{index: index, queue: q.kind, memory: memoryMapped, field: fieldNone, planes: &q.plane, length: 1}
}

// put queues a buffer with used bytes of data for the GPU and a number that is returned with the result.
func (q *queue) put(index, used int, number int64) error {
	q.prepare(uint32(index))
	q.plane.used, q.plane.length = uint32(used), uint32(len(q.mem[index]))
	q.buf.time = timeOf(number)
	if err := q.node.Ioctl(vidiocQbuf, unsafe.Pointer(&q.buf)); err != nil {
		return fmt.Errorf("QBUF %v %d: %w", q, index, err)
	}
	return nil
}

// dequeue returns a buffer that the GPU has finished; EAGAIN if there is none.
func (q *queue) dequeue() (index int, err error) {
	q.prepare(0)
	if err := q.node.Ioctl(vidiocDqbuf, unsafe.Pointer(&q.buf)); err != nil {
		if errors.Is(err, unix.EAGAIN) {
			return 0, err
		}
		return 0, fmt.Errorf("DQBUF %v: %w", q, err)
	}
	if q.buf.index >= uint32(len(q.mem)) {
		return 0, fmt.Errorf("%w: DQBUF %v returned buffer %d of %d", errDriver, q, q.buf.index, len(q.mem))
	}
	return int(q.buf.index), nil
}

// data returns the contents of the buffer dequeued last, and its number. ok is false if the GPU marked it as damaged,
// or its length is invalid.
func (q *queue) data() (data []byte, number int64, ok bool) {
	mem := q.mem[q.buf.index]
	begin, end := uint64(q.plane.begin), uint64(q.plane.used)
	if begin > end || end > uint64(len(mem)) {
		return nil, numberOf(q.buf.time), false
	}
	return mem[begin:end], numberOf(q.buf.time), q.buf.flags&flagError == 0
}

func (q *queue) stream(on bool) error {
	request, name := uintptr(vidiocStreamon), "STREAMON"
	if !on {
		request, name = vidiocStreamoff, "STREAMOFF"
	}
	kind := q.kind
	if err := q.node.Ioctl(request, unsafe.Pointer(&kind)); err != nil {
		return fmt.Errorf("%s %v: %w", name, q, err)
	}
	q.on = on
	return nil
}

// free stops the queue and frees its memory. It continues after errors.
func (q *queue) free() error {
	var errs []error
	if q.on {
		errs = append(errs, q.stream(false))
	}
	for _, m := range q.mem {
		errs = append(errs, q.node.Munmap(m))
	}
	q.mem = nil
	r := requestBuffers{queue: q.kind, memory: memoryMapped}
	if err := q.node.Ioctl(vidiocReqbufs, unsafe.Pointer(&r)); err != nil {
		errs = append(errs, fmt.Errorf("REQBUFS %v of 0: %w", q, err))
	}
	return errors.Join(errs...)
}

// A picture's number is passed as its time stamp, which the device copies from OUTPUT to CAPTURE, in microseconds.
func timeOf(number int64) unix.Timeval { return unix.NsecToTimeval(number * 1000) }

func numberOf(t unix.Timeval) int64 { return t.Nano() / 1000 }
