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
	// Name is one of the leader's members.
	Name string
	// Application is that of the leader; it defaults to "fixed_order".
	Application string
	// Transport carries the protocol: the one below the coordinator's.
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
	heard   chan heard    // from the leader; what does not fit is repeated
	news    chan struct{} // something arrived, or the endpoints have changed
	over    chan struct{} // closed when the run has ended for the member

	mu      sync.Mutex
	leader  string        // the leader's session; "": no welcome yet
	ran     int64         // the latest completed grant
	answer  *wire.Message // to it
	busy    bool          // a grant is running
	ended   bool
	verdict error      // why the run has ended
	leads   []ros2.GID // the leader's publisher, or candidates for it
	seen    bool       // one of them is known to the transport
	missed  time.Time  // since when none of them exists; zero: one does
}

// heard is a message of the leader, and its publisher; zero if the transport does not know it.
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
		return nil, fmt.Errorf("%w: a member needs a name and a transport, and replays nothing", ErrConfig)
	}
	m := &Member{
		c: c, cfg: cfg, session: rand.Text(),
		heard: make(chan heard, 16), news: make(chan struct{}, 1), over: make(chan struct{}),
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

// Run executes the leader's grants until the run has ended; then the error is nil. Otherwise it is that of ctx,
// [ErrRefused], [ErrLeaderLost], [ErrTooLong] or [ErrClosed]. It waits for a silent leader as long as its endpoint
// exists. The member announces its end and cannot run again.
func (m *Member) Run(ctx context.Context) error {
	var group task.Group
	stop := make(chan struct{})
	group.Go("signs of life of a member", func() { m.live(stop) })
	end := task.AfterDone(ctx, "end of a member", m.c.inbox.wake)
	err := m.obey(ctx)
	end()
	if ctx.Err() != nil && errors.Is(err, ErrClosed) {
		err = ctx.Err()
	}
	close(stop)
	group.Wait()
	if !errors.Is(err, ErrTooLong) { // the leader would continue without the member's result
		m.say(&wire.Message{Kind: wire.Leave})
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
		m.leader = w.Leader // for the good-bye
		m.mu.Unlock()
		m.end(nil)
		return
	}
	select {
	case m.heard <- heard{w, info.Publisher}:
	default: // it will be repeated
	}
}

// end ends the member's run, also while it waits for a message.
func (m *Member) end(verdict error) {
	m.mu.Lock()
	first := !m.ended
	if first {
		m.ended, m.verdict = true, verdict
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
	case m.news <- struct{}{}:
	default:
	}
}

// obey handles the leader's messages one by one.
func (m *Member) obey(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.c.closed:
			return ErrClosed
		case <-m.over:
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.verdict
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
		m.c.pass(tagOf(*w.At))
		m.mu.Lock()
		m.leader = w.Leader
		if w.by != (ros2.GID{}) {
			m.leads = []ros2.GID{w.by}
		}
		m.mu.Unlock()
	case leader == "" || leader != w.Leader:
	case w.Kind == wire.Grant && w.Number == ran && answer != nil:
		m.say(answer)
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

// execute runs a grant and answers it.
func (m *Member) execute(w *wire.Message) error {
	m.mu.Lock()
	m.busy = true
	m.mu.Unlock()
	if err := m.c.step(tagOf(*w.At), w.Deliveries, w.Hold, w.Admit); err != nil {
		return err
	}
	runs, sends := m.c.reap()
	answer := &wire.Message{
		Kind: wire.Done, Number: w.Number, Runs: wireRuns(runs), Sends: sends,
		Held: m.c.inbox.waiting(), Endpoints: m.c.inbox.list(true),
	}
	answer.Next, answer.Came = m.next()
	m.mu.Lock()
	m.ran, m.answer, m.busy = w.Number, answer, false
	m.mu.Unlock()
	m.say(answer)
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

// live sends hello until there is a welcome, and then alive: each second, and soon after something arrived without a
// grant. It also checks whether the leader still exists.
func (m *Member) live(stop <-chan struct{}) {
	var looked time.Time
	for {
		m.sign()
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
		if !m.linger(stop, pace) {
			return
		}
	}
}

// linger waits until the next message is due; it is false at the end.
func (m *Member) linger(stop <-chan struct{}, pace time.Duration) bool {
	due := time.NewTimer(pace)
	defer due.Stop()
	news := m.news
	for {
		select {
		case <-stop:
			return false
		case <-due.C:
			return true
		case <-news:
			due.Reset(settling)
			news = nil
		}
	}
}

// sign sends hello or alive.
func (m *Member) sign() {
	m.mu.Lock()
	w := &wire.Message{Kind: wire.Alive, Number: m.ran}
	if m.leader == "" {
		w = &wire.Message{Kind: wire.Hello}
	}
	if m.busy {
		w.Number = 0 // its state comes with the answer
	}
	m.mu.Unlock()
	w.Endpoints, w.Held, w.Waits = m.c.inbox.list(false), m.c.inbox.waiting(), m.c.Waits()
	w.Next, w.Came = m.next()
	m.say(w)
}

// say sends a message to the leader. One above the length limit ends the run; the leader gets the reason.
func (m *Member) say(w *wire.Message) {
	text := m.encode(w)
	if len(text) > wire.MaxLength {
		err := tooLong(w, text)
		m.end(err)
		w = &wire.Message{Kind: wire.Alive, Endpoints: m.c.inbox.list(false), Waits: []string{"it has ended: " + err.Error()}}
		if text = m.encode(w); len(text) > wire.MaxLength {
			return
		}
	}
	_ = m.pub.Publish(&wire.Text{Data: text}) // what does not get through is repeated
}

// encode fills in the sender and encodes a message.
func (m *Member) encode(w *wire.Message) string {
	m.mu.Lock()
	w.Leader = m.leader
	m.mu.Unlock()
	w.Member, w.Session = m.cfg.Name, m.session
	return wire.Encode(w)
}
