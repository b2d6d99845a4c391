// SPDX-License-Identifier: Apache-2.0

//go:build linux

package udp

import (
	"errors"
	"net/netip"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// openFiles counts the file descriptors of this process.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestFailedPairClosesBothSockets: if the second socket of a pair cannot be opened the first is closed, whatever the
// reason.
func TestFailedPairClosesBothSockets(t *testing.T) {
	for _, reason := range []error{unix.EADDRINUSE, unix.EMFILE, errors.New("no buffer")} {
		s := &systemSockets{cfg: Config{DomainID: 231, LocalhostOnly: true}}
		opened := 0
		s.listen = func(local netip.AddrPort, messages int) (*socket, error) {
			if messages == userMessages {
				return nil, reason
			}
			opened++
			return s.listenUDP(local, messages)
		}
		before := openFiles(t)
		if err := s.listenUnicast(); !errors.Is(err, ErrNoPorts) || !errors.Is(err, reason) {
			t.Errorf("%v: error %v", reason, err)
		}
		if opened == 0 {
			t.Errorf("%v: no first socket was opened", reason)
		}
		if after := openFiles(t); after != before {
			t.Errorf("%v: %d files are open, before %d", reason, after, before)
		}
	}
}
