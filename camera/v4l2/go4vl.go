// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package v4l2

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/vladimirvivien/go4vl/v4l2"
	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// builtIn returns an error if this program can't capture.
func builtIn() error { return nil }

// device is a node whose ioctls are go4vl's. mu serialises the calls.
type device struct {
	fd     uintptr
	pin    *pinned
	poller *vpoll.Poller

	mu sync.Mutex
	// Arguments and results of the two calls for every frame, allocated once.
	dequeueCall, queueCall func()
	index                  uint32
	got                    v4l2.Buffer
	err                    error
}

func openNode(path string) (node, error) {
	fd, err := v4l2.OpenDevice(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, errnoOf(err, 0)
	}
	p, err := vpoll.New(fd)
	if err != nil {
		return nil, errors.Join(err, v4l2.CloseDevice(fd))
	}
	d := &device{fd: fd, pin: newPinned(), poller: p}
	d.dequeueCall = func() { d.got, d.err = v4l2.DequeueBuffer(d.fd, v4l2.IOTypeMMAP, v4l2.BufTypeVideoCapture) }
	d.queueCall = func() { _, d.err = v4l2.QueueBuffer(d.fd, v4l2.IOTypeMMAP, v4l2.BufTypeVideoCapture, d.index) }
	return d, nil
}

// call runs a function of go4vl on the pinned stack, and converts its error back to a syscall.Errno.
func (d *device) call(f func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	d.pin.do(func() { err = f() })
	return errnoOf(err, d.fd)
}

func (d *device) capability() (c capability, err error) {
	err = d.call(func() error {
		got, err := v4l2.GetCapability(d.fd)
		c = capability{driver: got.Driver, card: got.Card, bus: got.BusInfo, caps: got.GetCapabilities()}
		return err
	})
	return c, err
}

func (d *device) format(index int) (f camera.PixelFormat, err error) {
	err = d.call(func() error {
		got, err := v4l2.GetFormatDescription(d.fd, uint32(index))
		f = camera.PixelFormat(got.PixelFormat)
		return err
	})
	return f, err
}

func (d *device) size(index int, f camera.PixelFormat) (s sizes, err error) {
	err = d.call(func() error {
		got, err := v4l2.GetFormatFrameSize(d.fd, uint32(index), uint32(f))
		z := got.Size
		s = sizes{
			int(z.MinWidth), int(z.MaxWidth), int(z.StepWidth), int(z.MinHeight), int(z.MaxHeight), int(z.StepHeight),
		}
		return err
	})
	return s, err
}

func (d *device) interval(index int, f camera.PixelFormat, width, height int) (intervals, error) {
	return enumInterval(d.fd, index, f, width, height)
}

func (d *device) setFormat(f camera.PixelFormat, width, height int) (l layout, err error) {
	err = d.call(func() error {
		// The rest of the structure stays 0: go4vl's has an additional member, which shifts all following ones.
		want := v4l2.PixFormat{PixelFormat: uint32(f), Width: uint32(width), Height: uint32(height)}
		if err := v4l2.SetPixFormat(d.fd, want); err != nil {
			return err
		}
		got, err := v4l2.GetPixFormat(d.fd)
		l = layout{
			format: camera.PixelFormat(got.PixelFormat), width: int(got.Width), height: int(got.Height),
			stride: int(got.BytesPerLine), image: int(got.SizeImage),
			quantization: got.Quantization, colorspace: got.Colorspace,
		}
		return err
	})
	return l, err
}

func (d *device) setInterval(i fraction) (got fraction, err error) {
	err = d.call(func() error {
		var p v4l2.StreamParam
		p.Capture.TimePerFrame = v4l2.Fract{Numerator: i.num, Denominator: i.den}
		if err := v4l2.SetStreamParam(d.fd, v4l2.BufTypeVideoCapture, p); err != nil {
			return err
		}
		p, err := v4l2.GetStreamParam(d.fd, v4l2.BufTypeVideoCapture)
		got = fraction{p.Capture.TimePerFrame.Numerator, p.Capture.TimePerFrame.Denominator}
		return err
	})
	return got, err
}

func (d *device) wait(t time.Duration) (vpoll.Events, error) { return d.poller.Wait(t) }
func (d *device) wake()                                      { d.poller.Wake() }
func (d *device) gone() bool                                 { return isGone(d.fd) }

func (d *device) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pin.stop()
	return errors.Join(d.poller.Close(), v4l2.CloseDevice(d.fd))
}

// errnoOf reverses go4vl's mapping of error numbers. Of its system errors only ENODEV can be recovered.
func errnoOf(err error, fd uintptr) error {
	if err == nil {
		return nil // before errno is allocated
	}
	var errno unix.Errno
	switch {
	case errors.As(err, &errno):
		return errno
	case errors.Is(err, v4l2.ErrorBadArgument):
		return unix.EINVAL
	case errors.Is(err, v4l2.ErrorUnsupported):
		return unix.ENOTTY
	case errors.Is(err, v4l2.ErrorSystem) && isGone(fd):
		return unix.ENODEV
	default:
		return fmt.Errorf("%w (%w)", unix.EIO, err)
	}
}

// streaming is a device for go4vl, which only calls Fd, BufferType, MemIOType and BufferCount.
type streaming struct {
	v4l2.StreamingDevice
	fd    uintptr
	count uint32
}

func (s streaming) Fd() uintptr            { return s.fd }
func (streaming) BufferType() v4l2.BufType { return v4l2.BufTypeVideoCapture }
func (streaming) MemIOType() v4l2.IOType   { return v4l2.IOTypeMMAP }
func (s streaming) BufferCount() uint32    { return s.count }
