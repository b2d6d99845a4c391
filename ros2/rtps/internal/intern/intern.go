// SPDX-License-Identifier: Apache-2.0

// Package intern keeps one copy of values that many endpoints have in common: type names, user data with type hashes,
// and QoS. A table has a fixed size and drops values, since any peer can send new ones.
package intern

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Bounds of a table: the number of slots for strings and for bytes, the longest text that is remembered, bytes, and the
// number of slots for QoS (a process uses few profiles).
const (
	slots    = 256
	maxLen   = 256
	qosSlots = 16
)

// Table holds the most recent values. It is not safe for concurrent use.
type Table struct {
	seed    maphash.Seed
	strings [slots]string
	bytes   [slots][]byte
	qos     [qosSlots]*wire.QoS
	oldest  int // of qos
}

// New returns an empty table.
func New() *Table { return &Table{seed: maphash.MakeSeed()} }

// String returns a string equal to s: one that was returned before, if the table remembers it.
func (t *Table) String(s string) string {
	if len(s) > maxLen {
		return s
	}
	slot := &t.strings[maphash.String(t.seed, s)%slots]
	if *slot != s {
		*slot = strings.Clone(s)
	}
	return *slot
}

// Bytes returns a slice with the bytes of b: one that was returned before, if the table still holds it, otherwise a
// copy. It must not be modified.
func (t *Table) Bytes(b []byte) []byte {
	if b == nil {
		return nil
	}
	if len(b) > maxLen {
		return bytes.Clone(b)
	}
	slot := &t.bytes[maphash.Bytes(t.seed, b)%slots]
	if *slot == nil || !bytes.Equal(*slot, b) {
		*slot = bytes.Clone(b)
	}
	return *slot
}

// QoS returns a QoS equal to q: one that was returned before, if the table still holds it, otherwise a copy. It must
// not be changed.
func (t *Table) QoS(q *wire.QoS) *wire.QoS {
	for _, known := range t.qos {
		if known != nil && known.Equal(q) {
			return known
		}
	}
	c := *q
	c.Partition, c.Representation = slices.Clone(q.Partition), slices.Clone(q.Representation)
	t.qos[t.oldest] = &c
	t.oldest = (t.oldest + 1) % qosSlots
	return &c
}
