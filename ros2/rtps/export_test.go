// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// Alarms returns the number of a participant's pending alarms.
func Alarms(p *Participant) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.alarms.Len()
}

// Receive passes a datagram to a participant as if a socket had received it from this machine.
func Receive(p *Participant, datagram []byte) {
	p.receive(datagram, netip.AddrPortFrom(udp.Loopback(), 7411), udp.UserTraffic)
}

// Suspend makes a participant believe that its process did not run for long until now.
func Suspend(p *Participant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wasSuspended()
}

// CloseViews makes a participant unable to read the shared memory of others.
func CloseViews(p *Participant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.remotes {
		r.shared.close()
	}
}

// Held counts the samples that a corked participant has not sent yet.
func Held(p *Participant) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.cork.held)
}
