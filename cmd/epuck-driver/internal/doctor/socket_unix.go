// SPDX-License-Identifier: Apache-2.0

//go:build unix

package doctor

// socketHandle converts a file descriptor to the type of package syscall.
func socketHandle(fd uintptr) int { return int(fd) }
