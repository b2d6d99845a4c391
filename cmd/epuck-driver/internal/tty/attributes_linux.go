// SPDX-License-Identifier: Apache-2.0

package tty

import "golang.org/x/sys/unix"

// The requests that read and set a terminal's attributes.
const (
	getAttributes = unix.TCGETS
	setAttributes = unix.TCSETS
)
