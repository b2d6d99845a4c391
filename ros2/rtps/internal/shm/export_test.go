// SPDX-License-Identifier: Apache-2.0

//go:build linux

package shm

import (
	"encoding/binary"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Errors that tests look for.
var (
	ErrOverwritten = errOverwritten
	ErrForeign     = errForeign
	ErrLent        = errLent
)

// MaxLoans is the limit of loans.
const MaxLoans = maxLoans

// FirstReference returns the reference to the first block of an area.
func FirstReference(v *View) (wire.SharedReference, error) {
	b := v.mapping.mem[tableSize:]
	ref := wire.SharedReference{Offset: tableSize, Number: binary.LittleEndian.Uint64(b[8:]), Length: binary.LittleEndian.Uint32(b[4:])}
	return ref, v.check(ref)
}
