// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/logqueue"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/discovery"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/intern"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Participant is one participant of a DDS domain: its sockets, its discovery, its writers and readers. It is safe for
// concurrent use. See the package documentation for its goroutines and locks.
type Participant struct {
	cfg  Config
	guid wire.GUID
	log  *slog.Logger // through lines
	done chan struct{}
	lost chan struct{} // closed when a socket is lost
	loop task.Group

	lines logqueue.Queue // log lines written with mu held
	calls calls          // of user functions

	// mu guards everything below, and all state of writers, readers and proxies. No user function is called with it
	// held.
	mu         sync.Mutex
	closed     bool
	lostErr    error // why lost is closed
	socks      udp.Sockets
	tx         send.Sender
	alarms     *alarm.Queue
	suspended  bool // the process was, and the alarms have not fired since
	parser     wire.Parser
	in         submessageHandler
	datagrams  uint64 // received
	stats      Stats
	assembly   reassembly.Drops
	budgets    budgets
	onEvent    func(DiscoveryEvent)
	complained time.Time

	cork   cork
	data   wire.Data // the one being sent
	bulk   bulkQueue
	shared sharedMemory

	entities       uint32 // last entity key
	texts          *intern.Table
	announcement   localAnnouncement
	directory      *discovery.Directory
	remotes        map[wire.GUIDPrefix]*remoteParticipant // the same as in directory
	sources        map[wire.GUID][]*writerProxy
	writers        map[wire.EntityID]*Writer // local ones, including built-in
	userWriters    []*Writer
	userReaders    []*Reader
	topics         localEndpoints // userWriters and userReaders, by topic
	builtins       builtinEndpoints
	secure         *secured // nil without DDS Security
	assertAlarm    alarm.Alarm
	countFloor     wire.Count    // highest count of the ACKNACKs and NACK_FRAGs of writer proxies that are closed
	ackRequestedAt alarm.Instant // readers are due whose last acknowledgment request is older
	manualSent     time.Time     // last message for manual-by-participant liveliness
}

// budgets bound the bytes that a participant holds.
type budgets struct {
	samples   memory.Budget // user samples in assembly or out of order
	discovery memory.Budget // separate, so that user samples cannot starve discovery
	histories memory.Budget // of the local writers
}

// NewParticipant opens the sockets and starts announcing the participant. The error wraps [ErrConfig], [udp.ErrNoPorts]
// or the system's error, or names the configured interfaces if none is usable. The caller must Close it.
func NewParticipant(cfg Config) (*Participant, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	socks, err := cfg.Network.Listen(udp.Config{DomainID: cfg.DomainID, Interfaces: cfg.Interfaces, LocalhostOnly: cfg.LocalhostOnly,
		ReceiveBuffer: cfg.ReceiveBuffer, Logger: cfg.Logger})
	if err != nil {
		return nil, err
	}
	p := &Participant{
		cfg: cfg, guid: wire.GUID{Prefix: cfg.newPrefix(), Entity: wire.EntityParticipant}, done: make(chan struct{}), lost: make(chan struct{}),
		socks: socks, alarms: alarm.NewQueue(),
		budgets: budgets{samples: memory.Budget{Limit: cfg.Limits.ReassemblyBytes}, discovery: memory.Budget{Limit: discoveryBytes},
			histories: memory.Budget{Limit: cfg.Limits.HistoryBytes}},
		remotes: map[wire.GUIDPrefix]*remoteParticipant{}, sources: map[wire.GUID][]*writerProxy{}, writers: map[wire.EntityID]*Writer{},
		topics: localEndpoints{},
	}
	p.texts = intern.New()
	p.log = p.lines.Logger(cfg.Logger.Handler())
	p.budgets.samples.Reclaim = p.reclaim
	p.cfg.UserData = bytes.Clone(cfg.UserData)
	p.parser.Own = p.guid.Prefix
	p.tx = send.New(socks, p.guid.Prefix, send.NewBucket(cfg.SendRate, cfg.SendBurst), p.log,
		func(after time.Duration) { p.alarms.SetEarlier(&p.bulk.retry, time.Now().Add(after)) })
	p.calls = newCalls(&p.mu)
	p.shared.open(p.guid.Prefix, cfg.SharedMemory, p.log)
	p.bulk.begin(&p.tx, p.alarms)
	p.assertAlarm.Fire = p.assertLiveliness
	if err := p.newSecured(); err != nil {
		return nil, errors.Join(err, socks.Close())
	}
	p.shared.announce = func() { p.directory.SetProperties(p.shared.properties()) }
	p.directory = discovery.New(p.discoveryConfig(), observer{p}, socks, &p.tx, p.alarms, p.log)
	p.newBuiltins()
	p.mu.Lock()
	now := time.Now()
	p.assertLiveliness(now)
	p.secure.announce(now)
	p.directory.Begin(now)
	p.unlock()
	socks.Serve(p.receive, p.setLost)
	p.loop.Go("timers", p.run)
	p.loop.Go("user functions", func() { p.calls.run(p.done) })
	p.log.Info("participant started", "prefix", p.guid.Prefix, "domain", cfg.DomainID, "id", socks.ParticipantID(),
		"locators", socks.Locators(udp.UserTraffic))
	return p, nil
}

