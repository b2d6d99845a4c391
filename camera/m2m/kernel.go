// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"bytes"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera/internal/videodev"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// Files opens device files: those of the kernel, or of a simulated GPU in tests.
type Files interface {
	// Nodes lists the video device files in the order of their numbers.
	Nodes() []string
	Open(path string) (File, error)
}

// File is an open device file. Errors are unix.Errno values. None of its methods may be called after Close.
type File interface {
	// Ioctl performs a request of linux/videodev2.h; arg points to its structure.
	Ioctl(request uintptr, arg unsafe.Pointer) error
	Mmap(offset int64, length int) ([]byte, error)
	Munmap(data []byte) error
	// Wait waits for a CAPTURE buffer, an error condition, or Wake.
	Wait(d time.Duration) (Events, error)
	Wake()
	Close() error
}

// Events are the reasons why a wait ended.
type Events = vpoll.Events

// The events.
const (
	Readable = vpoll.Readable // a CAPTURE buffer can be dequeued
	failed   = vpoll.Failed   // an error condition, which may be a false alarm
	Woken    = vpoll.Woken    // Wake was called
)

// linux is the real kernel.
type linux struct{ dev string }

func (l linux) Nodes() []string { return videodev.Nodes(l.dev) }

func (linux) Open(path string) (File, error) {
	for {
		fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p, err := vpoll.New(uintptr(fd))
		if err != nil {
			return nil, errors.Join(err, unix.Close(fd))
		}
		return &file{fd: fd, poller: p}, nil
	}
}

// file is a node of the real kernel.
type file struct {
	fd     int
	poller *vpoll.Poller
}

func (f *file) Ioctl(request uintptr, arg unsafe.Pointer) error {
	for {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(f.fd), request, uintptr(arg))
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}

func (f *file) Mmap(offset int64, length int) ([]byte, error) {
	return unix.Mmap(f.fd, offset, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func (f *file) Munmap(data []byte) error                   { return unix.Munmap(data) }
func (f *file) Wait(d time.Duration) (vpoll.Events, error) { return f.poller.Wait(d) }
func (f *file) Wake()                                      { f.poller.Wake() }
func (f *file) Close() error                               { return errors.Join(f.poller.Close(), unix.Close(f.fd)) }

// find opens the device with that card name or path.
func find(k Files, want string) (path, card string, n File, err error) {
	failure := &noDeviceError{Want: want}
	for _, path := range k.Nodes() {
		n, err := k.Open(path)
		if err != nil {
			failure.Have = append(failure.Have, fmt.Sprintf("%s (%v)", path, err))
			if path == want {
				failure.Err = err
			}
			continue
		}
		card, usable, err := identify(n)
		if err == nil && usable && (path == want || card == want) {
			return path, card, n, nil
		}
		if cerr := n.Close(); err == nil {
			err = cerr
		}
		if err == nil && (path == want || card == want) {
			failure.Err = errors.New("not a multi-planar memory-to-memory device")
		}
		failure.Have = append(failure.Have, fmt.Sprintf("%s (%q)", path, card))
	}
	return "", "", nil, failure
}

// identify reads the card name, and checks the kind of device.
func identify(n File) (card string, usable bool, err error) {
	var c capability
	if err := n.Ioctl(vidiocQuerycap, unsafe.Pointer(&c)); err != nil {
		return "", false, err
	}
	caps := c.caps
	if caps&capPerNode != 0 {
		caps = c.node
	}
	name, _, _ := bytes.Cut(c.card[:], []byte{0})
	return string(name), caps&capM2M != 0 && caps&capStreaming != 0, nil
}
