// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import "golang.org/x/sys/unix"

// Calls that newer processors' kernels do not have.
const (
	sysPoll      = unix.SYS_POLL
	sysSelect    = unix.SYS_SELECT
	sysEpollWait = unix.SYS_EPOLL_WAIT
)
