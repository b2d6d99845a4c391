// SPDX-License-Identifier: Apache-2.0

// Package device starts register chips on an I2C bus, detects when they are lost and starts them again, without
// blocking.
//
// The bus of the robot has one owner goroutine, which polls every chip on it in one schedule, and the wheels'
// processor is one of them. A driver that sleeps until its chip is ready, or keeps retrying a dead chip, delays the
// wheels. So a chip here is a state machine: each [Chip.Poll] makes at most a few transactions (TestBudget), and a
// failed transaction is the last one of its Poll: a chip that blocks the bus until the adapter's time-out does so
// once, not three times. The caller provides the time.
//
//	          Poll, every RetryInterval            bring-up done
//	[Absent] ---------------------------> [Starting] ------------> [Running]
//	    ^                                     |  ^                    |  |
//	    +-------------------------------------+  +--------------------+  |
//	    |            identity, bus, time-out      restarted, frozen      |
//	    +----------------------------------------------------------------+
//	                      no answer several times in a row
//
// All packages of chips are built on it, and the battery's, which reads files. A chip without a start-up is detected
// by one step: its first measurement. Each device embeds the [Resource] of its chip, which implements State, Stats,
// Present, Next, String and Halt.
package device
