// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package v4l2

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Parts that go4vl 0.3.0 lacks or does wrong:
//
//   - waiting (in camera/internal/vpoll): its WaitForRead is a goroutine that wakes ten times a second, does not notice
//     an unplugged camera (select(2) reports an error as readable) and has no deadline;
//   - ENODEV (unplugged) is not distinguished from EIO, ENOMEM and four others: all become one "system error";
//   - ranges of frame intervals: read at the wrong offset, so that the shortest one is lost.
//
// The two structures here have the same layout on all architectures, since all their members have 32 bits.
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

// isGone reports whether the device was unplugged: every ioctl then fails with ENODEV.
func isGone(fd uintptr) bool {
	var c [104]byte
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, ioctlQuerycap, uintptr(unsafe.Pointer(&c)))
	return errno == unix.ENODEV
}
