// SPDX-License-Identifier: Apache-2.0

package task

import "syscall"

// Watched has the runtime's monitor thread look at what the goroutine does from here on. That thread takes the
// processor from a goroutine that computes endlessly, on the robot the only one, so that others run within some ten
// milliseconds. It sleeps while the program does, and who is woken by a file descriptor and makes no system call that
// the runtime knows of, does not wake it. So who saves that call (TestComputingIsInterrupted) calls Watched before
// code that it does not know.
func Watched() {
	_, _, _ = syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) // not what syscall.Getpid makes: the runtime does not see it
}
