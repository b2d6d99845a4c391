// SPDX-License-Identifier: Apache-2.0

// Package wheels holds the hand that stops the robot: a loop that exchanges a command for a reading at a fixed rate,
// ends a motion that is too old, and halts the wheels at the end. It does nothing else.
//
//	Drive, lights, melody ──► atomics ──► Loop ◄──► bus
//	                                       │ └─ heartbeat ──► guard ──► bus, opened once more
//	                      Latest ◄── slot ─┤
//	                      Words ◄── queue ─┘
//
// The robot has no motor watchdog: it keeps the last speed for ever. So the loop's goroutine waits for the bus, for its
// timer and for a wish, and for nothing else. It writes no log, publishes nothing, takes no lock that another goroutine
// can hold while it waits, and allocates nothing while the bus works. Readings leave by a slot that holds the latest
// one, what has happened by a bounded queue that drops and counts. Both are read by others, who may come late or not at
// all.
//
// # Guard
//
// A second goroutine watches whether the first comes round. If it does not, because a transfer hangs in the kernel for
// instance, the guard stops the wheels through a bus of its own and says so, again and again until the first is back.
package wheels
