// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package udp

import (
	"errors"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFailedPairClosesBothSockets: if the second socket of a pair cannot be opened the first is closed, whatever the
// reason.
func TestFailedPairClosesBothSockets(t *testing.T) {
	for _, reason := range []error{unix.EADDRINUSE, unix.EMFILE, errors.New("no buffer")} {
		s := &systemSockets{cfg: Config{DomainID: 231, LocalhostOnly: true}}
		var opened []*socket
		s.listen = func(local netip.AddrPort, messages int) (*socket, error) {
			if messages == userMessages {
				return nil, reason
			}
			if len(opened) == 20 { // the other ports are in use
				return nil, errAddressInUse
			}
			first, err := s.listenUDP(local, messages)
			if err == nil {
				opened = append(opened, first)
			}
			return first, err
		}
		if err := s.listenUnicast(); !errors.Is(err, ErrNoPorts) || !errors.Is(err, reason) {
			t.Errorf("%v: error %v", reason, err)
		}
		if len(opened) == 0 {
			t.Errorf("%v: no first socket was opened", reason)
		}
		allClosed(t, opened)
	}
}
