// SPDX-License-Identifier: Apache-2.0

//go:build unix

package doctor

// socketHandle is a socket as the functions of package syscall take it.
func socketHandle(fd uintptr) int { return int(fd) }
