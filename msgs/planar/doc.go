// SPDX-License-Identifier: Apache-2.0

// Package planar reads poses of messages for programs whose robots move in a plane. A pose is used whole or refused: a
// rotation must be a rotation, and what it does outside of the plane must be small enough to have no effect there.
//
// Limits are those of tf2 where it has some: BufferCore refuses quaternions whose length differs from 1 by more than
// 0.01, and those that are not finite.
package planar
