// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/callback"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/logqueue"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Transport is a DDS participant for ROS nodes. It implements [ros2.ServiceTransport] and is safe for concurrent use.
// The code that creates it closes it.
type Transport struct {
	participant *rtps.Participant
	graphWriter *rtps.Writer
	log         *slog.Logger // behind the queue lines: the participant's goroutines must not wait for it
	lines       logqueue.Queue
	quit, done  chan struct{}      // closed by Close; closed by watch
	stale       chan time.Duration // signals watch that pending was set, with the time until publishing
	observers   callback.List[func()]
	local       ros2.Exchange
	counters    []counter

	countMu     sync.Mutex
	stats       rtps.Stats         // guarded by countMu: here because it would escape from the stack
	lookups     task.Group         // of static peers by name
	stopLookups context.CancelFunc // not nil

	mu         sync.Mutex // acquired before any lock of the participant
	closed     bool
	own        localGraph
	sentAt     time.Time     // when the last graph message of this participant was sent
	pause      time.Duration // from then to the next one, at least
	pending    bool          // the graph has changed, and watch will publish it
	graph      graphCache
	complained time.Time
	security   ros2.SecurityStatus // without what changes
}

var (
	_ ros2.ServiceTransport  = (*Transport)(nil)
	_ ros2.SecuredTransport  = (*Transport)(nil)
	_ ros2.ExchangeTransport = (*Transport)(nil)
	_ ros2.TopicTransport    = (*Transport)(nil)
	_ ros2.NodeTransport     = (*Transport)(nil)
)

// New creates a transport and joins the network. The error wraps [ErrConfig] or [security.ErrUnavailable], or is one of
// package rtps.
func New(cfg Config) (*Transport, error) {
	pc, err := cfg.participant()
	if err != nil {
		return nil, err
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	var warning string
	if pc.Security, warning, err = cfg.Security.Open(cfg.DomainID, nil); err != nil {
		return nil, err
	}
	if warning != "" {
		cfg.Logger.Warn(warning)
	}
	p, err := rtps.NewParticipant(pc)
	if err != nil {
		return nil, fmt.Errorf("joining DDS domain %d: %w", cfg.DomainID, err)
	}
	t := &Transport{participant: p, security: ros2.SecurityStatus{
		Requested: cfg.Security.Strategy != security.Off, Active: pc.Security != nil, Enclave: cfg.Security.Name(),
	}, graph: graphCache{limit: cmp.Or(cfg.DiscoveryMemory, defaultDiscoveryMemory) / 4}, quit: make(chan struct{}), done: make(chan struct{}), stale: make(chan time.Duration, 1), counters: counters()}
	t.log = t.lines.Logger(cfg.Logger.Handler())
	looking, stop := context.WithCancel(context.Background())
	t.stopLookups = stop
	if err := t.openGraph(); err != nil {
		stop()
		return nil, errors.Join(err, p.Close())
	}
	p.OnEndpoint(func(rtps.DiscoveryEvent) { t.changed() })
	task.Go("graph", t.watch)
	if len(cfg.StaticHosts) > 0 && cfg.Range != Off {
		t.lookups.Go("static peers by name", func() { newHosts(cfg, pc.Peers, t.log, p.SetPeers).resolveAll(looking) })
	}
	return t, nil
}

// Security implements [ros2.SecuredTransport].
func (t *Transport) Security() ros2.SecurityStatus {
	s, p := t.security, t.participant.Security()
	s.Authenticated, s.Programs, s.Endpoints, s.Messages, s.Last = p.Authenticated, p.Participants, p.Endpoints, p.Messages, p.Last
	return s
}

// Participant returns the RTPS participant, for its statistics.
func (t *Transport) Participant() *rtps.Participant { return t.participant }

// MayPublish implements [ros2.PermissionTransport]. The error wraps security.ErrDenied.
func (t *Transport) MayPublish(topic string) error { return t.participant.MayWrite(MangleTopic(topic)) }

// Exchange implements [ros2.ExchangeTransport].
func (t *Transport) Exchange() *ros2.Exchange { return &t.local }

// AddNode publishes the node to all participants.
func (t *Transport) AddNode(node ros2.NodeName) error {
	return t.update(func() error {
		t.own.addNode(node)
		return nil
	})
}

// RemoveNode publishes the removal of the node to all participants.
func (t *Transport) RemoveNode(node ros2.NodeName) error {
	return t.update(func() error {
		if !t.own.removeNode(node) {
			return fmt.Errorf("remove node %s: it was not added", node.FullName())
		}
		return nil
	})
}

// update changes the local graph, and publishes it.
func (t *Transport) update(change func() error) error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return fmt.Errorf("transport: %w", ros2.ErrClosed)
	}
	err := change()
	if err == nil {
		err = closedError(t.graphChangedLocked(time.Now()))
	}
	t.mu.Unlock()
	t.changed()
	return err
}

