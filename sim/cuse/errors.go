// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Errors of this package. Test for them with errors.Is.
var (
	// ErrUnavailable is matched when the kernel offers no CUSE here; the error says how to get it.
	ErrUnavailable = errors.New("cuse: devices cannot be made here")
	// errExists is matched when the machine has a device of that name already.
	errExists = errors.New("cuse: the device exists already")
	// errProtocol is matched when the kernel says something that this package does not understand.
	errProtocol = errors.New("cuse: unexpected message of the kernel")
	// errConfig is matched when a device cannot be as it was asked for.
	errConfig = errors.New("cuse: impossible device")
)

// errRetry asks the kernel to call again with more of the program's memory.
var errRetry = errors.New("cuse: more memory wanted")

// errnoOf is what a program gets for the failure of a bus: its error number, ENODEV for a bus that was closed, EIO for
// what says nothing.
func errnoOf(err error) syscall.Errno {
	var no syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &no) && no > 0 && no < maxErrno:
		return no
	case errors.Is(err, fs.ErrClosed), errors.Is(err, os.ErrClosed):
		return syscall.ENODEV
	}
	return syscall.EIO
}
