// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"fmt"
	"time"
)

// maxUDPPayload is the largest possible UDP payload; peers send up to 65,500 bytes.
const maxUDPPayload = 65507

// Messages received per system call: samples arrive in bursts, discovery does not.
const (
	userMessages = 8
	metaMessages = 2
)

// Consecutive receive failures.
const (
	pausedFailures = 10 // after so many, receive pauses between two …
	failurePause   = 10 * time.Millisecond
	fatalFailures  = 300 // … and after so many, about 3 s, the socket is lost
)

// failed is called after a number of consecutive receive failures. It pauses, or returns the error of a lost socket.
func (s *socket) failed(failures int, err error) error {
	switch {
	case failures >= fatalFailures:
		return fmt.Errorf("%w: %d consecutive receive failures on %v: %w", ErrLost, failures, s.local, err)
	case failures > pausedFailures: // to limit the load
		<-time.After(failurePause)
	}
	return nil
}
