// SPDX-License-Identifier: Apache-2.0

// Package wheels is the control loop of the wheels: it exchanges a command for a reading at a fixed rate, ends a motion
// after the timeout of its command, and stops the wheels at the end.
//
//	Drive, lights, melody ──► atomics ──► Loop ◄──► bus
//	                                       │ └─ heartbeat ──► guard ──► bus, opened once more
//	                      Latest ◄── slot ─┤
//	                      Events ◄── queue ─┘
//
// The robot has no motor watchdog: it keeps the last speed until it gets another. So the loop's goroutine waits for the
// bus, its timer and new commands only. It does not log or publish, takes no lock that another goroutine holds while it
// waits, and does not allocate while the bus works. Readings are passed in a slot that holds the latest one, events in
// a bounded queue that counts what it drops. Their readers may be late or absent.
//
// # Guard
//
// A second goroutine monitors the loop. If the loop hangs, for instance in a transfer in the kernel, the guard stops
// the wheels through its own bus and reports it, repeatedly until the loop runs again.
package wheels
