// SPDX-License-Identifier: Apache-2.0

package rtps

// Lost is closed when a socket can no longer receive. The participant then is deaf and does not recover: close it. What
// it still sends may arrive.
func (p *Participant) Lost() <-chan struct{} { return p.lost }

// Err tells why Lost is closed, matching udp.ErrLost; nil before.
func (p *Participant) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lostErr
}

// lose notes that a socket is lost; the first one counts.
func (p *Participant) lose(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lostErr != nil || p.closed {
		return
	}
	p.lostErr = err
	p.log.Error("the network is lost", "error", err)
	close(p.lost)
}
