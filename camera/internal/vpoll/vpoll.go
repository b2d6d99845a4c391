// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package vpoll waits for video devices with a deadline, interruptibly.
package vpoll

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// Events is the reason of the end of a wait.
type Events uint8

const (
	Readable Events = 1 << iota // POLLIN: a captured buffer can be dequeued
	Failed                      // POLLERR, POLLHUP: unplugged, or not streaming, or a false alarm
	Woken                       // Wake was called
)

// Poller waits for a file and for Wake. One goroutine at a time waits.
//
// poll(2) on a video device also returns POLLERR when a signal arrives while it waits for the driver's lock
// (vb2_fop_poll, v4l2_m2m_fop_poll: mutex_lock_interruptible), and Go sends signals to its threads all the time. So
// Failed alone proves nothing: after a real failure the attempt to dequeue fails, too.
type Poller struct {
	fds [2]unix.PollFd // the file, an eventfd
}

// New returns a poller of the file.
func New(fd uintptr) (*Poller, error) {
	event, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, err
	}
	return &Poller{fds: [2]unix.PollFd{
		{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(event), Events: unix.POLLIN},
	}}, nil
}

// Wait waits for at most d, after which it returns 0. It does not allocate.
func (p *Poller) Wait(d time.Duration) (Events, error) {
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
		var ev Events
		if p.fds[0].Revents&unix.POLLIN != 0 {
			ev |= Readable
		}
		if p.fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
			ev |= Failed
		}
		if p.fds[1].Revents != 0 {
			ev |= Woken
		}
		return ev, nil
	}
}

// Wake makes every subsequent wait return at once. It may be called from any goroutine.
func (p *Poller) Wake() {
	one := [8]byte{1: 1} // an eventfd accepts any number but 0 and 2⁶⁴−1
	_, err := unix.Write(int(p.fds[1].Fd), one[:])
	_ = err // EAGAIN: the counter is full
}

// Close frees the poller, not the file.
func (p *Poller) Close() error { return unix.Close(int(p.fds[1].Fd)) }
