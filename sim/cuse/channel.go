// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// channel is an open /dev/cuse: each read gives one message of the kernel, each write takes one answer.
//
// It is not an os.File, whose reads wait in the runtime's epoll instance: a program that opens its own device would add
// the device to that instance, the kernel would ask us meanwhile whether the device is ready, and could not be heard.
type channel struct {
	fd   int
	wake [2]int // a pipe; that something is in it ends all reads

	use    sync.RWMutex // read-locked while fd is in use
	once   sync.Once
	closed chan struct{}
}

// openChannel opens the kernel's side of CUSE.
func openChannel(path string) (*channel, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	switch {
	case err == nil:
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("%w: %s: %w: devices are made by root: use sudo", ErrUnavailable, path, err)
	case errors.Is(err, os.ErrNotExist), errors.Is(err, unix.ENODEV):
		return nil, fmt.Errorf("%w: %s: %w: load the kernel module: sudo modprobe cuse", ErrUnavailable, path, err)
	default:
		return nil, fmt.Errorf("%w: %s: %w", ErrUnavailable, path, err)
	}
	c := &channel{fd: fd, closed: make(chan struct{})}
	if err := unix.Pipe2(c.wake[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrUnavailable, err), unix.Close(fd))
	}
	return c, nil
}

// Read waits for a message. After Close it fails with os.ErrClosed.
func (c *channel) Read(b []byte) (int, error) {
	c.use.RLock()
	defer c.use.RUnlock()
	for {
		if c.isClosed() {
			return 0, os.ErrClosed
		}
		both := []unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}, {Fd: int32(c.wake[0]), Events: unix.POLLIN}}
		if _, err := unix.Poll(both, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return 0, err
		}
		if both[1].Revents != 0 || both[0].Revents == 0 {
			continue
		}
		n, err := unix.Read(c.fd, b)
		if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) {
			continue
		}
		return max(n, 0), err
	}
}

// Write gives the kernel an answer.
func (c *channel) Write(b []byte) (int, error) {
	c.use.RLock()
	defer c.use.RUnlock()
	if c.isClosed() {
		return 0, os.ErrClosed
	}
	n, err := unix.Write(c.fd, b)
	return max(n, 0), err
}

func (c *channel) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// Close ends reads that wait, and the device with them. Closing again fails with os.ErrClosed.
func (c *channel) Close() error {
	err := os.ErrClosed
	c.once.Do(func() {
		close(c.closed)
		_, err = unix.Write(c.wake[1], []byte{0})
		c.use.Lock()
		defer c.use.Unlock()
		err = errors.Join(err, unix.Close(c.fd), unix.Close(c.wake[0]), unix.Close(c.wake[1]))
	})
	return err
}
