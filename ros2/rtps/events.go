// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
)

// run is the event goroutine: it fires alarms.
func (p *Participant) run() {
	clock := alarm.NewTimer(p.cfg.Network)
	defer clock.End()
	p.mu.Lock()
	p.alarms.OnPutOff(func(at time.Time) { clock.Reset(time.Until(at)) })
	p.mu.Unlock()
	for {
		select {
		case <-p.done:
			return
		case <-p.alarms.Woken():
		case <-clock.C():
		}
		p.mu.Lock()
		now := time.Now()
		next := p.alarms.Run(now)
		clock.Reset(next.Sub(now))
		p.unlock()
	}
}

// unlock ends a critical section: it sends the packed datagrams and has the delivery goroutine make the pending calls.
func (p *Participant) unlock() {
	p.tx.Flush(p.cork.depth == 0)
	p.calls.wake()
	p.mu.Unlock()
}

// Cork makes the writes until Uncork share datagrams, as few per destination participant as they fit in, and one source
// time. Calls may nest. Like Writer.Write it waits for the participant's mutex only, see the package documentation.
func (p *Participant) Cork() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cork.depth++; p.cork.depth == 1 {
		p.cork.setTime(p.alarms)
	}
}

// Uncork sends what was written since Cork.
func (p *Participant) Uncork() {
	p.mu.Lock()
	defer p.unlock()
	if p.cork.depth = max(p.cork.depth-1, 0); p.cork.depth == 0 {
		p.cork.send()
	}
}

// complainPeriod is the least time between two log lines about rejected traffic.
const complainPeriod = 10 * time.Second

// complain logs rejected traffic, rate limited because any machine can send it.
func (p *Participant) complain(now time.Time, msg string, args ...any) {
	if now.Sub(p.complained) >= complainPeriod {
		p.complained = now
		p.log.Warn(msg, args...)
	}
}

// Lost returns a channel that is closed when a socket can no longer receive. The participant does not recover from that
// and should be closed. What it still sends may arrive.
func (p *Participant) Lost() <-chan struct{} { return p.lost }

// Err returns why Lost is closed, matching udp.ErrLost; nil before.
func (p *Participant) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lostErr
}

// lose records the loss of a socket; only the first one counts.
func (p *Participant) lose(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lostErr != nil || p.closed {
		return
	}
	p.lostErr = err
	p.log.Error("sockets lost", "error", err)
	close(p.lost)
}