// Cork holds messages back until Uncork.
func (t *Transport) Cork() { t.participant.Cork() }

// Uncork sends the held messages.
func (t *Transport) Uncork() { t.participant.Uncork() }

// Graph returns the discovered nodes and endpoints, including those of this transport.
func (t *Transport) Graph() ros2.Graph {
	g := t.unsortedGraph()
	g.Sort()
	return g
}

func (t *Transport) unsortedGraph() ros2.Graph {
	remote := t.participant.Endpoints()
	t.mu.Lock()
	defer t.mu.Unlock()
	g := ros2.Graph{Nodes: t.own.appendNames(t.graph.nodes()), Endpoints: make([]ros2.EndpointInfo, 0, t.own.endpoints+len(remote))}
	for e := range t.own.all {
		g.Endpoints = append(g.Endpoints, e.info)
	}
	owners := t.graph.owners()
	for _, d := range remote {
		if info, ok := endpointInfo(d, owners[d.GUID]); ok {
			g.Endpoints = append(g.Endpoints, info)
		}
	}
	return g
}

// CountNodes implements [ros2.NodeTransport].
func (t *Transport) CountNodes(name ros2.NodeName) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.own.byName[name]; own != nil {
		n = own.count
	}
	for m := range t.graph.all {
		for i := range m.nodes {
			if m.nodes[i].name == name {
				n++
			}
		}
	}
	return n
}

// EndpointsOn implements [ros2.TopicTransport].
func (t *Transport) EndpointsOn(topic string) []ros2.EndpointInfo {
	remote := t.participant.EndpointsOn(MangleTopic(topic))
	t.mu.Lock()
	defer t.mu.Unlock()
	var g ros2.Graph
	for e := range t.own.on(topic) {
		g.Endpoints = append(g.Endpoints, e.info)
	}
	for _, d := range remote {
		if info, ok := endpointInfo(d, t.graph.owner(d.GUID)); ok {
			g.Endpoints = append(g.Endpoints, info)
		}
	}
	g.Sort()
	return g.EndpointsOn(topic)
}

// OnGraphChange calls f after changes of the graph, on the goroutine that made
// them, until cancel is called.
func (t *Transport) OnGraphChange(f func()) (cancel func()) { return t.observers.Add(f) }

// changed calls the observers; the caller holds no lock.
func (t *Transport) changed() {
	for f := range t.observers.All {
		f()
	}
}

// Done is closed by Close, and when the network is lost.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err returns [ros2.ErrClosed] after Close, and why the network is lost before that.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return fmt.Errorf("transport: %w", ros2.ErrClosed)
	}
	if err := t.participant.Err(); err != nil {
		return fmt.Errorf("transport: %w", err)
	}
	return nil
}

// watch publishes the graph when it is due, and closes done when the transport is closed or the network lost.
func (t *Transport) watch() {
	defer close(t.done)
	var late <-chan time.Time
	for {
		select {
		case <-t.quit:
			return
		case <-t.participant.Lost():
			return
		case pause := <-t.stale:
			late = time.After(pause)
		case <-late:
			t.publishGraph()
		}
	}
}

// Close closes the participant with all remaining nodes and endpoints. Closing twice is harmless.
func (t *Transport) Close() error {
	t.mu.Lock()
	again := t.closed
	t.closed = true
	t.own = localGraph{}
	t.mu.Unlock()
	if again {
		return nil
	}
	close(t.quit)
	<-t.done
	t.stopLookups()
	t.lookups.Wait()
	err := stuckError(t.participant.Close())
	t.lines.Flush(logTimeout)
	return err
}

// logTimeout is how long Close waits for the logger.
const logTimeout = 100 * time.Millisecond

// nodeOf returns the node of an endpoint, if it is known.
func (t *Transport) nodeOf(endpoint wire.GUID) ros2.NodeName {
	t.mu.Lock()
	defer t.mu.Unlock()
	if endpoint.Prefix == t.participant.GUID().Prefix {
		return t.own.owner(endpoint)
	}
	return t.graph.owner(endpoint)
}

// stuckError wraps rtps.ErrStuck in ros2.ErrStuck.
func stuckError(err error) error {
	if errors.Is(err, rtps.ErrStuck) {
		return fmt.Errorf("%w: %w", ros2.ErrStuck, err)
	}
	return err
}

// closedError wraps rtps.ErrClosed in ros2.ErrClosed.
func closedError(err error) error {
	if errors.Is(err, rtps.ErrClosed) {
		return fmt.Errorf("%w: %w", ros2.ErrClosed, err)
	}
	return err
}

var _ ros2.DescribedTransport = (*Transport)(nil)

// Description returns "rtps".
func (t *Transport) Description() string { return "rtps" }
