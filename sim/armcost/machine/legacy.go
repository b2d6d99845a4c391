// SPDX-License-Identifier: Apache-2.0

//go:build linux && !amd64

package machine

// Calls that this processor's kernel does not have.
const (
	sysPoll      = -1 - iota
	sysSelect    = -1 - iota
	sysEpollWait = -1 - iota
)
