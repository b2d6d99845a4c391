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
	// ErrLost means that a member is silent and the policy is [LostEnds].
	ErrLost = errors.New("order: a member is lost")
	// ErrRefused means that the leader rejected a member.
	ErrRefused = errors.New("order: refused")
	// ErrLeaderLost means that the leader left the network without ending the run, or is no longer reachable.
	ErrLeaderLost = errors.New("order: the leader is lost")
	// ErrTooLong means that a message of the protocol for one tag exceeds the length limit.
	ErrTooLong = errors.New("order: too long for the protocol")
	// ErrConfig means that a configuration is invalid.
	ErrConfig = errors.New("order: configuration")
)

// LostPolicy is what happens to a run when a member is silent for the limit, and at least for two seconds: members send
// a message each second.
type LostPolicy uint8

const (
	// LostWaits stops logical time until the member's process is back, or a new one with its name has joined.
	LostWaits LostPolicy = iota
	// LostLeaves continues without the member, until a new process with its name joins.
	LostLeaves
	// LostEnds makes [Leader.Advance] return [ErrLost].
	LostEnds
)

// Periods of the protocol, in real time.
const (
	repeatInterval = 200 * time.Millisecond // of unanswered messages
	aliveInterval  = time.Second
	// reportDelay is how long a member waits for a grant after an arrival before it reports the arrival.
	reportDelay = 20 * time.Millisecond
)

// LeaderConfig configures a [Leader].
type LeaderConfig struct {
	// Application names the topics /NAME/leader and /NAME/members. It defaults to "fixed_order".
	Application string
	// Transport carries these topics: that below the coordinator's.
	Transport ros2.Transport
	// Members are the participating processes, in the order in which they run at the same tag. The leader's own nodes
	// come first.
	Members []string
	// Lost is the policy for silent members. The limit is the coordinator's.
	Lost LostPolicy
}

// Leader runs the callbacks of several processes in a deterministic order: those of a [Coordinator] in its own process,
// and those of its members, Go programs with a [Member] and Python programs with the executor of deploy/ros. It is safe
// for concurrent use.
type Leader struct {
	c       *Coordinator
	cfg     LeaderConfig
	session string
	node    *ros2.Node
	pub     *ros2.Publisher[wire.Text]

	advancing sync.Mutex // held by Advance

	mu         sync.Mutex
	changed    sync.Cond // broadcast at each message, and at Close
	members    []*peer
	now        Tag
	mail       []mail
	requests   map[int64]requestOf // by number of the delivery
	number     int64               // of the latest delivery
	lines      []Run               // of the record, about members; their tag is set when they are written
	rejections []*wire.Message     // waiting to be sent
	script     *script             // the record being replayed; nil: none
	begun      bool                // the barrier at the start has been passed
	doing      bool                // Do has been called since the latest Advance
	err        error               // what ended the run
	done       chan struct{}
	ended      chan struct{} // closed when the members have been notified of the end
	group      task.Group
}

// mail is a message to be delivered.
type mail struct {
	tag Tag
	to  int // -1: in the leader's process; else a member
	wire.Delivery
}

// requestOf is the origin of a request.
type requestOf struct{ from, client int }

// peer is the leader's state of a member. The leader's lock guards it.
type peer struct {
	name      string
	session   string        // "": it has not joined
	gone      bool          // the run continues without it
	became    string        // why it is gone; "" if the leader dismissed it
	successor *wire.Message // the hello of a process that will replace it
	own       bool
	endpoints []wire.Endpoint
	next      *wire.Tag
	came      *wire.Tag
	number    int64 // of the latest grant
	ran       int64 // the latest completed one
	doing     *wire.Message
	since     time.Time     // start of the current grant
	answer    *wire.Message // to it
	held      []wire.Arrival
	waits     []string
	heard     time.Time
}

