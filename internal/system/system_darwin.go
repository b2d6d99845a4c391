// SPDX-License-Identifier: Apache-2.0

package system

import (
	"os/exec"
	"syscall"
)

// EREMOTEIO is the error number of a transfer that the device did not acknowledge: Linux' number plus 2²⁰, since macOS
// has no such error. Simulated buses return it.
const EREMOTEIO = syscall.Errno(1<<20 + 121)

// rssUnit is the unit of ru_maxrss, bytes.
const rssUnit = 1

// EndWithParent does nothing: macOS has no such request.
func EndWithParent(*exec.Cmd) {}
