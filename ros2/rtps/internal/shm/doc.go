// SPDX-License-Identifier: Apache-2.0

// Package shm passes large payloads between the processes of one user on one machine through files in shared memory
// (tmpfs, /dev/shm).
//
// A participant that sends owns an [Area]: one file, a ring of blocks that only it writes. The DATA on the network has
// a [wire.SharedReference]: where the block is and what it must contain. A receiver opens the file as a [View] and
// copies the block. The owner overwrites the oldest blocks; a receiver that is too late finds another block, or another
// checksum, and drops the reference, which the protocol of reliable samples repairs as any other loss.
//
// A payload is copied once on each side. Memory is allocated before it is written, and a fault while a file is read,
// which its owner may truncate, is an error. Each file is locked (flock(2)) by its owner, so that those of
// killed processes are recognized and removed. Only the same user can open them.
package shm
