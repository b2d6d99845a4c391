// SPDX-License-Identifier: Apache-2.0

// Package timerfd holds timers of the Linux kernel (timerfd_create(2)) that wake a program once, when it is time.
//
// A timer of Go's runtime costs more on a program that mostly sleeps. The runtime waits for network and timers with
// epoll, whose time-out it rounds down to milliseconds: so it wakes up to a millisecond early, finds nothing due, and
// waits once more. Its monitor thread sleeps until the next timer, too, and gets up with it. And a timer that was put
// off still wakes it at the time before. A timer of the kernel is a file descriptor that becomes readable: one wake-up,
// none if it was put off, and the monitor thread sleeps on.
//
// That thread is also what takes the processor from a goroutine that computes endlessly, and as long as it sleeps none
// does. It gets up for every system call that may wait, and for the runtime's timers, but not when a timer of this
// package fires. So these are for those who make such a call themselves each time, as the wheels' loop does with its
// transfer, or who call task.Watched before code that they do not know, as the network does. A program that has these
// keeps a timer of the runtime, too: epuck-driver run has one a second.
//
// Elsewhere than on Linux a timer is one of the runtime.
package timerfd
