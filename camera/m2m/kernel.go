// SPDX-License-Identifier: Apache-2.0

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

// kernel opens device files. The tests have one of their own.
type kernel interface {
	// nodes lists the video device files in the order of their numbers.
	nodes() []string
	open(path string) (node, error)
}

// node is an open device file. Errors are unix.Errno values. None of its methods may be called after close.
type node interface {
	// ioctl makes a request; arg points to the structure that belongs to it.
	ioctl(request uintptr, arg unsafe.Pointer) error
	mmap(offset int64, length int) ([]byte, error)
	munmap(data []byte) error
	// wait waits for a CAPTURE buffer, an error condition, or wake.
	wait(d time.Duration) (vpoll.Events, error)
	wake()
	close() error
}

// linux is the real kernel.
type linux struct{ dev string }

func (l linux) nodes() []string { return videodev.Nodes(l.dev) }

func (linux) open(path string) (node, error) {
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

func (f *file) ioctl(request uintptr, arg unsafe.Pointer) error {
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

func (f *file) mmap(offset int64, length int) ([]byte, error) {
	return unix.Mmap(f.fd, offset, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func (f *file) munmap(data []byte) error                   { return unix.Munmap(data) }
func (f *file) wait(d time.Duration) (vpoll.Events, error) { return f.poller.Wait(d) }
func (f *file) wake()                                      { f.poller.Wake() }
func (f *file) close() error                               { return errors.Join(f.poller.Close(), unix.Close(f.fd)) }

// find opens the device of that card name or path.
func find(k kernel, want string) (path, card string, n node, err error) {
	failure := &NoDeviceError{Want: want}
	for _, path := range k.nodes() {
		n, err := k.open(path)
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
		if cerr := n.close(); err == nil {
			err = cerr
		}
		if err == nil && (path == want || card == want) {
			failure.Err = errors.New("it is no multi-planar memory-to-memory device")
		}
		failure.Have = append(failure.Have, fmt.Sprintf("%s (%q)", path, card))
	}
	return "", "", nil, failure
}

// identify asks for the card name, and whether the device is of the kind this package drives.
func identify(n node) (card string, usable bool, err error) {
	var c capability
	if err := n.ioctl(vidiocQuerycap, unsafe.Pointer(&c)); err != nil {
		return "", false, err
	}
	caps := c.caps
	if caps&capPerNode != 0 {
		caps = c.node
	}
	name, _, _ := bytes.Cut(c.card[:], []byte{0})
	return string(name), caps&capM2M != 0 && caps&capStreaming != 0, nil
}