// Lead creates a leader without members. From then on only the leader calls the coordinator's Advance. Close the leader
// before the coordinator.
//
// If the coordinator replays a record, so do all processes: messages from outside at any of them wait for their
// position, and members join and leave where they did. The error is [ErrDiverged] if the members differ from those of
// the record.
func Lead(c *Coordinator, cfg LeaderConfig) (*Leader, error) {
	if cfg.Application == "" {
		cfg.Application = "fixed_order"
	}
	l := &Leader{
		c: c, cfg: cfg, session: rand.Text(), requests: make(map[int64]requestOf), done: make(chan struct{}), ended: make(chan struct{}),
	}
	l.changed.L = &l.mu
	for _, name := range cfg.Members {
		for _, p := range l.members {
			if p.name == name {
				return nil, fmt.Errorf("%w: two members %q", ErrConfig, name)
			}
		}
		if !validName(name) {
			return nil, fmt.Errorf("%w: member %q: only letters, digits and _ are allowed", ErrConfig, name)
		}
		l.members = append(l.members, &peer{name: name})
	}
	if cfg.Transport == nil {
		return nil, fmt.Errorf("%w: a leader requires a transport", ErrConfig)
	}
	if err := l.repeat(c.cfg.Replay); err != nil {
		return nil, err
	}
	if err := l.connect(); err != nil {
		return nil, err
	}
	write := c.cfg.Record
	c.cfg.Record = func(r Run) {
		l.script.compare(&r)
		if write != nil {
			write(r)
		}
	}
	c.share(leads, l.wake)
	l.group.Go("leader of an order", l.watch)
	return l, nil
}

// connect creates the endpoints of the protocol.
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

// protocolQoS is the QoS of both topics. Messages lost nevertheless are repeated.
func protocolQoS() ros2.QoS { return ros2.DefaultQoS().WithDepth(100) }

func (l *Leader) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

// send sends a message to the members.
func (l *Leader) send(m *wire.Message) {
	m.Leader = l.session
	text := wire.Encode(m)
	if len(text) > wire.MaxLength {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failLocked(tooLong(m, text))
		return
	}
	_ = l.pub.Publish(&wire.Text{Data: text}) // lost messages are repeated
}

// tooLong returns the error of a message above the length limit.
func tooLong(m *wire.Message, text string) error {
	return fmt.Errorf("%w: %s of member %s has %d bytes, at most %d are read", ErrTooLong, m.Kind, m.Member, len(text), wire.MaxLength)
}

// failLocked ends the run with an error, unless it has ended.
func (l *Leader) failLocked(err error) {
	if l.err == nil {
		l.err = err
		l.c.inbox.wake() // calls that wait for a member's messages
	}
	l.changed.Broadcast()
}

// Close ends the run for all members, and returns when they have confirmed, but after at most a second. Closing twice
// is harmless.
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
		if m := p.successor; first && m != nil {
			l.rejections = append(l.rejections, &wire.Message{Kind: wire.Refuse, Member: p.name, Session: m.Session, Text: "the run is over"})
		}
	}
	rejections := l.rejections
	l.rejections = nil
	l.mu.Unlock()
	for _, m := range rejections {
		l.send(m)
	}
	if !first {
		<-l.ended // else the program could exit before the members are notified
		return nil
	}
	defer close(l.ended)
	l.group.Wait()
	l.sendEnd()
	return l.node.Close()
}

// sendEnd sends the end message repeatedly until every member has confirmed, but for at most a second.
func (l *Leader) sendEnd() {
	for range int(time.Second / repeatInterval) {
		for _, m := range l.endings() {
			l.send(m)
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

// endings returns the end messages: to all, and to each member, which may not have received its welcome.
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

// presentLocked reports whether any member is participating.
func (l *Leader) presentLocked() bool {
	for _, p := range l.members {
		if p.present() {
			return true
		}
	}
	return false
}

// present reports whether a member is participating.
func (p *peer) present() bool { return p.session != "" && !p.gone }
