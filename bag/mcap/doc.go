// SPDX-License-Identifier: Apache-2.0

// Package mcap writes and reads MCAP files (mcap.dev/spec) that survive a power cut.
//
// A [Writer] is given whole chunks of messages, collected in a [Chunk]: each is one write to the file, checksummed
// and followed by its indexes, so a file truncated at any byte loses only the chunk in which it ends. When to finish
// a chunk and when to call Sync is the caller's choice; recordings do both once a second. A write that fails (a full
// disk) leaves the file unchanged.
//
// A [Reader] reads the files of any MCAP writer: with or without chunks, uncompressed, zstd or lz4, with a summary
// or, if that is missing or wrong, by scanning all records. Damage is reported with its position, see [Damage], and
// the rest is read. [Recover] repairs a file, in place if only the end is missing.
//
// The tests compare with Foxglove's Go library. It is not used here because its writer flushes by size only and can't
// continue a file, and because its decoders index with int(uint32), which on the robot's 32-bit processor panics on
// damaged lengths.
package mcap