// newPrefix makes a GUID prefix: vendor id and ten random bytes, or what the identity of a secured participant makes of
// them. A prefix is not reused, because peers remember the sequence numbers of earlier participants.
func (c *Config) newPrefix() (g wire.GUIDPrefix) {
	rand.Read(g[2:])
	g[0], g[1] = byte(wire.VendorOwn>>8), byte(wire.VendorOwn&0xff)
	if c.Security != nil {
		return c.Security.Authentication.Prefix(g)
	}
	return g
}

// discoveryConfig returns the configuration of discovery.
func (p *Participant) discoveryConfig() discovery.Config {
	cfg := discovery.Config{
		GUID: p.guid, Name: p.cfg.Name, UserData: p.cfg.UserData, DomainID: p.cfg.DomainID, LeaseDuration: p.cfg.LeaseDuration,
		AnnouncePeriod: p.cfg.AnnouncePeriod, LocalhostOnly: p.cfg.LocalhostOnly, NoMulticast: p.cfg.NoMulticast, Peers: p.cfg.Peers,
		MaxParticipants: p.cfg.Limits.Participants, EndpointBytes: p.cfg.Limits.EndpointBytes, Texts: p.texts,
		Properties: p.shared.properties(),
	}
	if s := p.secure; s != nil {
		cfg.Security, cfg.Accept = &s.data, s.acceptEndpoint
	}
	return cfg
}

// GUID returns the participant's GUID.
func (p *Participant) GUID() wire.GUID { return p.guid }

// Bounds of discovery samples in assembly or out of order, in total and per participant.
const (
	discoveryBytes     = 4 << 20
	discoveryPeerBytes = 1 << 20
)

// closeTimeout is how long Close waits for code outside of this package that may block: user functions, the system's
// list of interfaces, and the logger.
const closeTimeout = time.Second

// Close leaves the domain: it notifies all peers, closes the sockets and returns when all goroutines of the participant
// have ended. It waits at most one second each for running user functions, the system and the logger; if a user
// function has not returned by then, the error matches ErrStuck (TestCloseDoesNotWaitForUserFunctions). It must not be
// called from a function that the participant calls.
func (p *Participant) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.leave(time.Now())
	p.closed = true
	refreshing := p.directory.Refreshing()
	p.mu.Unlock()
	close(p.done)
	err := p.closeSockets()
	if refreshing != nil {
		select {
		case <-refreshing:
		case <-time.After(closeTimeout):
		}
	}
	p.lines.Flush(closeTimeout)
	return err
}

// closeSockets closes the sockets and waits for the goroutines, all of which may be in user functions.
func (p *Participant) closeSockets() error {
	var closing task.Group
	var err error
	closing.Go("close sockets", func() {
		err = p.socks.Close()
		p.loop.Wait()
	})
	if !closing.WaitFor(closeTimeout) {
		what := "for an event"
		if r := p.calls.current.Load(); r != nil {
			what = "for samples of " + r.cfg.Topic
		}
		return fmt.Errorf("%w: %s, after %v", ErrStuck, what, closeTimeout)
	}
	if err != nil {
		return fmt.Errorf("rtps: closing sockets: %w", err)
	}
	return nil
}

// leave disposes the endpoints and the participant.
func (p *Participant) leave(now time.Time) {
	p.cork.depth = 0
	for n := len(p.userWriters); n > 0; n-- {
		p.removeWriter(p.userWriters[n-1])
	}
	for n := len(p.userReaders); n > 0; n-- {
		p.removeReader(p.userReaders[n-1])
	}
	p.secure.leave()
	p.tx.Flush(true)
	p.directory.Leave(now)
	for i := range p.calls.queue {
		p.calls.queue[i].release()
	}
	p.calls.queue = nil
	p.shared.close()
	for _, r := range p.remotes {
		r.shared.close()
	}
}
