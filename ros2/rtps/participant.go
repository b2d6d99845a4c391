// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/logqueue"
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

	lines logqueue.Queue // what is logged with mu held
	due   chan struct{}  // told when calls of user functions are due

	turn    *turn                  // of calling user functions; it is taken before mu
	batch   []delivery             // of who has the turn
	calling atomic.Pointer[Reader] // whose function is being called, nil for one of an event

	// mu guards everything below, and all state of writers, readers and proxies. No user function is called with it
	// held.
	mu              sync.Mutex
	closed          bool
	lostErr         error // why lost is closed
	tx              sender
	alarms          *alarmQueue
	parser          wire.Parser
	in              intake
	datagrams       uint64 // received
	stats           Stats
	memory          memoryBudget // of samples of users
	discoveryMemory memoryBudget // of its own, so that users cannot starve discovery
	historyBytes    memoryBudget // of the histories of own writers
	queue           []delivery   // user functions to call
	buffers         []*[]byte
	pooledBytes     int // of buffers
	queuedBytes     int // in their buffers
	onEvent         func(DiscoveryEvent)
	complained      time.Time
	looking         chan struct{} // not nil while the network is asked for its interfaces; closed with the answer

	corked     int
	corkTime   time.Time
	bulk       []*readerProxy
	paceAlarm  alarm
	retryAlarm alarm // set while the outbox holds what the network did not take

	entities      uint32 // last entity key
	peers         []netip.Addr
	spdp          announcer
	remotes       map[wire.GUIDPrefix]*remoteParticipant
	crowd         crowd
	endpointBytes memoryBudget // of the endpoints of all remotes
	sources       map[wire.GUID][]*writerProxy
	writers       map[wire.EntityID]*Writer // own ones, with the built-in
	userWriters   []*Writer
	userReaders   []*Reader
	topics        ownEndpoints // userWriters and userReaders, by topic
	builtins      []builtinPair
	publications  *Writer
	subscriptions *Writer
	messages      *Writer
	assertAlarm   alarm
	askFrom       time.Time // who was not asked to acknowledge since is due
	manualSent    time.Time // last message for writers asserted by hand together
}

// NewParticipant opens the sockets and begins to announce itself. The error wraps ErrConfig, udp.ErrNoInterface,
// udp.ErrNoPorts or that of the system. Close it in the end.
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
		cfg: cfg, guid: wire.GUID{Prefix: newPrefix(), Entity: wire.EntityParticipant}, done: make(chan struct{}), lost: make(chan struct{}),
		due: make(chan struct{}, 1), turn: newTurn(),
		alarms: newAlarmQueue(), memory: memoryBudget{limit: cfg.Limits.ReassemblyBytes}, discoveryMemory: memoryBudget{limit: discoveryBytes},
		historyBytes: memoryBudget{limit: cfg.Limits.HistoryBytes}, endpointBytes: memoryBudget{limit: cfg.Limits.EndpointBytes},
		crowd:   crowd{sources: map[netip.Addr]int{}},
		remotes: map[wire.GUIDPrefix]*remoteParticipant{}, sources: map[wire.GUID][]*writerProxy{}, writers: map[wire.EntityID]*Writer{},
		topics: ownEndpoints{},
	}
	p.log = p.lines.Logger(cfg.Logger.Handler())
	p.memory.reclaim = p.reclaim
	p.cfg.UserData = bytes.Clone(cfg.UserData)
	p.parser.Own = p.guid.Prefix
	p.tx = newSender(socks, p.guid.Prefix, newBucket(cfg.SendRate, cfg.SendBurst), &p.stats, p.log)
	p.tx.outbox.retry = func(after time.Duration) { p.alarms.setEarlier(&p.retryAlarm, time.Now().Add(after)) }
	p.spdp = announcer{replies: map[netip.Addr]int{}, buf: wire.NewBuilder(wire.MaxMessageSize)}
	p.spdp.alarm.fire, p.spdp.rest.fire, p.paceAlarm.fire, p.retryAlarm.fire, p.assertAlarm.fire = p.announce, p.announceToSome, p.pump, p.retrySend, p.assertLiveliness
	p.peers = p.probed(cfg.Peers)
	p.newBuiltins()
	p.mu.Lock()
	now := time.Now()
	p.assertLiveliness(now)
	p.announce(now)
	p.unlock()
	socks.Serve(p.receive, p.lose)
	p.loop.Go("timers", p.run)
	p.loop.Go("user functions", p.deliver)
	p.log.Info("participant started", "prefix", p.guid.Prefix, "domain", cfg.DomainID, "id", socks.ParticipantID(),
		"locators", socks.Locators(udp.UserTraffic))
	return p, nil
}

// newPrefix makes a GUID prefix: vendor id and ten random bytes. Peers remember the numbers of earlier ones, so it is
// never used twice.
func newPrefix() (g wire.GUIDPrefix) {
	rand.Read(g[2:])
	g[0], g[1] = byte(wire.VendorOwn>>8), byte(wire.VendorOwn&0xff)
	return g
}

// GUID identifies the participant on the network.
func (p *Participant) GUID() wire.GUID { return p.guid }

// Bounds of discovery samples in assembly or out of order, in all and of one participant.
const (
	discoveryBytes     = 4 << 20
	discoveryPeerBytes = 1 << 20
)

// closePatience is how long Close waits for what may hang outside of this package: user functions, the system's answer
// about the interfaces, and the logger.
const closePatience = time.Second

// Close leaves the domain: it tells all peers, closes the sockets and returns when no goroutine of the participant runs
// any more. It waits for user functions at work, the system and the logger, if they hang, for a second each; of a user
// function that has not returned then tells an error that is ErrStuck (TestCloseDoesNotWaitForUserFunctions). It must
// not be called from a function that the participant calls.
func (p *Participant) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.leave(time.Now())
	p.closed = true
	looking := p.looking
	p.mu.Unlock()
	close(p.done)
	err := p.closeSockets()
	if looking != nil {
		select {
		case <-looking:
		case <-time.After(closePatience):
		}
	}
	p.lines.Flush(closePatience)
	return err
}

// closeSockets closes the sockets and waits for the goroutines, all of which may be in user functions.
func (p *Participant) closeSockets() error {
	var closing task.Group
	var err error
	closing.Go("close sockets", func() {
		err = p.tx.socks.Close()
		p.loop.Wait()
	})
	if !closing.WaitFor(closePatience) {
		what := "for an event"
		if r := p.calling.Load(); r != nil {
			what = "for samples of " + r.cfg.Topic
		}
		return fmt.Errorf("%w: %s, after %v", ErrStuck, what, closePatience)
	}
	if err != nil {
		return fmt.Errorf("rtps: closing sockets: %w", err)
	}
	return nil
}

// leave disposes of the endpoints and of the participant (DDSI-RTPS 8.5.3.3.2, 9.6.3.9).
func (p *Participant) leave(now time.Time) {
	p.corked = 0
	for n := len(p.userWriters); n > 0; n-- {
		p.removeWriter(p.userWriters[n-1])
	}
	for n := len(p.userReaders); n > 0; n-- {
		p.removeReader(p.userReaders[n-1])
	}
	p.tx.flush(true)
	d := wire.NewDispose(wire.EntitySPDPWriter, p.spdp.sn+1, p.guid)
	d.Reader = wire.EntitySPDPReader
	p.spdp.leaving = &d
	p.announceToAll(now)
	p.queue = nil
}
