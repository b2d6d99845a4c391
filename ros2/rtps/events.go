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
		p.noticeSuspension(now)
		next := p.alarms.Run(now)
		p.suspended = false
		clock.Reset(next.Sub(now))
		p.unlock()
	}
}

// suspension is how late an alarm must be to mean that the process did not run: it was stopped.
const suspension = 2 * time.Second

// noticeSuspension is called before anything else after the process may have been suspended. It acts once until the alarms
// have fired: what is written meanwhile was not sent before.
func (p *Participant) noticeSuspension(now time.Time) {
	if !p.suspended && p.alarms.Overdue(now) >= suspension {
		p.suspended = true
		p.wasSuspended()
	}
}

// wasSuspended notes which samples were sent before the process was suspended. Readers acknowledge them about once a
// second, so the last ones are unacknowledged although they were received; and a reader whose lease on us has expired
// since then has lost its state, and would get them twice. Those that were lost on the way are lost for such a reader.
func (p *Participant) wasSuspended() {
	for _, w := range p.userWriters {
		for _, r := range w.readers {
			r.sentBefore = r.next
		}
	}
}

// unlock ends a critical section: it sends the packed datagrams and wakes the delivery goroutine for pending calls.
func (p *Participant) unlock() {
	p.tx.Flush(p.cork.depth == 0)
	p.calls.wake()
	p.mu.Unlock()
}

// Cork combines the writes until Uncork in as few datagrams per destination participant as possible, with one source
// time. Calls may nest. Like Writer.Write it waits only for the participant's mutex, see the package documentation.
func (p *Participant) Cork() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cork.depth++; p.cork.depth == 1 {
		p.cork.setTime(p.alarms)
		p.noticeSuspension(p.cork.time)
	}
}

// Uncork sends the samples written since Cork.
func (p *Participant) Uncork() {
	p.mu.Lock()
	defer p.unlock()
	if p.cork.depth = max(p.cork.depth-1, 0); p.cork.depth == 0 {
		p.cork.send()
	}
}

// rejectedLogPeriod is the minimum time between two log lines about rejected traffic.
const rejectedLogPeriod = 10 * time.Second

// logRejected logs rejected traffic, rate limited because any machine can send it.
func (p *Participant) logRejected(now time.Time, msg string, args ...any) {
	if now.Sub(p.complained) >= rejectedLogPeriod {
		p.complained = now
		p.log.Warn(msg, args...)
	}
}

// Lost returns a channel that is closed when a socket can no longer receive. The participant does not recover from that
// and should be closed. It still sends.
func (p *Participant) Lost() <-chan struct{} { return p.lost }

// Err returns nil until Lost is closed, then the reason, which matches udp.ErrLost.
func (p *Participant) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lostErr
}

// setLost records the loss of a socket; only the first one is kept.
func (p *Participant) setLost(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lostErr != nil || p.closed {
		return
	}
	p.lostErr = err
	p.log.Error("sockets lost", "error", err)
	close(p.lost)
}
