// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Sentinel errors. Test for them with errors.Is.
var (
	// ErrConfig is matched when a field of [Config] is missing.
	ErrConfig = errors.New("hub: bad configuration")
	// ErrClosed is matched after Close.
	ErrClosed = errors.New("hub: closed")
	// ErrUnknownType is matched when neither this program nor a node of the network knows a type.
	ErrUnknownType = errors.New("hub: unknown type")
	// ErrNoService is matched when no node offers a service, or the network carries none.
	ErrNoService = errors.New("hub: no such service")
)

// Config describes a [Hub].
type Config struct {
	// Transport is the network. It is required; the program that made it closes it after the hub.
	Transport ros2.Transport
	// Node is the name that the hub has in the graph. It is required; a name that begins with an underscore hides it.
	Node ros2.NodeName
	// Types knows the definitions of message types. It is required; what it does not know is asked of the nodes.
	Types dynamic.Lookup
	// Logger gets what goes wrong with a topic. It defaults to silence.
	Logger *slog.Logger
}

// Hub shares one node among viewers. It is safe for concurrent use; Close ends it.
type Hub struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc
	wg     task.Group
	types  typeBook

	changed     chan struct{} // holds a token after a change of the graph
	cancelGraph func()

	mu        sync.Mutex
	closed    bool
	sources   map[topicKey]*source
	outlets   map[topicKey]*outlet
	callers   map[string]*caller
	watchers  map[*watcher]struct{}
	published uint64 // messages that viewers sent
}

// topicKey tells topics apart; several types on one name are several topics.
type topicKey struct{ name, rosType string }

// New adds the hub's node to the graph. It subscribes to nothing.
func New(cfg Config) (*Hub, error) {
	switch {
	case cfg.Transport == nil:
		return nil, fmt.Errorf("%w: Transport is nil", ErrConfig)
	case cfg.Types == nil:
		return nil, fmt.Errorf("%w: Types is nil", ErrConfig)
	case cfg.Node.Name == "":
		return nil, fmt.Errorf("%w: Node has no name", ErrConfig)
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if err := cfg.Transport.AddNode(cfg.Node); err != nil {
		return nil, fmt.Errorf("hub: %w", err)
	}
	h := &Hub{
		cfg: cfg, changed: make(chan struct{}, 1), sources: map[topicKey]*source{}, outlets: map[topicKey]*outlet{},
		callers: map[string]*caller{}, watchers: map[*watcher]struct{}{},
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.cancelGraph = cfg.Transport.OnGraphChange(h.graphChanged)
	h.wg.Go("web hub", h.watch)
	return h, nil
}

// Close ends all subscriptions and publications and takes the node out of the graph. Closing twice is harmless.
func (h *Hub) Close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil
	}
	h.closed = true
	sources, outlets, callers := h.sources, h.outlets, h.callers
	h.sources, h.outlets, h.callers = nil, nil, nil
	h.mu.Unlock()
	h.cancelGraph()
	h.cancel()
	h.wg.Wait()
	var errs []error
	for _, s := range sources {
		errs = append(errs, s.reader.Close())
	}
	for _, o := range outlets {
		errs = append(errs, o.writer.Close())
	}
	for _, c := range callers {
		errs = append(errs, c.close())
	}
	return errors.Join(append(errs, h.cfg.Transport.RemoveNode(h.cfg.Node))...)
}

// Stats are numbers of what the hub does now.
type Stats struct {
	// Subscriptions and Publications are the topics it reads and writes now.
	Subscriptions, Publications int
	// Published counts the messages that viewers sent.
	Published uint64
}

// Stats returns what the hub does now.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Stats{Subscriptions: len(h.sources), Publications: len(h.outlets), Published: h.published}
}
