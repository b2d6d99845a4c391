// SPDX-License-Identifier: Apache-2.0

package v4l2

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// system is the interface to the machine. The tests have one whose cameras are unplugged, busy and broken.
type system interface {
	// nodes lists the video device files in the order of their numbers.
	nodes() ([]string, error)
	// links lists the names in /dev/v4l/by-id, by the device file each leads to.
	links() map[string][]string
	// open opens a device file, without waiting. Errors are syscall.Errno values, or [camera.ErrNotBuiltIn].
	open(path string) (node, error)
	// clocks gives the time by CLOCK_MONOTONIC and by the system clock at the same instant.
	clocks() (monotonic time.Duration, system time.Time)
}

// node is an open video device. Methods are named after the ioctl they are; errors are syscall.Errno values. All but
// wait are short. They may be called from several goroutines, but none after close.
type node interface {
	capability() (capability, error)
	// format, size and interval enumerate; EINVAL (or ENOTTY: not implemented) ends an enumeration.
	format(index int) (camera.PixelFormat, error)
	size(index int, f camera.PixelFormat) (sizes, error)
	interval(index int, f camera.PixelFormat, width, height int) (intervals, error)
	// setFormat asks for a format and returns what the driver made of it.
	setFormat(f camera.PixelFormat, width, height int) (layout, error)
	// setInterval asks for a frame interval and returns what the driver made of it.
	setInterval(i fraction) (fraction, error)

	// request allocates n buffers (0: frees them) and returns how many there are.
	request(n int) (int, error)
	// mapBuffer maps the buffer into memory; unmap ends that.
	mapBuffer(index int) ([]byte, error)
	unmap(data []byte) error
	queue(index int) error
	// dequeue gives a filled buffer; EAGAIN when there is none.
	dequeue() (buffer, error)
	stream(on bool) error

	// wait waits for a filled buffer, an error condition, or wake. It returns 0 after d.
	wait(d time.Duration) (vpoll.Events, error)
	// wake ends a wait, the present one or the next.
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

// has reports whether the size is one of them.
func (s sizes) has(width, height int) bool {
	return inSteps(width, s.minWidth, s.maxWidth, s.stepWidth) && inSteps(height, s.minHeight, s.maxHeight, s.stepHeight)
}

func inSteps(v, low, high, step int) bool {
	return v >= low && v <= high && (v-low)%max(step, 1) == 0
}

// fraction is a time in seconds, as v4l2_fract.
type fraction struct{ num, den uint32 }

// rate is the frequency to an interval, 0 if there is none.
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
	stamp     time.Duration // by CLOCK_MONOTONIC, if monotonic
	monotonic bool
	damaged   bool // V4L2_BUF_FLAG_ERROR: the data may be incomplete
}

// Buffer flags of videodev2.h.
const (
	flagError              = 0x00000040
	flagTimestampMask      = 0x0000e000
	flagTimestampMonotonic = 0x00002000
)
