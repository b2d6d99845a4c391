// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"fmt"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// memoryEndpoint is the common part of writers and readers. peers is guarded by the network's mutex; events keeps the
// calls of OnMatch in order.
type memoryEndpoint struct {
	t      *Transport
	kind   ros2.EndpointKind
	gid    ros2.GID
	cfg    ros2.EndpointConfig
	events sync.Mutex
	peers  int
}

// GID identifies the endpoint in the graph.
func (e *memoryEndpoint) GID() ros2.GID { return e.gid }

func (e *memoryEndpoint) info() ros2.EndpointInfo {
	return ros2.EndpointInfo{
		Kind: e.kind, Node: e.cfg.Node, Topic: e.cfg.Topic, Type: e.cfg.Type,
		TypeHash: e.cfg.TypeHash, QoS: e.cfg.QoS, GID: e.gid,
	}
}

// reportMatched calls OnMatch with the current count; the caller holds no lock.
func (e *memoryEndpoint) reportMatched() {
	e.events.Lock()
	defer e.events.Unlock()
	e.t.net.mu.Lock()
	n := e.peers
	e.t.net.mu.Unlock()
	if e.cfg.OnMatch != nil {
		e.cfg.OnMatch(n)
	}
}

// reportIncompatible calls OnIncompatible on both sides.
func reportIncompatible(a, b *memoryEndpoint, policies ros2.QoSPolicy) {
	if a.cfg.OnIncompatible != nil {
		a.cfg.OnIncompatible(b.info(), policies)
	}
	if b.cfg.OnIncompatible != nil {
		b.cfg.OnIncompatible(a.info(), policies)
	}
}

// writer implements ros2.Writer.
type writer struct {
	memoryEndpoint
	mu       sync.Mutex // held during a delivery, to keep the order
	seq      int64
	history  []stored // of a transient-local writer, oldest first
	matched  []*reader
	closed   bool
	snapshot []*reader // of matched, reused by each delivery
}

// stored is a message kept for late readers.
type stored struct {
	payload []byte
	info    ros2.MessageInfo
}

// reader implements ros2.Reader.
type reader struct {
	memoryEndpoint
	onSample func(ros2.Sample)
	maxSize  int
	mu       sync.Mutex // held during a callback: Close waits for it
	closed   bool
}

// deliver calls the callback unless the reader is closed or the payload too large.
func (r *reader) deliver(payload []byte, info ros2.MessageInfo) {
	if r.maxSize > 0 && len(payload) > r.maxSize {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.onSample(ros2.Sample{Payload: payload, Info: info})
	}
}

// Write delivers the payload to the matched readers.
func (w *writer) Write(payload []byte) error {
	if err := w.t.writeError(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fmt.Errorf("write on %s: %w", w.cfg.Topic, ros2.ErrClosed)
	}
	w.seq++
	now := w.t.net.clock.Now()
	info := ros2.MessageInfo{SourceTime: now, ReceivedTime: now, Publisher: w.gid, Sequence: w.seq}
	w.t.record(w.cfg.Topic, payload, info)
	if q := w.cfg.QoS; q.Durability == ros2.TransientLocal {
		w.history = append(w.history, stored{slices.Clone(payload), info})
		if q.History == ros2.KeepLast && len(w.history) > q.EffectiveDepth() {
			w.history = w.history[1:]
		}
	}
	w.t.net.mu.Lock()
	w.snapshot = append(w.snapshot[:0], w.matched...)
	w.t.net.mu.Unlock()
	for _, r := range w.snapshot {
		r.deliver(payload, info)
	}
	return nil
}
