// SPDX-License-Identifier: Apache-2.0

package udp

import "errors"

var (
	// ErrLost means that a socket can no longer receive.
	ErrLost = errors.New("rtps: network lost")
	// ErrBusy means that the network cannot accept a datagram to this address now (socket send buffer full).
	ErrBusy = errors.New("rtps: network busy")
	// errNoInterface means that no usable network interface was found.
	errNoInterface = errors.New("rtps: no usable network interface")
	// ErrNoPorts means that no socket could be opened: the ports of every participant id are in use, or the system
	// returned an error.
	ErrNoPorts = errors.New("rtps: no free participant id")
)
