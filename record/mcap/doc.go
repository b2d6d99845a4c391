// SPDX-License-Identifier: Apache-2.0

// Package mcap writes and reads MCAP files (mcap.dev/spec) that survive a power cut.
//
// A [Writer] is given whole chunks of messages, collected in a [Chunk]: each is one write to the file, checksummed and
// followed by its indexes, so a file that ends at any byte loses the chunk it ends in and nothing before. When to cut a
// chunk and when to call Sync is the caller's choice; recordings do both once a second. A write that fails (a full
// disk) leaves the file as it was before.
//
// A [Reader] reads what any writer of MCAP made: with or without chunks, uncompressed, zstd or lz4, with a summary or,
// when that is missing or wrong, by looking at every record. What is broken is told with its position, see [Damage],
// and the rest is read. [Recover] makes a whole file of a broken one, in place where only the end is missing.
//
// Foxglove's Go library is what the tests compare with. It is not used here because its writer flushes by size alone
// and can't continue a file, and because its decoders index with int(uint32), which on the robot's 32-bit processor
// panics on damaged lengths.
package mcap
