// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package shm

import (
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// unsupported is the error of everything here: there is no /dev/shm.
func unsupported() error {
	return system.NeedsLinux("shared memory", "large samples are sent over the network")
}

// Area is the shared memory of a participant: none here.
type Area struct{}

// Create returns an error that matches [system.ErrNeedsLinux].
func Create(string, wire.GUIDPrefix, int) (*Area, error) { return nil, unsupported() }

// Open returns an error that matches [system.ErrNeedsLinux].
func (*Area) Open(wire.GUIDPrefix) (*View, error) { return nil, unsupported() }

// Find returns nothing.
func (*Area) Find(Key) (wire.SharedReference, bool) { return wire.SharedReference{}, false }

// Write returns an error that matches [system.ErrNeedsLinux].
func (*Area) Write(Key, []byte) (wire.SharedReference, error) {
	return wire.SharedReference{}, unsupported()
}

// Lend returns an error that matches [system.ErrNeedsLinux].
func (*Area) Lend(int) (*Block, error) { return nil, unsupported() }

// Lent returns nothing.
func (*Area) Lent([]byte) *Block { return nil }

// Publish does nothing: there are no blocks.
func (*Area) Publish(*Block, int, Keeper) {}

// Close does nothing.
func (*Area) Close() error { return nil }

// Block is a payload in the area: none here.
type Block struct{}

// Keeper has published a block and needs its payload.
type Keeper interface{ Evict(*Block) bool }

// Space returns nothing.
func (*Block) Space() []byte { return nil }

// Return does nothing.
func (*Block) Return() {}

// Payload returns nothing.
func (*Block) Payload() []byte { return nil }

// Lost returns false.
func (*Block) Lost() bool { return false }

// Reference returns nothing.
func (*Block) Reference() wire.SharedReference { return wire.SharedReference{} }

// Release does nothing.
func (*Block) Release() {}

// View is the memory of another participant: none here.
type View struct{}

// Read returns dst with an error that matches [system.ErrNeedsLinux].
func (*View) Read(dst []byte, _ wire.SharedReference) ([]byte, error) { return dst, unsupported() }

// Lend returns an error that matches [system.ErrNeedsLinux].
func (*View) Lend(wire.SharedReference) (*Loan, error) { return nil, unsupported() }

// Close does nothing.
func (*View) Close() error { return nil }

// HostID returns an error that matches [system.ErrNeedsLinux].
func HostID(string) (string, error) { return "", unsupported() }

// Loan is the right to read a payload: there is none here.
type Loan struct{}

// Payload returns nothing.
func (*Loan) Payload() []byte { return nil }

// Retain does nothing.
func (*Loan) Retain() {}

// Release does nothing.
func (*Loan) Release() {}
