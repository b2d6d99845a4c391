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

// Config is the configuration of a [Hub].
type Config struct {
	// Transport is the network. It is required; the program that made it closes it after the hub.
	Transport ros2.Transport
	// Node is the hub's name in the graph. It is required; a name that begins with an underscore is hidden.
	Node ros2.NodeName
	// Types resolves message types. It is required; types that it does not have are requested from the nodes.
	Types dynamic.Lookup
	// Logger receives errors of topics. It defaults to none.
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
	outlets   map[outletKey]*outlet
	callers   map[string]*caller
	watchers  map[*watcher]struct{}
	published uint64 // messages published by viewers
}

// topicKey identifies a topic; several types on one name are several topics.
type topicKey struct{ name, rosType string }

// New adds the hub's node to the graph, without subscriptions.
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
		cfg: cfg, changed: make(chan struct{}, 1), sources: map[topicKey]*source{}, outlets: map[outletKey]*outlet{},
		callers: map[string]*caller{}, watchers: map[*watcher]struct{}{},
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.cancelGraph = cfg.Transport.OnGraphChange(h.graphChanged)
	h.wg.Go("web hub", h.watch)
	return h, nil
}

// Close ends all subscriptions and publications and removes the node from the graph. It may be called more than once.
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

// Stats are the hub's counters.
type Stats struct {
	// Subscriptions and Publications are the topics it subscribes to for viewers and publishes now.
	Subscriptions, Publications int
	// Published counts the messages published by viewers.
	Published uint64
}

// Stats returns the hub's counters.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	subscriptions := 0
	for _, s := range h.sources {
		if !s.held || s.users > 1 {
			subscriptions++
		}
	}
	return Stats{Subscriptions: subscriptions, Publications: len(h.outlets), Published: h.published}
}
