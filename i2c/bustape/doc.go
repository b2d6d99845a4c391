// SPDX-License-Identifier: Apache-2.0

// Package bustape records what a bus carries to and from one chip, and plays it back as a bus.
//
//	driver ──► Tap ──► bus        tap.Drain ──► AppendBatch ──► a topic, a file
//	driver ◄── Replay ◄── ReadBatch
//
// A [Tap] stands between a driver and its bus. While it is on, it copies each transfer to the chip into a ring
// without waiting for anything; what does not fit is counted, and shows as a gap in the numbers. The driver adds
// which readings it used, and when ([Tap.Used]): with that a [Replay] gives another driver the same readings at the
// same times.
package bustape
