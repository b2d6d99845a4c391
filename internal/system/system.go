// SPDX-License-Identifier: Apache-2.0

// Package system is what differs between Linux, Windows and macOS and is needed by several packages: locks and
// replacement of files, free space, error numbers, the resources that the process used. What only one package needs
// is in that package, in files named for the systems (_linux.go, _windows.go, _darwin.go, or _other.go for all but
// Linux). TestSystemsAreDistinguishedByFiles of internal/policy forbids other ways.
package system

import (
	"errors"
	"fmt"
	"time"
)

// Errors of this package.
var (
	// ErrNeedsLinux is matched by the errors of what exists on Linux alone. It matches [errors.ErrUnsupported].
	ErrNeedsLinux = fmt.Errorf("needs Linux: %w", errors.ErrUnsupported)
	// ErrLocked means that another process has locked the file.
	ErrLocked = errors.New("the file is locked by another process")
)

// NeedsLinux returns the error of something that only Linux has, with what to do instead. It matches [ErrNeedsLinux].
func NeedsLinux(what, instead string) error {
	return fmt.Errorf("%s %w; %s", what, ErrNeedsLinux, instead)
}

// Usage is what the process has used since its start.
type Usage struct {
	Processor  time.Duration // of all its threads, in user and kernel mode
	PeakMemory uint64        // most resident memory at once, bytes; 0: the system does not report it
}
