// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package waitset

import "github.com/epuck-ros2/epuck-driver/internal/system"

// File waits until a file descriptor is readable or writable. That needs Linux: elsewhere there is none.
type File struct{ notifier }

// NewFile returns an error that matches [system.ErrNeedsLinux].
func NewFile(_ uintptr, d Direction) (*File, error) {
	if d&(Readable|Writable) == 0 {
		return nil, ErrDirection
	}
	return nil, system.NeedsLinux("waiting for a file descriptor", "read it in a goroutine that triggers a GuardCondition")
}

// Ready implements [Condition].
func (*File) Ready() bool { return false }

// Take reports what the descriptor was ready for: nothing.
func (*File) Take() (Direction, error) { return 0, nil }

// Close stops waiting.
func (*File) Close() error { return nil }
