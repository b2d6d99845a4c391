// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Kind is the reason of a failed transaction, as far as Linux reports it.
type Kind uint8

// The reasons, after the kernel's Documentation/i2c/fault-codes.
const (
	// KindNone is no error.
	KindNone Kind = iota
	// KindNAK is an address or byte that was not acknowledged: ENXIO, EREMOTEIO. The robot is off, or its firmware was
	// busy.
	KindNAK
	// KindTimeout is a transfer that did not end in time: ETIMEDOUT. Typical when the device stretches the clock.
	KindTimeout
	// KindArbitration is a bus that was busy or lost to another master: EAGAIN, EBUSY. Two masters on one bus; the
	// standard e-puck2 firmware is one.
	KindArbitration
	// KindIO is any other failure on the wire: EIO, EPROTO, EBADMSG, EOVERFLOW, EINTR.
	KindIO
	// KindGone is a bus that no longer exists or cannot be used: ENODEV, ENOENT, EBADF, EACCES, EPERM, ESHUTDOWN,
	// ENOTCONN and ECONNABORTED (of a bus that a program provides), [ErrClosed], [ErrNoBus]. Trying again does not
	// help.
	KindGone
	// KindOther is an error that does not come from the bus.
	KindOther
	// NumKinds is the number of kinds, for tables indexed by one.
	NumKinds
)

var kindNames = [NumKinds]string{
	"none", "not acknowledged", "time-out", "arbitration lost", "I/O error", "bus gone", "other",
}

// String returns the reason in words.
func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return "unknown"
}

// Temporary reports whether the same transaction may succeed when it is repeated at once.
func (k Kind) Temporary() bool {
	return k != KindNone && k != KindGone
}

// KindOf classifies the error of a transaction by the error number it wraps.
func KindOf(err error) Kind {
	if err == nil {
		return KindNone
	}
	if errors.Is(err, ErrClosed) || errors.Is(err, ErrNoBus) || errors.Is(err, fs.ErrClosed) {
		return KindGone
	}
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return KindOther
	}
	switch errno {
	case syscall.ENXIO, system.EREMOTEIO:
		return KindNAK
	case syscall.ETIMEDOUT:
		return KindTimeout
	case syscall.EAGAIN, syscall.EBUSY:
		return KindArbitration
	case syscall.EIO, syscall.EPROTO, syscall.EBADMSG, syscall.EOVERFLOW, syscall.EINTR:
		return KindIO
	case syscall.ENODEV, syscall.ENOENT, syscall.EBADF, syscall.EACCES, syscall.EPERM,
		syscall.ESHUTDOWN, syscall.ENOTCONN, syscall.ECONNABORTED:
		return KindGone
	}
	return KindOther
}
