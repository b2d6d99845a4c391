// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// maxLatched is the maximum size of a latched message that is kept for later files, bytes; maxPublishers is the maximum
// number of publishers.
const (
	maxLatched    = 4 << 20
	maxPublishers = 1000
)

// latched keeps the last message of each transient-local publisher. It is safe for concurrent use.
type latched struct {
	limit int // of their total bytes

	mu    sync.Mutex
	bytes int
	last  map[latchKey]latchedMessage
}

type latchKey struct {
	channel   uint16
	publisher ros2.GID
}

type latchedMessage struct {
	sequence             uint32
	logTime, publishTime uint64
	data                 []byte
	kept                 bool // it was recorded, too
}

// put keeps a message unless the limit is exceeded.
func (l *latched) put(channel uint16, publisher ros2.GID, sequence uint32, logTime, publishTime uint64, data []byte, kept bool) {
	if len(data) > maxLatched {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := latchKey{channel, publisher}
	old, known := l.last[key]
	if !known && len(l.last) >= maxPublishers {
		return
	}
	if l.bytes += len(data) - len(old.data); l.bytes > l.limit { // the previous message is obsolete
		l.bytes -= len(data)
		delete(l.last, key)
		return
	}
	if l.last == nil {
		l.last = map[latchKey]latchedMessage{}
	}
	l.last[key] = latchedMessage{sequence, logTime, publishTime, append(old.data[:0], data...), kept}
}

// forget drops the messages of publishers that have left.
func (l *latched) forget(present map[ros2.GID]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, m := range l.last {
		if !present[k.publisher] {
			l.bytes -= len(m.data)
			delete(l.last, k)
		}
	}
}

// since calls f with the messages that arrived after from, in order of arrival, and stamps them with now.
func (l *latched) since(from, now uint64, f func(channel uint16, m latchedMessage)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.ordered() {
		if m := l.last[k]; m.logTime > from {
			m.logTime, m.kept = now, true
			l.last[k] = m
			f(k.channel, m)
		}
	}
}

// ordered returns the keys in order of their messages' arrival.
func (l *latched) ordered() []latchKey {
	return slices.SortedFunc(maps.Keys(l.last), func(a, b latchKey) int {
		return cmp.Or(cmp.Compare(l.last[a].logTime, l.last[b].logTime), cmp.Compare(a.channel, b.channel), slices.Compare(a.publisher[:], b.publisher[:]))
	})
}

// before returns a chunk of the messages that arrived before start, or were not recorded, with start as their log
// time; nil if there is none.
func (l *latched) before(start uint64) *mcap.Chunk {
	l.mu.Lock()
	defer l.mu.Unlock()
	var c mcap.Chunk
	for _, k := range l.ordered() {
		if m := l.last[k]; m.logTime < start || !m.kept {
			m.kept = true
			l.last[k] = m
			c.Add(k.channel, m.sequence, start, m.publishTime, m.data)
		}
	}
	if c.Len() == 0 {
		return nil
	}
	return &c
}
