// SPDX-License-Identifier: Apache-2.0

package system

import (
	"os/exec"
	"syscall"
)

// EREMOTEIO is the error number of a transfer that the device did not acknowledge.
const EREMOTEIO = syscall.EREMOTEIO

// rssUnit is the unit of ru_maxrss, bytes.
const rssUnit = 1024

// EndWithParent has the kernel kill a program that is to be started when the thread that starts it ends, and so when
// this process does, however it ends. The caller locks its goroutine to the thread until the program has ended.
func EndWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
