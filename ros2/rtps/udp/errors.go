// SPDX-License-Identifier: Apache-2.0

package udp

import "errors"

var (
	// ErrLost means that a socket can no longer receive: the participant is deaf.
	ErrLost = errors.New("rtps: network lost")
	// ErrBusy means that the network cannot take the datagram to this address now (socket send buffer full).
	ErrBusy = errors.New("rtps: network busy")
	// ErrNoInterface means that no usable network interface was found.
	ErrNoInterface = errors.New("rtps: no usable network interface")
	// ErrNoPorts means that no socket could be had: the ports of every participant id are taken, or the system gives
	// none.
	ErrNoPorts = errors.New("rtps: no free participant id")
)
