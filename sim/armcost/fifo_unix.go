// SPDX-License-Identifier: Apache-2.0

//go:build unix

package armcost

import "syscall"

// makeFIFO creates a named pipe for this user.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }
