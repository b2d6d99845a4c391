// SPDX-License-Identifier: Apache-2.0

// Package busrecord records the transfers between a bus and one chip, and plays them back as a bus.
//
//	driver ──► Tap ──► bus        tap.Drain ──► AppendBatch ──► a topic, a file
//	driver ◄── Replay ◄── ReadBatch
//
// A [Tap] wraps the driver's bus. While it is on, it copies each transfer with the chip into a ring buffer without
// blocking; dropped events are counted, and appear as a gap in the sequence numbers. The driver adds which readings it
// used, and when ([Tap.Used]): so a [Replay] can provide another driver with the same readings at the same times.
package busrecord
