// SPDX-License-Identifier: Apache-2.0

// Package shm passes large payloads between the processes of one user on one machine through files in shared memory
// (tmpfs, /dev/shm).
//
// A participant that sends owns an [Area]: one file, a ring of blocks that only it writes. What travels over the network
// is a [wire.SharedReference]: where the block is and what it must contain. A receiver opens the file as a [View] and
// copies the block. The owner does not wait for receivers: it overwrites the oldest blocks, and a receiver that comes
// too late finds another block, or bytes with another checksum, and drops the reference; the protocol of reliable
// samples then repairs it as any other loss.
//
// A payload is copied once on each side. Memory is allocated before it is written, and a fault while a file is read,
// which its owner may truncate, is an error. Each file is locked (flock(2)) by its owner, so that those of
// killed processes are recognized and removed. Only the same user can open them.
package shm
