// SPDX-License-Identifier: Apache-2.0

package order

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// MemberConfig configures a [Member].
type MemberConfig struct {
	// Name is the member's name in the leader's configuration.
	Name string
	// Application is the leader's; it defaults to "fixed_order".
	Application string
	// Transport carries the protocol: that below the coordinator's.
	Transport ros2.Transport
}

// Member runs the callbacks of a coordinator in the order of a [Leader] in another process. Create the nodes first,
// then the member, and call its Run.
type Member struct {
	c       *Coordinator
	cfg     MemberConfig
	session string
	node    *ros2.Node
	pub     *ros2.Publisher[wire.Text]
	heard   chan heard    // from the leader; dropped ones are repeated
	changed chan struct{} // signalled at arrivals and changes of endpoints
	over    chan struct{} // closed when the run has ended for the member

	mu     sync.Mutex
	leader string        // the leader's session; "": no welcome yet
	ran    int64         // the latest completed grant
	answer *wire.Message // to it
	busy   bool          // a grant is running
	ended  bool
	result error      // why the run has ended
	leads  []ros2.GID // the leader's publisher, or candidates for it
	seen   bool       // one of them is known to the transport
	missed time.Time  // since when none of them exists; zero: one does
}

// heard is a message of the leader with its publisher, zero if the transport does not identify it.
type heard struct {
	*wire.Message
	by ros2.GID
}

// Join creates a member. From then on only Run advances the coordinator.
func Join(c *Coordinator, cfg MemberConfig) (*Member, error) {
	if cfg.Application == "" {
		cfg.Application = "fixed_order"
	}
	if cfg.Name == "" || cfg.Transport == nil || len(c.cfg.Replay) > 0 {
		return nil, fmt.Errorf("%w: a member requires a name and a transport, and no replay", ErrConfig)
	}
	m := &Member{
		c: c, cfg: cfg, session: rand.Text(),
		heard: make(chan heard, 16), changed: make(chan struct{}, 1), over: make(chan struct{}),
	}
	var err error
	if m.node, err = ros2.NewNode(ros2.NodeConfig{Name: cfg.Application + "_" + cfg.Name, Transport: cfg.Transport}); err != nil {
		return nil, err
	}
	if m.pub, err = ros2.NewPublisher[wire.Text](m.node, topicOf(cfg.Application, wire.FromMembers), protocolQoS()); err == nil {
		_, err = ros2.NewSubscription(m.node, topicOf(cfg.Application, wire.FromLeader), protocolQoS(), m.receive)
	}
	if err != nil {
		return nil, errors.Join(err, m.node.Close())
	}
	c.share(partakes, m.notice)
	return m, nil
}

// Run executes the leader's grants and returns nil when the run has ended. Otherwise the error is that of ctx,
// [ErrRefused], [ErrLeaderLost], [ErrTooLong] or [ErrClosed]. It waits for a silent leader as long as its endpoint
// exists. The member announces its end and cannot run again.
func (m *Member) Run(ctx context.Context) error {
	var group task.Group
	stop := make(chan struct{})
	group.Go("signs of life of a member", func() { m.keepAlive(stop) })
	end := task.AfterDone(ctx, "end of a member", m.c.inbox.wake)
	err := m.handleAll(ctx)
	end()
	if ctx.Err() != nil && errors.Is(err, ErrClosed) {
		err = ctx.Err()
	}
	close(stop)
	group.Wait()
	if !errors.Is(err, ErrTooLong) { // the leader would continue without the member's result
		m.send(&wire.Message{Kind: wire.Leave})
	}
	return errors.Join(err, m.node.Close())
}

// receive queues the messages for this member, and ends its run at the end message. It does not block.
func (m *Member) receive(text *wire.Text, info ros2.MessageInfo) {
	w, err := wire.Decode(text.Data)
	mine := err == nil && w.Member == m.cfg.Name && w.Session == m.session
	if err != nil || !mine && w.Kind != wire.End {
		return
	}
	m.mu.Lock()
	led, leads := m.leader != "", m.leader == w.Leader
	m.mu.Unlock()
	switch {
	case w.Kind == wire.Refuse && (leads || !led):
		m.end(fmt.Errorf("%w: %s", ErrRefused, w.Text))
		return
	case w.Kind == wire.End && (leads || mine && !led):
		m.mu.Lock()
		m.leader = w.Leader // for the leave message
		m.mu.Unlock()
		m.end(nil)
		return
	}
	select {
	case m.heard <- heard{w, info.Publisher}:
	default: // it will be repeated
	}
}

// end ends the member's run, even while it waits for a message.
func (m *Member) end(verdict error) {
	m.mu.Lock()
	first := !m.ended
	if first {
		m.ended, m.result = true, verdict
		close(m.over)
	}
	m.mu.Unlock()
	if first {
		m.c.inbox.wake()
	}
}

// notice is called after arrivals and changes of endpoints.
func (m *Member) notice() {
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

// handleAll handles the leader's messages in sequence.
func (m *Member) handleAll(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.c.closed:
			return ErrClosed
		case <-m.over:
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.result
		case w := <-m.heard:
			if err := m.handle(w); err != nil && !m.isOver() {
				return err
			}
		}
	}
}

// isOver reports whether the run has ended for the member.
func (m *Member) isOver() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ended
}

