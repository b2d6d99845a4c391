// SPDX-License-Identifier: Apache-2.0

// Package device brings register chips up on an I2C bus, notices when they are lost and brings them up again, without
// ever waiting.
//
// The bus of the robot has one owner goroutine, which polls every chip on it in one schedule, and the wheels' processor
// is one of them. A driver that sleeps until its chip is ready, or that insists on a chip that has died, delays the
// wheels. So a chip here is a state machine: each [Chip.Poll] makes at most a few transactions (TestBudget), and a
// transaction that fails is the last one of its Poll: a chip that holds the bus until the adapter's time-out does that
// once, not three times. The time is the caller's.
//
//	          Poll, every RetryInterval            bring-up done
//	[Absent] ---------------------------> [Starting] ------------> [Running]
//	    ^                                     |  ^                    |  |
//	    +-------------------------------------+  +--------------------+  |
//	    |            identity, bus, time-out      restarted, frozen      |
//	    +----------------------------------------------------------------+
//	                      no answer several times in a row
//
// All packages of chips are built on it, and the battery's, which reads files. A chip that needs no bring-up is looked
// for by one step: its first measurement. Each device embeds the [Resource] of its chip, so that State, Stats, Present,
// Next, String and Halt are written here, once.
package device
