// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// receive handles a member's message. It does not block.
func (l *Leader) receive(text string) {
	m, err := wire.Decode(text)
	if err != nil {
		return // of another version, or not from a member
	}
	l.mu.Lock()
	answer := l.handleLocked(m)
	l.changed.Broadcast()
	l.mu.Unlock()
	if answer != nil {
		l.send(answer)
	}
}

// handleLocked handles a message and returns the response, if any.
func (l *Leader) handleLocked(m *wire.Message) *wire.Message {
	refuse := func(format string, args ...any) *wire.Message {
		return &wire.Message{Kind: wire.Refuse, Member: m.Member, Session: m.Session, Text: fmt.Sprintf(format, args...)}
	}
	p := l.memberLocked(m.Member)
	switch {
	case m.Kind == wire.Hello && p == nil:
		return refuse("%s is not one of the members", m.Member)
	case m.Kind == wire.Hello && l.err != nil && p.session != m.Session:
		return nil // it may find another leader
	case m.Kind == wire.Hello && l.err != nil:
		return &wire.Message{Kind: wire.End, Member: p.name, Session: p.session}
	case m.Kind == wire.Hello && p.session == m.Session && !p.gone:
		return l.welcomeLocked(p, m)
	case m.Kind == wire.Hello && p.takenLocked(m.Session):
		return refuse("there is already a member %s", p.name)
	case m.Kind == wire.Hello && !l.begun:
		l.forgetLocked(p)
		*p = peer{name: p.name, session: m.Session}
		return l.welcomeLocked(p, m)
	case m.Kind == wire.Hello:
		l.departLocked(p, lineJoinedAgain)
		p.successor, p.heard = m, time.Now()
		return nil // its welcome is sent between two steps
	case p == nil || m.Leader == "":
		return nil
	case m.Leader != l.session || m.Session != p.session || p.gone:
		if m.Kind == wire.Leave {
			return nil
		}
		return refuse("the run continues without this process: restart it")
	}
	p.heard = time.Now()
	switch m.Kind {
	case wire.Leave:
		l.departLocked(p, lineLeft)
		l.lineLocked(p, lineLeft)
	case wire.Done:
		l.doneLocked(p, m)
	case wire.Alive:
		p.endpoints, p.waits = m.Endpoints, m.Waits
		if m.Number == p.number && p.doing == nil {
			p.held, p.next, p.came = m.Held, m.Next, m.Came
		}
	}
	return nil
}

func (l *Leader) memberLocked(name string) *peer {
	for _, p := range l.members {
		if p.name == name {
			return p
		}
	}
	return nil
}

// takenLocked reports whether another process has joined with the name, or is about to.
func (p *peer) takenLocked(session string) bool {
	other := p.present() || p.successor != nil && p.successor.Session != session
	return other && time.Since(p.heard) < 2*aliveInterval
}

// departLocked marks a member as gone.
func (l *Leader) departLocked(p *peer, became string) {
	if !l.begun { // it had not joined
		*p = peer{name: p.name}
		return
	}
	if p.present() {
		p.became = became
	}
	p.gone, p.doing = true, nil
	l.forgetLocked(p)
}

// joinLocked makes a new process replace a member that is gone.
func (l *Leader) joinLocked(p *peer) {
	m := p.successor
	*p = peer{name: p.name, session: m.Session}
	l.rejections = append(l.rejections, l.welcomeLocked(p, m))
}

// welcomeLocked records the content of a hello and returns the welcome.
func (l *Leader) welcomeLocked(p *peer, m *wire.Message) *wire.Message {
	p.heard, p.endpoints, p.own = time.Now(), m.Endpoints, m.Own
	if p.number == 0 {
		p.next, p.came = m.Next, m.Came
	}
	at, start := wireTag(l.now), secondsOf(l.c.beginning())
	return &wire.Message{Kind: wire.Welcome, Member: p.name, Session: p.session, At: &at, Start: &start}
}

// forgetLocked drops the scheduled deliveries of a member that is gone.
func (l *Leader) forgetLocked(p *peer) {
	var rest []mail
	for _, m := range l.mail {
		if m.to < 0 || l.members[m.to] != p {
			rest = append(rest, m)
		}
	}
	l.mail = rest
}

// lineLocked adds a line about a member to the record at the next step.
func (l *Leader) lineLocked(p *peer, what string) {
	if l.err == nil && l.begun {
		source := ros2.CallbackSource{Node: ros2.NodeName{Namespace: "/", Name: p.name}, Name: what}
		l.lines = append(l.lines, Run{Source: source, Process: p.name, Outside: true})
	}
}

// doneLocked records the result of a grant.
func (l *Leader) doneLocked(p *peer, m *wire.Message) {
	if p.doing == nil || m.Number != p.number {
		return // repeated
	}
	p.doing, p.answer, p.ran = nil, m, m.Number
	p.next, p.came, p.held, p.waits = m.Next, m.Came, m.Held, nil
	if m.Endpoints != nil {
		p.endpoints = m.Endpoints
	}
}

// watch repeats unanswered grants and checks for silent members.
func (l *Leader) watch() {
	ticks := time.NewTicker(repeatInterval)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
		case <-l.done:
			return
		}
		for _, m := range l.check() {
			l.send(m)
		}
	}
}

// check returns the messages to repeat, and checks for lost members.
func (l *Leader) check() (again []*wire.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.members {
		if p.present() && time.Since(p.heard) >= l.silence() && l.cfg.Lost != LostWaits {
			if l.cfg.Lost == LostEnds {
				l.failLocked(fmt.Errorf("%w: %s has been silent for %v", ErrLost, p.name, l.silence()))
			}
			l.departLocked(p, lineLost)
			l.lineLocked(p, lineLost)
			l.changed.Broadcast()
		}
		if p.doing != nil {
			m := *p.doing
			again = append(again, &m)
		}
	}
	return again
}

// silence returns how long a member may be silent: the limit, but at least twice the period of its messages.
func (l *Leader) silence() time.Duration { return max(l.c.cfg.Limit, 2*aliveInterval) }

// Waits describes what the run has been waiting for longer than the limit: callbacks of the leader's process and of
// members, silent members, and before the start members and endpoints.
func (l *Leader) Waits() []string {
	all := l.c.Waits()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.members {
		age := time.Since(p.heard)
		switch {
		case p.session == "":
			all = append(all, fmt.Sprintf("member %s, which has not joined", p.name))
		case p.gone:
		case age >= l.silence():
			all = append(all, fmt.Sprintf("member %s, silent for %v", p.name, age.Truncate(time.Second)))
		case len(p.waits) > 0:
			for _, w := range p.waits {
				all = append(all, fmt.Sprintf("member %s: %s", p.name, w))
			}
		case p.doing != nil && time.Since(p.since) >= l.c.cfg.Limit:
			all = append(all, fmt.Sprintf("member %s, which has not answered for %v", p.name, time.Since(p.since).Truncate(time.Second)))
		}
	}
	if !l.begun {
		if text := l.unmatchedLocked(); text != "" {
			all = append(all, text)
		}
	}
	return all
}