// handle handles one message of the leader.
func (m *Member) handle(w heard) error {
	m.mu.Lock()
	leader, ran, answer := m.leader, m.ran, m.answer
	m.mu.Unlock()
	switch {
	case w.Kind == wire.Welcome && leader == "":
		start := time.Unix(w.Start[0], w.Start[1]).UTC()
		m.c.origin.Store(&start)
		m.c.advanceTo(tagOf(*w.At))
		m.mu.Lock()
		m.leader = w.Leader
		if w.by != (ros2.GID{}) {
			m.leads = []ros2.GID{w.by}
		}
		m.mu.Unlock()
	case leader == "" || leader != w.Leader:
	case w.Kind == wire.Grant && w.Number == ran && answer != nil:
		m.send(answer)
	case w.Kind == wire.Grant && w.Number == ran+1:
		return m.execute(w.Message)
	}
	return nil
}

// watch ends the member's run when the leader's publisher has been gone for a while: a leader that ends waits for the
// leave messages of its members before.
func (m *Member) watch() {
	var there []ros2.GID
	for _, e := range ros2.EndpointsOn(m.cfg.Transport, topicOf(m.cfg.Application, wire.FromLeader)) {
		if e.Kind == ros2.PublisherEndpoint {
			there = append(there, e.GID)
		}
	}
	m.mu.Lock()
	lost := false
	switch is := func(g ros2.GID) bool { return slices.Contains(m.leads, g) }; {
	case m.leader == "":
	case len(m.leads) == 0: // the transport does not identify publishers: it is one of these
		m.leads, m.seen = there, len(there) > 0
	case slices.ContainsFunc(there, is):
		m.seen, m.missed = true, time.Time{}
	case !m.seen: // not discovered yet
	case m.missed.IsZero():
		m.missed = time.Now()
	default:
		lost = time.Since(m.missed) >= repeatInterval
	}
	m.mu.Unlock()
	if lost {
		m.end(fmt.Errorf("%w: its publisher of %s is gone", ErrLeaderLost, topicOf(m.cfg.Application, wire.FromLeader)))
	}
}

// execute runs a grant and sends the result.
func (m *Member) execute(w *wire.Message) error {
	m.mu.Lock()
	m.busy = true
	m.mu.Unlock()
	if err := m.c.step(tagOf(*w.At), w.Deliveries, w.Hold, w.Admit); err != nil {
		return err
	}
	runs, sends := m.c.takeResults()
	answer := &wire.Message{
		Kind: wire.Done, Number: w.Number, Runs: wireRuns(runs), Sends: sends,
		Held: m.c.inbox.waiting(), Endpoints: m.c.inbox.list(true),
	}
	answer.Next, answer.Came = m.next()
	m.mu.Lock()
	m.ran, m.answer, m.busy = w.Number, answer, false
	m.mu.Unlock()
	m.send(answer)
	return nil
}

// next returns the tags of the coordinator's next event and of its next one from outside.
func (m *Member) next() (next, came *wire.Tag) {
	a, b := m.c.nextTags()
	if a != nil {
		w := wireTag(*a)
		next = &w
	}
	if b != nil {
		w := wireTag(*b)
		came = &w
	}
	return next, came
}

// keepAlive sends hello until there is a welcome, and then alive: each second, and soon after arrivals without a grant.
// It also checks whether the leader still exists.
func (m *Member) keepAlive(stop <-chan struct{}) {
	var looked time.Time
	for {
		m.sendStatus()
		if now := time.Now(); now.Sub(looked) >= repeatInterval {
			m.watch()
			looked = now
		}
		m.mu.Lock()
		pace := aliveInterval
		if m.leader == "" || !m.missed.IsZero() {
			pace = repeatInterval
		}
		m.mu.Unlock()
		if !m.waitNext(stop, pace) {
			return
		}
	}
}

// waitNext waits until the next message is due. It returns false at the end.
func (m *Member) waitNext(stop <-chan struct{}, pace time.Duration) bool {
	due := time.NewTimer(pace)
	defer due.Stop()
	news := m.changed
	for {
		select {
		case <-stop:
			return false
		case <-due.C:
			return true
		case <-news:
			due.Reset(reportDelay)
			news = nil
		}
	}
}

// sendStatus sends hello or alive.
func (m *Member) sendStatus() {
	m.mu.Lock()
	w := &wire.Message{Kind: wire.Alive, Number: m.ran}
	if m.leader == "" {
		w = &wire.Message{Kind: wire.Hello}
	}
	if m.busy {
		w.Number = 0 // the result has its state
	}
	m.mu.Unlock()
	w.Endpoints, w.Held, w.Waits = m.c.inbox.list(false), m.c.inbox.waiting(), m.c.Waits()
	w.Next, w.Came = m.next()
	m.send(w)
}

// send sends a message to the leader. A message above the length limit ends the run; the leader gets the reason.
func (m *Member) send(w *wire.Message) {
	text := m.encode(w)
	if len(text) > wire.MaxLength {
		err := tooLong(w, text)
		m.end(err)
		w = &wire.Message{Kind: wire.Alive, Endpoints: m.c.inbox.list(false), Waits: []string{"it has ended: " + err.Error()}}
		if text = m.encode(w); len(text) > wire.MaxLength {
			return
		}
	}
	_ = m.pub.Publish(&wire.Text{Data: text}) // lost messages are repeated
}

// encode fills in the sender and encodes a message.
func (m *Member) encode(w *wire.Message) string {
	m.mu.Lock()
	w.Leader = m.leader
	m.mu.Unlock()
	w.Member, w.Session = m.cfg.Name, m.session
	return wire.Encode(w)
}
