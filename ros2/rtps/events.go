// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"
)

// run is the event goroutine: it fires alarms.
func (p *Participant) run() {
	timer := newTimer(p.cfg.Network)
	defer timer.end()
	p.mu.Lock()
	p.alarms.putOff = func(at time.Time) { timer.Reset(time.Until(at)) }
	p.mu.Unlock()
	for {
		select {
		case <-p.done:
			return
		case <-p.alarms.wake:
		case <-timer.C():
		}
		p.mu.Lock()
		now := time.Now()
		next := p.alarms.run(now)
		timer.Reset(next.Sub(now))
		p.unlock()
	}
}

// unlock ends a critical section: what is packed is sent, and calls that became due are made by the delivering
// goroutine.
func (p *Participant) unlock() {
	p.tx.flush(p.corked == 0)
	p.handOver()
	p.mu.Unlock()
}

// Cork makes the writes until Uncork share datagrams, one for each destination participant as far as they fit, and one
// source time. Calls may nest. Like Writer.Write it waits for the participant's mutex alone, see the package
// documentation.
func (p *Participant) Cork() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.corked++; p.corked == 1 {
		p.corkTime = time.Now()
	}
}

// Uncork sends what was written since Cork.
func (p *Participant) Uncork() {
	p.mu.Lock()
	defer p.unlock()
	p.corked = max(p.corked-1, 0)
}

// writeTime returns the source time of a sample written now.
func (p *Participant) writeTime() time.Time {
	if p.corked > 0 {
		return p.corkTime
	}
	return time.Now()
}

// complainPeriod is the least time between two log lines about refused traffic.
const complainPeriod = 10 * time.Second

// complain logs refused traffic, rarely: any machine can send it.
func (p *Participant) complain(now time.Time, msg string, args ...any) {
	if now.Sub(p.complained) >= complainPeriod {
		p.complained = now
		p.log.Warn(msg, args...)
	}
}

// sweep gives up samples in assembly that had no news for long.
func (p *Participant) sweep(now time.Time) {
	for _, list := range p.sources {
		for _, w := range list {
			w.asm.sweep(now)
		}
	}
}
