// SPDX-License-Identifier: Apache-2.0

package order

import (
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// Errors of applications of several processes.
var (
	// ErrLost says that a member is silent, and that the run is to end then.
	ErrLost = errors.New("order: a member is lost")
	// ErrRefused says that the leader does not let a member take part.
	ErrRefused = errors.New("order: refused")
	// ErrLeaderLost says that the leader has left the network without a word, or is not heard of any more.
	ErrLeaderLost = errors.New("order: the leader is lost")
	// ErrTooLong says that what leader and member have to say of one tag is longer than what is read.
	ErrTooLong = errors.New("order: too long for the protocol")
	// ErrConfig says that a configuration is wrong.
	ErrConfig = errors.New("order: configuration")
)

// LostPolicy is what becomes of a run when a member is silent for the limit, and at least for two seconds: members give
// a sign of life each second.
type LostPolicy uint8

const (
	// LostWaits lets time stand until it comes back: the process goes on where it was, a new one of its name begins
	// anew.
	LostWaits LostPolicy = iota
	// LostLeaves goes on without it, until a new process of its name comes.
	LostLeaves
	// LostEnds lets [Leader.Advance] return [ErrLost].
	LostEnds
)

// The pace of the protocol, of the machine's time.
const (
	repeatInterval = 200 * time.Millisecond // of what has no answer
	aliveInterval  = time.Second
	// settling is how long a member waits, after something came, for the leader to ask for it.
	settling = 20 * time.Millisecond
)

// LeaderConfig says how a [Leader] works.
type LeaderConfig struct {
	// Application names the topics /NAME/leader and /NAME/members. It defaults to "fixed_order".
	Application string
	// Transport carries them: the one below the coordinator's.
	Transport ros2.Transport
	// Members are the processes that take part, in the order in which those with something to do at the same tag do it.
	// The leader's own nodes come first.
	Members []string
	// Lost is what becomes of the run when one is silent. The limit is the coordinator's.
	Lost LostPolicy
}

// Leader runs the callbacks of several processes in a fixed order: those of a [Coordinator] of its own process, and
// those of its members, Go programs with a [Member] and Python programs with the executor of deploy/ros. It is safe for
// concurrent use.
type Leader struct {
	c       *Coordinator
	cfg     LeaderConfig
	session string
	node    *ros2.Node
	pub     *ros2.Publisher[wire.Text]

	advancing sync.Mutex // held by Advance

	mu       sync.Mutex
	changed  sync.Cond // broadcast with each message, and at the end
	members  []*peer
	now      Tag
	mail     []mail
	requests map[int64]requestOf // by number of the delivery
	number   int64               // of the latest delivery
	lines    []Run               // of the record, about members; their tag comes when they are written
	partings []*wire.Message     // to be sent
	script   *script             // the record that the run repeats; nil: none
	begun    bool                // the barrier at the start has been passed
	err      error               // what ended the run
	done     chan struct{}
	parted   chan struct{} // closed when the members have been told of the end
	group    task.Group
}

// mail is a message that is to arrive.
type mail struct {
	tag Tag
	to  int // -1: in the leader's process; else a member
	wire.Delivery
}

// requestOf is where a request came from.
type requestOf struct{ from, client int }

// peer is a member as the leader sees it. The leader's lock guards it.
type peer struct {
	name      string
	session   string        // "": it has not been there
	gone      bool          // the run goes on without it
	became    string        // how that came; "" if the leader has sent it away
	newcomer  *wire.Message // the hello of a process that is to take its place
	own       bool
	endpoints []wire.Endpoint
	next      *wire.Tag
	came      *wire.Tag
	number    int64 // of the latest grant
	ran       int64 // the latest one that is done
	doing     *wire.Message
	since     time.Time     // of what it does
	answer    *wire.Message // to it
	held      []wire.Arrival
	waits     []string
	heard     time.Time
}

// Lead makes a leader with no members yet. Only the leader calls the coordinator's Advance from now on. Close the
// leader before the coordinator.
//
// If the coordinator replays a record, so do all processes: what comes from outside to any of them waits for its place,
// and members come and go where they did. The error is [ErrDiverged] if others take part than did then.
func Lead(c *Coordinator, cfg LeaderConfig) (*Leader, error) {
	if cfg.Application == "" {
		cfg.Application = "fixed_order"
	}
	l := &Leader{
		c: c, cfg: cfg, session: rand.Text(), requests: make(map[int64]requestOf), done: make(chan struct{}), parted: make(chan struct{}),
	}
	l.changed.L = &l.mu
	for _, name := range cfg.Members {
		for _, p := range l.members {
			if p.name == name {
				return nil, fmt.Errorf("%w: two members %q", ErrConfig, name)
			}
		}
		if !validName(name) {
			return nil, fmt.Errorf("%w: member %q: a name is letters, digits and _", ErrConfig, name)
		}
		l.members = append(l.members, &peer{name: name})
	}
	if cfg.Transport == nil {
		return nil, fmt.Errorf("%w: a leader needs a transport", ErrConfig)
	}
	if err := l.repeat(c.cfg.Replay); err != nil {
		return nil, err
	}
	if err := l.connect(); err != nil {
		return nil, err
	}
	write := c.cfg.Record
	c.cfg.Record = func(r Run) { l.enter(r, write) }
	c.share(leads, l.wake)
	l.group.Go("leader of an order", l.watch)
	return l, nil
}

// connect makes the endpoints of the protocol.
func (l *Leader) connect() (err error) {
	if l.node, err = ros2.NewNode(ros2.NodeConfig{Name: l.cfg.Application + "_leader", Transport: l.cfg.Transport}); err != nil {
		return err
	}
	if l.pub, err = ros2.NewPublisher[wire.Text](l.node, topicOf(l.cfg.Application, wire.FromLeader), protocolQoS()); err == nil {
		_, err = ros2.Listen(l.node, topicOf(l.cfg.Application, wire.FromMembers), protocolQoS(), func(m *wire.Text) { l.receive(m.Data) })
	}
	if err != nil {
		return errors.Join(err, l.node.Close())
	}
	return nil
}

// protocolQoS is that of both topics. What is lost in spite of it is repeated.
func protocolQoS() ros2.QoS { return ros2.DefaultQoS().WithDepth(100) }

func (l *Leader) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

// say sends a message of the leader's.
func (l *Leader) say(m *wire.Message) {
	m.Leader = l.session
	text := wire.Encode(m)
	if len(text) > wire.MaxLength {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failLocked(tooLong(m, text))
		return
	}
	_ = l.pub.Publish(&wire.Text{Data: text}) // what does not get through is repeated
}

// tooLong is the error of a message that would not be read.
func tooLong(m *wire.Message, text string) error {
	return fmt.Errorf("%w: %s of member %s has %d bytes, at most %d are read", ErrTooLong, m.Kind, m.Member, len(text), wire.MaxLength)
}

// failLocked ends the run with an error, if nothing else has.
func (l *Leader) failLocked(err error) {
	if l.err == nil {
		l.err = err
		l.c.inbox.wake() // those who wait for messages of a member's
	}
	l.changed.Broadcast()
}

// Close ends the run for all members, and returns when they have said good-bye, or after a second. Closing twice is
// harmless.
func (l *Leader) Close() error {
	l.mu.Lock()
	first := l.err == nil || !errors.Is(l.err, ErrClosed)
	if first {
		l.err = ErrClosed
		close(l.done)
		l.c.inbox.wake()
		l.changed.Broadcast()
	}
	for _, p := range l.members {
		if m := p.newcomer; first && m != nil {
			l.partings = append(l.partings, &wire.Message{Kind: wire.Refuse, Member: p.name, Session: m.Session, Text: "the run is over"})
		}
	}
	partings := l.partings
	l.partings = nil
	l.mu.Unlock()
	for _, m := range partings {
		l.say(m)
	}
	if !first {
		<-l.parted // else the program could end before the members have heard of it
		return nil
	}
	defer close(l.parted)
	l.group.Wait()
	l.part()
	return l.node.Close()
}

// part says the end until every member has said good-bye, but no longer than a second.
func (l *Leader) part() {
	for range int(time.Second / repeatInterval) {
		for _, m := range l.endings() {
			l.say(m)
		}
		l.mu.Lock()
		expired := false
		limit := task.AfterFunc(repeatInterval, "end of a run", func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			expired = true
			l.changed.Broadcast()
		})
		for l.presentLocked() && !expired {
			l.changed.Wait()
		}
		present := l.presentLocked()
		l.mu.Unlock()
		limit.Stop()
		if !present {
			return
		}
	}
}

// endings are what is said at the end: to all, and to each member, which may not have got its welcome.
func (l *Leader) endings() []*wire.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := []*wire.Message{{Kind: wire.End}}
	for _, p := range l.members {
		if p.session != "" {
			all = append(all, &wire.Message{Kind: wire.End, Member: p.name, Session: p.session})
		}
	}
	return all
}

// presentLocked tells whether a member is there.
func (l *Leader) presentLocked() bool {
	for _, p := range l.members {
		if p.there() {
			return true
		}
	}
	return false
}

// there tells whether a member takes part.
func (p *peer) there() bool { return p.session != "" && !p.gone }
