// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
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

// Resume writes samples as a process does that was not run for long and whose event goroutine has not run since.
func Resume(w *Writer, payloads ...[]byte) (err error) {
	p := w.p
	p.mu.Lock()
	defer p.unlock()
	p.alarms.Set(&alarm.Alarm{Fire: func(time.Time) {}}, time.Now().Add(-suspension))
	for _, payload := range payloads {
		err = errors.Join(err, w.writeLocked(func(c *history.Change) { c.SetPayload(payload) }, len(payload)))
	}
	return err
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
