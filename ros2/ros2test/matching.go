// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// related tells whether two endpoints are of the same topic and type.
func related(a, b *endpoint) bool {
	return a.cfg.Topic == b.cfg.Topic && a.cfg.Type == b.cfg.Type
}

// addWriter matches a new writer with the readers there are.
func (n *Network) addWriter(w *writer) {
	var found, bad []*reader
	n.mu.Lock()
	w.gid = n.newGIDLocked()
	n.writers = append(n.writers, w)
	for _, r := range n.readers {
		switch {
		case !related(&w.endpoint, &r.endpoint):
		case ros2.IncompatiblePolicies(w.cfg.QoS, r.cfg.QoS) != 0:
			bad = append(bad, r)
		default:
			w.matched = append(w.matched, r)
			w.peers++
			r.peers++
			found = append(found, r)
		}
	}
	n.mu.Unlock()
	for _, r := range bad {
		tellIncompatible(&w.endpoint, &r.endpoint, ros2.IncompatiblePolicies(w.cfg.QoS, r.cfg.QoS))
	}
	for _, r := range found {
		r.tellMatched()
	}
	if len(found) > 0 {
		w.tellMatched()
	}
	n.changed()
}

// addReader matches a new reader with the writers there are.
func (n *Network) addReader(r *reader) {
	var found, bad []*writer
	n.mu.Lock()
	r.gid = n.newGIDLocked()
	n.readers = append(n.readers, r)
	for _, w := range n.writers {
		switch {
		case !related(&w.endpoint, &r.endpoint):
		case ros2.IncompatiblePolicies(w.cfg.QoS, r.cfg.QoS) != 0:
			bad = append(bad, w)
		default:
			w.peers++
			r.peers++
			found = append(found, w)
		}
	}
	n.mu.Unlock()
	for _, w := range bad {
		tellIncompatible(&r.endpoint, &w.endpoint, ros2.IncompatiblePolicies(w.cfg.QoS, r.cfg.QoS))
	}
	for _, w := range found {
		w.catchUp(r)
		n.mu.Lock()
		w.matched = append(w.matched, r)
		n.mu.Unlock()
		w.tellMatched()
	}
	if len(found) > 0 {
		r.tellMatched()
	}
	n.changed()
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
		r.tellMatched()
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
		w.tellMatched()
	}
	n.changed()
}
