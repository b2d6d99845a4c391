// SPDX-License-Identifier: Apache-2.0

package doctor

import "syscall"

// socketHandle is a socket as the functions of package syscall take it.
func socketHandle(fd uintptr) syscall.Handle { return syscall.Handle(fd) }
