// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package v4l2

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// What go4vl 0.3.0 does not have, or not right, and is done here instead:
//
//   - waiting: its WaitForRead is a goroutine that wakes ten times a second, does not notice an unplugged camera
//     (select(2) calls an error "readable") and can't wait with a deadline;
//   - telling ENODEV (unplugged) from EIO, ENOMEM and four others: all become one "system error";
//   - ranges of frame intervals: read at the wrong place, so that the shortest one is lost.
//
// The two structures here have the same layout on all architectures, since all their members are 32 bits wide.
const (
	ioctlQuerycap           = 0x80685600 // VIDIOC_QUERYCAP, struct v4l2_capability of 104 bytes
	ioctlEnumFrameIntervals = 0xC034564B // VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum of 52 bytes
)

const intervalDiscrete = 1 // V4L2_FRMIVAL_TYPE_DISCRETE

// frmivalenum is struct v4l2_frmivalenum:
//
//	     0        4        8       12       16      20 … 43       44 … 51
//	+--------+--------+--------+--------+--------+---------------+----------+
//	| index  | fourcc | width  | height | type   | one fraction, | reserved |
//	|        |        |        |        |        | or min, max,  |          |
//	|        |        |        |        |        | step          |          |
//	+--------+--------+--------+--------+--------+---------------+----------+
type frmivalenum struct {
	index, format, width, height, kind uint32
	fractions                          [3]fraction
	_                                  [2]uint32
}

func enumInterval(fd uintptr, index int, f camera.PixelFormat, width, height int) (intervals, error) {
	v := frmivalenum{index: uint32(index), format: uint32(f), width: uint32(width), height: uint32(height)}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, ioctlEnumFrameIntervals, uintptr(unsafe.Pointer(&v)))
	if errno != 0 {
		return intervals{}, errno
	}
	if v.kind == intervalDiscrete {
		return intervals{v.fractions[0], v.fractions[0]}, nil
	}
	return intervals{shortest: v.fractions[0], longest: v.fractions[1]}, nil
}

// isGone reports whether the kernel has taken the device away: every ioctl then fails with ENODEV.
func isGone(fd uintptr) bool {
	var c [104]byte
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, ioctlQuerycap, uintptr(unsafe.Pointer(&c)))
	return errno == unix.ENODEV
}

// poller waits for a device and for a wake-up call. One goroutine at a time waits.
type poller struct {
	fds [2]unix.PollFd // the device, an eventfd
}

func newPoller(fd uintptr) (*poller, error) {
	event, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, err
	}
	return &poller{fds: [2]unix.PollFd{
		{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(event), Events: unix.POLLIN},
	}}, nil
}

func (p *poller) wait(d time.Duration) (events, error) {
	deadline := time.Now().Add(d)
	for {
		ms := max(0, (time.Until(deadline)+time.Millisecond-1)/time.Millisecond)
		n, err := unix.Poll(p.fds[:], int(ms))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			return 0, err
		}
		var ev events
		if p.fds[0].Revents&unix.POLLIN != 0 {
			ev |= readable
		}
		if p.fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
			ev |= failed
		}
		if p.fds[1].Revents != 0 {
			ev |= woken
		}
		return ev, nil
	}
}

// wake makes every wait from now on return at once.
func (p *poller) wake() {
	one := [8]byte{1: 1} // an eventfd takes any number but 0 and 2⁶⁴−1
	_, err := unix.Write(int(p.fds[1].Fd), one[:])
	_ = err // EAGAIN: it has been woken 2⁶⁴ times already
}

func (p *poller) close() error { return unix.Close(int(p.fds[1].Fd)) }
