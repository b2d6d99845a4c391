// SPDX-License-Identifier: Apache-2.0

package doctor

import "syscall"

// socketHandle converts a file descriptor to the type of package syscall.
func socketHandle(fd uintptr) syscall.Handle { return syscall.Handle(fd) }
