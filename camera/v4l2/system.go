// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// system is the interface to the operating system. Tests have one whose cameras are unplugged, busy and broken.
type system interface {
	// nodes lists the video device files in the order of their numbers.
	nodes() ([]string, error)
	// links lists the names in /dev/v4l/by-id, by the device file each leads to.
	links() map[string][]string
	// open opens a device file, without waiting. Errors are syscall.Errno values, or [camera.ErrNotBuiltIn].
	open(path string) (node, error)
	// clocks returns the time by CLOCK_MONOTONIC and by the system clock at the same instant.
	clocks() (monotonic time.Duration, system time.Time)
}

// node is an open video device. Methods are named after their ioctl; errors are syscall.Errno values. Only wait blocks.
// They may be called from several goroutines, but none after close.
type node interface {
	capability() (capability, error)
	// format, size and interval enumerate; EINVAL (or ENOTTY: not implemented) ends an enumeration.
	format(index int) (camera.PixelFormat, error)
	size(index int, f camera.PixelFormat) (sizes, error)
	interval(index int, f camera.PixelFormat, width, height int) (intervals, error)
	// setFormat requests a format and returns the driver's result.
	setFormat(f camera.PixelFormat, width, height int) (layout, error)
	// setInterval requests a frame interval and returns the driver's result.
	setInterval(i fraction) (fraction, error)

	// request allocates n buffers (0: frees them) and returns their number.
	request(n int) (int, error)
	// mapBuffer maps a buffer into memory; unmap unmaps it.
	mapBuffer(index int) ([]byte, error)
	unmap(data []byte) error
	queue(index int) error
	// dequeue returns a filled buffer; EAGAIN if there is none.
	dequeue() (buffer, error)
	stream(on bool) error

	// wait waits for a filled buffer, an error condition, or wake. It returns 0 after d.
	wait(d time.Duration) (vpoll.Events, error)
	// wake ends the current or the next wait.
	wake()
	// gone reports whether the device was unplugged.
	gone() bool
	close() error
}

// capability is the result of VIDIOC_QUERYCAP.
type capability struct {
	driver, card, bus string
	caps              uint32 // of this device file, not of the whole device
}

// Capability bits of videodev2.h.
const (
	capVideoCapture = 0x00000001
	capStreaming    = 0x04000000
)

// captures reports whether frames can be read through mapped buffers. The second device file of a UVC camera, for its
// metadata, can't.
func (c capability) captures() bool {
	return c.caps&capVideoCapture != 0 && c.caps&capStreaming != 0
}

// sizes is one entry of VIDIOC_ENUM_FRAMESIZES: a single size when min and max are equal.
type sizes struct {
	minWidth, maxWidth, stepWidth    int
	minHeight, maxHeight, stepHeight int
}

// has reports whether it includes a size.
func (s sizes) has(width, height int) bool {
	return inSteps(width, s.minWidth, s.maxWidth, s.stepWidth) && inSteps(height, s.minHeight, s.maxHeight, s.stepHeight)
}

func inSteps(v, low, high, step int) bool {
	return v >= low && v <= high && (v-low)%max(step, 1) == 0
}

// fraction is a time in seconds, as v4l2_fract.
type fraction struct{ num, den uint32 }

// rate returns the frequency of an interval; 0 if there is none.
func (f fraction) rate() float64 {
	if f.num == 0 || f.den == 0 {
		return 0
	}
	return float64(f.den) / float64(f.num)
}

// intervals is one entry of VIDIOC_ENUM_FRAMEINTERVALS: shortest and longest are equal for a single one.
type intervals struct{ shortest, longest fraction }

// layout is the result of VIDIOC_S_FMT.
type layout struct {
	format        camera.PixelFormat
	width, height int // pixels
	stride        int // bytes from row to row
	image         int // bytes of one frame
	quantization  uint32
	colorspace    uint32
}

// Values of videodev2.h that determine the range of YUV values.
const (
	quantizationDefault = 0
	quantizationFull    = 1
	colorspaceJPEG      = 7
)

// buffer is the result of VIDIOC_DQBUF.
type buffer struct {
	index     int
	used      int // bytes of data in it
	sequence  uint32
	stamp     time.Duration // by CLOCK_MONOTONIC, if monotonic is true
	monotonic bool
	damaged   bool // V4L2_BUF_FLAG_ERROR: the data may be incomplete
}

// Buffer flags of videodev2.h.
const (
	flagError              = 0x00000040
	flagTimestampMask      = 0x0000e000
	flagTimestampMonotonic = 0x00002000
)
