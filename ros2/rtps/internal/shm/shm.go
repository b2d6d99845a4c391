// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// DefaultFolder is where Linux mounts a tmpfs for shared memory (shm_overview(7)).
const DefaultFolder = "/dev/shm"

// ErrSize means that a payload is too large for the area.
var ErrSize = errors.New("shm: the payload is too large for the area")

// ErrFull means that the blocks in use leave no space for another one.
var ErrFull = errors.New("shm: all space is in use")

// ErrDamaged means that the file was truncated by another program: what was in it is lost.
var ErrDamaged = errors.New("shm: the file was truncated by another program")

// Key identifies a payload in the area.
type Key struct {
	Writer  wire.EntityID
	SN      wire.SequenceNumber
	Variant int
}
