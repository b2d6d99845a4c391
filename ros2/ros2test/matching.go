// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// related reports whether two endpoints have the same topic and type.
func related(a, b *memoryEndpoint) bool {
	return a.cfg.Topic == b.cfg.Topic && a.cfg.Type == b.cfg.Type
}

// addWriter matches a new writer with the existing readers.
func (n *Network) addWriter(w *writer) {
	n.mu.Lock()
	w.gid = w.t.newGIDLocked()
	n.writers = append(n.writers, w)
	readers := slices.Clone(n.readers)
	n.mu.Unlock()
	for _, r := range readers {
		n.pair(w, r)
	}
	n.changed()
}

// addReader matches a new reader with the existing writers.
func (n *Network) addReader(r *reader) {
	n.mu.Lock()
	r.gid = r.t.newGIDLocked()
	n.readers = append(n.readers, r)
	writers := slices.Clone(n.writers)
	n.mu.Unlock()
	for _, w := range writers {
		n.pair(w, r)
	}
	n.changed()
}

// pair matches the two if they are compatible, and reports the result to both.
func (n *Network) pair(w *writer, r *reader) {
	if !related(&w.memoryEndpoint, &r.memoryEndpoint) {
		return
	}
	if policies := ros2.IncompatiblePolicies(w.cfg.QoS, r.cfg.QoS); policies != 0 {
		reportIncompatible(&w.memoryEndpoint, &r.memoryEndpoint, policies)
		return
	}
	if w.match(r) {
		w.reportMatched()
		r.reportMatched()
	}
}

// match delivers the history to a late reader and adds the reader to the writer's. It returns false if one of them has
// been closed meanwhile, or if they have been matched from the other side.
func (w *writer) match(r *reader) bool {
	w.mu.Lock() // no message is written between the history and the match
	defer w.mu.Unlock()
	if !w.addReader(r) {
		return false
	}
	if r.cfg.QoS.Durability == ros2.TransientLocal {
		for _, s := range w.history {
			r.deliver(s.payload, s.info)
		}
	}
	return true
}

func (w *writer) addReader(r *reader) bool {
	n := w.t.net
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.writers, w) || !slices.Contains(n.readers, r) || slices.Contains(w.matched, r) {
		return false
	}
	w.matched = append(w.matched, r)
	w.peers++
	r.peers++
	return true
}

func (n *Network) removeWriter(w *writer) {
	n.mu.Lock()
	n.writers = slices.DeleteFunc(n.writers, func(x *writer) bool { return x == w })
	left := w.matched
	w.matched, w.peers = nil, 0
	for _, r := range left {
		r.peers--
	}
	n.mu.Unlock()
	for _, r := range left {
		r.reportMatched()
	}
	n.changed()
}

func (n *Network) removeReader(r *reader) {
	var left []*writer
	n.mu.Lock()
	n.readers = slices.DeleteFunc(n.readers, func(x *reader) bool { return x == r })
	r.peers = 0
	for _, w := range n.writers {
		if i := slices.Index(w.matched, r); i >= 0 {
			w.matched = slices.Delete(w.matched, i, i+1)
			w.peers--
			left = append(left, w)
		}
	}
	n.mu.Unlock()
	for _, w := range left {
		w.reportMatched()
	}
	n.changed()
}
