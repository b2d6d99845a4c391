// SPDX-License-Identifier: Apache-2.0

// Package count validates the counts of reliability submessages.
package count

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Filter validates the counts of ACKNACK, NACK_FRAG, HEARTBEAT and HEARTBEAT_FRAG, which must rise (DDSI-RTPS
// 8.3.5.10, 8.4.15.7). The zero value accepts any first count.
type Filter struct {
	last wire.Count
	at   time.Time // when the last count was accepted, zero before the first
}

// Timeout is how long after the last accepted count a lower one is rejected. A peer whose lease on us expired, or that
// was reset, counts from 0 again, and a forged or damaged count may be higher than all that follow: then the lower
// counts are the right ones. A duplicate delayed for longer than this is harmless, since the next message repeats its
// content. Cyclone DDS has the same rule and duration (accept_ack_or_hb_w_timeout).
const Timeout = 500 * time.Millisecond

// Accept reports whether a message with count c, received at now, should be handled.
func (f *Filter) Accept(c wire.Count, now time.Time) bool {
	if !f.at.IsZero() && !c.NewerThan(f.last) && now.Sub(f.at) < Timeout {
		return false
	}
	f.last, f.at = c, now
	return true
}
