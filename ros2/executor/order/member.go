// SPDX-License-Identifier: Apache-2.0

package order

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// MemberConfig says how a [Member] works.
type MemberConfig struct {
	// Name is one of the leader's members.
	Name string
	// Application is the leader's; it defaults to "fixed_order".
	Application string
	// Transport carries the protocol: the one below the coordinator's.
	Transport ros2.Transport
}

// Member lets the callbacks of a coordinator run in the order of a [Leader] in another process. Make the nodes first,
// then the member; its Run does the rest.
type Member struct {
	c       *Coordinator
	cfg     MemberConfig
	session string
	node    *ros2.Node
	pub     *ros2.Publisher[wire.Text]
	heard   chan *wire.Message // from the leader; what finds no room is repeated
	news    chan struct{}      // something came, or the endpoints have changed

	mu     sync.Mutex
	leader string        // its session; "": no welcome yet
	ran    int64         // the latest grant that has been run
	answer *wire.Message // to it
	busy   bool          // a grant is being run
}

// Join makes a member. Only Run advances the coordinator from now on.
func Join(c *Coordinator, cfg MemberConfig) (*Member, error) {
	if cfg.Application == "" {
		cfg.Application = "fixed_order"
	}
	if cfg.Name == "" || cfg.Transport == nil || len(c.cfg.Replay) > 0 {
		return nil, fmt.Errorf("%w: a member needs a name and a transport, and replays nothing", ErrConfig)
	}
	m := &Member{c: c, cfg: cfg, session: rand.Text(), heard: make(chan *wire.Message, 16), news: make(chan struct{}, 1)}
	var err error
	if m.node, err = ros2.NewNode(ros2.NodeConfig{Name: cfg.Application + "_" + cfg.Name, Transport: cfg.Transport}); err != nil {
		return nil, err
	}
	if m.pub, err = ros2.NewPublisher[wire.Text](m.node, topicOf(cfg.Application, wire.FromMembers), protocolQoS()); err == nil {
		_, err = ros2.Listen(m.node, topicOf(cfg.Application, wire.FromLeader), protocolQoS(), m.receive)
	}
	if err != nil {
		return nil, errors.Join(err, m.node.Close())
	}
	c.share(partakes, m.notice)
	return m, nil
}

// Run does what the leader says until the run is over; then the error is nil. It is that of ctx, [ErrRefused] or
// [ErrClosed] else. A leader that is silent is waited for. The member says good-bye at the end and can't run again.
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
	m.say(&wire.Message{Kind: wire.Leave})
	return errors.Join(err, m.node.Close())
}

// receive hands on what is for this member. It does not wait.
func (m *Member) receive(text *wire.Text) {
	w, err := wire.Decode(text.Data)
	if err != nil || w.Member != m.cfg.Name && w.Kind != wire.End || w.Kind != wire.End && w.Session != m.session {
		return
	}
	select {
	case m.heard <- w:
	default: // it is said again
	}
}

// notice is told of arrivals and of changes of endpoints.
func (m *Member) notice() {
	select {
	case m.news <- struct{}{}:
	default:
	}
}

// obey does what the leader says, one thing after the other.
func (m *Member) obey(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.c.closed:
			return ErrClosed
		case w := <-m.heard:
			if over, err := m.handle(w); over || err != nil {
				return err
			}
		}
	}
}

// handle does one thing that the leader says. It is true at the end of the run.
func (m *Member) handle(w *wire.Message) (over bool, err error) {
	m.mu.Lock()
	leader, ran, answer := m.leader, m.ran, m.answer
	m.mu.Unlock()
	switch {
	case w.Kind == wire.Refuse && (leader == "" || leader == w.Leader):
		return true, fmt.Errorf("%w: %s", ErrRefused, w.Text)
	case w.Kind == wire.Welcome && leader == "":
		start := time.Unix(w.Start[0], w.Start[1]).UTC()
		m.c.origin.Store(&start)
		m.c.pass(tagOf(*w.At))
		m.mu.Lock()
		m.leader = w.Leader
		m.mu.Unlock()
	case leader == "" || leader != w.Leader:
	case w.Kind == wire.End:
		return true, nil
	case w.Kind == wire.Grant && w.Number == ran && answer != nil:
		m.say(answer)
	case w.Kind == wire.Grant && w.Number == ran+1:
		return false, m.execute(w)
	}
	return false, nil
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

// next is when the coordinator has something to do, and when something from outside.
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

// live says hello until there is a welcome, and then that the member is alive: each second, and soon after something
// came that the leader has not asked for.
func (m *Member) live(stop <-chan struct{}) {
	for {
		m.sign()
		m.mu.Lock()
		pace := aliveInterval
		if m.leader == "" {
			pace = repeatInterval
		}
		m.mu.Unlock()
		if !m.linger(stop, pace) {
			return
		}
	}
}

// linger waits until the next sign of life is due; it is false at the end.
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

// sign says hello, or that the member is alive.
func (m *Member) sign() {
	m.mu.Lock()
	w := &wire.Message{Kind: wire.Alive, Number: m.ran}
	if m.leader == "" {
		w = &wire.Message{Kind: wire.Hello}
	}
	if m.busy {
		w.Number = 0 // what it is going to say comes with its answer
	}
	m.mu.Unlock()
	w.Endpoints, w.Held, w.Waits = m.c.inbox.list(false), m.c.inbox.waiting(), m.c.Waits()
	w.Next, w.Came = m.next()
	m.say(w)
}

// say sends a message of the member's.
func (m *Member) say(w *wire.Message) {
	copied := *w
	m.mu.Lock()
	copied.Leader = m.leader
	m.mu.Unlock()
	copied.Member, copied.Session = m.cfg.Name, m.session
	_ = m.pub.Publish(&wire.Text{Data: wire.Encode(&copied)}) // what does not get through is repeated
}
