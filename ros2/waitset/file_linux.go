// SPDX-License-Identifier: Apache-2.0

package waitset

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// File waits until a file descriptor is readable or writable (poll(2)): a serial port, a socket, a GPIO event, an
// eventfd. It does not own the descriptor, which must stay open until Close has returned. It is created by [NewFile].
type File struct {
	notifier
	fd     int32
	events int16
	ready  atomic.Int32  // revents of poll
	again  chan struct{} // holds a token when the program has taken what was ready
	done   chan struct{} // closed by Close
	stop   int           // an eventfd that ends poll
	once   sync.Once
	worker task.Group
}

// NewFile waits for a descriptor. The error is [ErrDirection], or that of the system, which may have no descriptors
// left.
func NewFile(fd uintptr, d Direction) (*File, error) {
	f := &File{fd: int32(fd), again: make(chan struct{}, 1), done: make(chan struct{})}
	if d&Readable != 0 {
		f.events |= unix.POLLIN
	}
	if d&Writable != 0 {
		f.events |= unix.POLLOUT
	}
	if f.events == 0 {
		return nil, ErrDirection
	}
	var err error
	if f.stop, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("eventfd", err)
	}
	f.worker.Go("file of a wait set", f.poll)
	return f, nil
}

// Ready implements [Condition].
func (f *File) Ready() bool { return f.ready.Load() != 0 }

// Take reports what the descriptor was ready for since the last call, and waits for it anew; read or write first. The
// error is [os.ErrClosed] if the descriptor is not open, or says that the other end has gone (POLLERR, POLLHUP) when
// there is nothing to read.
func (f *File) Take() (Direction, error) {
	events := int16(f.ready.Swap(0))
	if events == 0 {
		return 0, nil
	}
	var d Direction
	if events&unix.POLLIN != 0 {
		d |= Readable
	}
	if events&unix.POLLOUT != 0 {
		d |= Writable
	}
	switch {
	case events&unix.POLLNVAL != 0:
		return 0, fmt.Errorf("file descriptor %d: %w", f.fd, os.ErrClosed)
	case d == 0:
		return 0, fmt.Errorf("file descriptor %d: poll: events %#x: %w", f.fd, events, unix.EPIPE)
	}
	select {
	case f.again <- struct{}{}:
	default:
	}
	return d, nil
}

// poll waits for the descriptor, and after each time that it is ready for Take.
func (f *File) poll() {
	fds := []unix.PollFd{{Fd: f.fd, Events: f.events}, {Fd: int32(f.stop), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(fds, -1); err != nil {
			if errors.Is(err, unix.EINTR) {
				continue
			}
			return // EINVAL or ENOMEM: of two descriptors neither occurs
		}
		if fds[1].Revents != 0 {
			return
		}
		f.ready.Store(int32(fds[0].Revents))
		f.notify()
		select {
		case <-f.again:
		case <-f.done:
			return
		}
	}
}

// Close stops waiting for the descriptor, which it does not close. Closing twice is harmless.
func (f *File) Close() (err error) {
	f.once.Do(func() {
		close(f.done)
		if _, werr := unix.Write(f.stop, []byte{1, 0, 0, 0, 0, 0, 0, 0}); werr != nil {
			err = os.NewSyscallError("write of an eventfd", werr)
			return
		}
		f.worker.Wait()
		err = unix.Close(f.stop)
	})
	return err
}
