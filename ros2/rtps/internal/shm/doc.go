// SPDX-License-Identifier: Apache-2.0

// Package shm passes large payloads between the processes of one user on one machine through files in shared memory
// (tmpfs, /dev/shm).
//
// A participant owns an [Area]: one file, a ring of blocks that only it writes. The DATA on the network has a
// [wire.SharedReference]: where the block is and which number it has. A receiver opens the file as a [View] and copies
// the payload, or borrows it as a [Loan]. The owner overwrites the oldest blocks; a receiver that is too late finds
// another number, and drops the reference, which the protocol of reliable samples repairs as any other loss.
//
// A receiver writes nothing in the file of another participant, which it maps for reading. Its own file begins with a
// table of pins: the blocks of others that it is reading. The owner of a block reads the tables of all receivers before
// it overwrites the block, and uses other memory if one has pinned it. Both sides write before they read: the receiver
// pins the block and then checks its number, the owner invalidates the number and then reads the pins (Dekker's
// algorithm, 1965; TestEveryOrderOfPinsAndWrites). So neither waits for the other, and there is no lock.
//
// A payload is copied once on each side, or not at all: [Area.Lend] lends the memory of a block for encoding, and
// [View.Lend] a payload for reading. A receiver has at most a quarter of an area, and 63 payloads in all, on loan. Each
// file is locked (flock(2)) by its owner as long as it has loans, so that those of killed processes are recognized and
// removed, and their pins ignored. Memory is allocated before it is written, and a fault while a file is opened, copied
// or pinned, which its owner may truncate, is an error; one in a loan ends the program. Only the same user can open the
// files.
package shm
