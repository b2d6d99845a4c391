// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Transport represents a process on a [Network]. It implements [ros2.Transport] and is safe for concurrent use.
type Transport struct {
	net    *Network
	number uint32 // from 1
	done   chan struct{}
	nodes  []ros2.NodeName // guarded by net.mu
	local  ros2.Exchange

	mu       sync.Mutex
	err      error // why done is closed
	writeErr error
	corked   int
	batches  int
	recorded map[string][]Recorded // nil unless recording
	counters []ros2.Counter
}

var (
	_ ros2.ServiceTransport  = (*Transport)(nil)
	_ ros2.ExchangeTransport = (*Transport)(nil)
)

// AddNode adds the node to the graph.
func (t *Transport) AddNode(node ros2.NodeName) error {
	if err := t.Err(); err != nil {
		return err
	}
	t.net.mu.Lock()
	t.nodes = append(t.nodes, node)
	t.net.mu.Unlock()
	t.net.changed()
	return nil
}

// RemoveNode removes the node from the graph once.
func (t *Transport) RemoveNode(node ros2.NodeName) error {
	t.net.mu.Lock()
	i := slices.Index(t.nodes, node)
	if i >= 0 {
		t.nodes = slices.Delete(t.nodes, i, i+1)
	}
	t.net.mu.Unlock()
	if i < 0 {
		if err := t.Err(); err != nil {
			return err
		}
		return fmt.Errorf("remove node %s: it was not added", node.FullName())
	}
	t.net.changed()
	return nil
}

// NewWriter creates a publisher's writer.
func (t *Transport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	w := &writer{memoryEndpoint: memoryEndpoint{t: t, kind: ros2.PublisherEndpoint, cfg: cfg.EndpointConfig}}
	t.net.addWriter(w)
	return w, nil
}

// NewReader creates a subscription's reader. OnSample may run before it returns.
func (t *Transport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	r := &reader{
		memoryEndpoint: memoryEndpoint{t: t, kind: ros2.SubscriptionEndpoint, cfg: cfg.EndpointConfig},
		onSample:       cfg.OnSample, maxSize: cfg.MaxSampleSize,
	}
	t.net.addReader(r)
	return r, nil
}

// Exchange returns the exchange for shared messages of the transport's nodes.
func (t *Transport) Exchange() *ros2.Exchange { return &t.local }

// Close removes the writer.
func (w *writer) Close() error {
	w.mu.Lock()
	again := w.closed
	w.closed = true
	w.mu.Unlock()
	if !again {
		w.t.net.removeWriter(w)
	}
	return nil
}

// Close removes the reader.
func (r *reader) Close() error {
	r.mu.Lock()
	again := r.closed
	r.closed = true
	r.mu.Unlock()
	if !again {
		r.t.net.removeReader(r)
	}
	return nil
}

// Graph returns the nodes and endpoints of the whole network.
func (t *Transport) Graph() ros2.Graph {
	t.net.mu.Lock()
	defer t.net.mu.Unlock()
	return t.net.graphLocked()
}

// EndpointsOn implements [ros2.TopicTransport].
func (t *Transport) EndpointsOn(topic string) []ros2.EndpointInfo {
	t.net.mu.Lock()
	defer t.net.mu.Unlock()
	var g ros2.Graph
	for _, w := range t.net.writers {
		if w.cfg.Topic == topic {
			g.Endpoints = append(g.Endpoints, w.info())
		}
	}
	for _, r := range t.net.readers {
		if r.cfg.Topic == topic {
			g.Endpoints = append(g.Endpoints, r.info())
		}
	}
	g.Sort()
	return g.Endpoints
}

// CountNodes implements [ros2.NodeTransport].
func (t *Transport) CountNodes(name ros2.NodeName) (n int) {
	t.net.mu.Lock()
	defer t.net.mu.Unlock()
	for _, other := range t.net.transports {
		for _, node := range other.nodes {
			if node == name {
				n++
			}
		}
	}
	return n
}

// OnGraphChange calls f after each change, on the goroutine that made it.
func (t *Transport) OnGraphChange(f func()) (cancel func()) { return t.net.observers.Add(f) }

// Done is closed by Close and Break.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err returns why Done is closed.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// Close removes all nodes and endpoints from the network.
func (t *Transport) Close() error {
	t.fail(fmt.Errorf("transport: %w", ros2.ErrClosed))
	var errs []error
	t.net.mu.Lock()
	writers, readers := slices.Clone(t.net.writers), slices.Clone(t.net.readers)
	t.nodes = nil
	t.net.mu.Unlock()
	for _, w := range writers {
		if w.t == t {
			errs = append(errs, w.Close())
		}
	}
	for _, r := range readers {
		if r.t == t {
			errs = append(errs, r.Close())
		}
	}
	errs = append(errs, t.closeServices())
	t.net.changed()
	return errors.Join(errs...)
}

// fail closes Done with a reason, once.
func (t *Transport) fail(reason error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = reason
		close(t.done)
	}
}
