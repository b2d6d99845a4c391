// SPDX-License-Identifier: Apache-2.0

package record

import (
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
)

// cache holds the messages that are received and not yet written. Adding a message costs a copy and does not wait for
// the disk. It is safe for concurrent use.
type cache struct {
	chunkSize, limit int
	wake             chan struct{} // capacity 1: a full chunk is ready

	mu      sync.Mutex
	mode    mode
	preRoll uint64 // ns
	active  *mcap.Chunk
	sealed  []*mcap.Chunk // oldest first
	spare   []*mcap.Chunk
	bytes   int // of sealed
	lost    Losses
}

// mode is the treatment of messages.
type mode uint8

const (
	discard mode = iota // nothing is recorded
	ring                // the latest are kept: for the pre-roll, or while the disk is full
	pass                // they are written to disk
)

func newCache(chunkSize, limit int) *cache {
	return &cache{chunkSize: chunkSize, limit: limit, wake: make(chan struct{}, 1), active: new(mcap.Chunk)}
}

// put adds a message and reports whether it is kept. Messages that do not fit are counted.
func (c *cache) put(channel uint16, sequence uint32, logTime, publishTime uint64, data []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mode == discard {
		return false
	}
	size := len(data) + 31 // with the record's head
	if c.active.Size() > 0 && c.active.Size()+size > c.chunkSize {
		c.sealLocked()
	}
	for c.mode == ring && len(c.sealed) > 0 && c.bytes+c.active.Size()+size > c.limit {
		c.dropLocked(false)
	}
	if c.bytes+c.active.Size()+size > c.limit {
		*c.causeLocked()++
		return false
	}
	c.active.Add(channel, sequence, logTime, publishTime, data)
	return true
}

// sealLocked closes the current chunk.
func (c *cache) sealLocked() {
	if c.active.Len() == 0 {
		return
	}
	c.sealed = append(c.sealed, c.active)
	c.bytes += c.active.Size()
	c.active = new(mcap.Chunk)
	if n := len(c.spare); n > 0 {
		c.active, c.spare = c.spare[n-1], c.spare[:n-1]
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// seal closes the current chunk, and drops chunks older than the pre-roll.
func (c *cache) seal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sealLocked()
	if c.mode != ring || c.preRoll == 0 || len(c.sealed) == 0 {
		return
	}
	_, newest := c.sealed[len(c.sealed)-1].Span()
	for len(c.sealed) > 1 {
		if _, end := c.sealed[0].Span(); newest-min(end, newest) <= c.preRoll {
			return
		}
		c.dropLocked(true)
	}
}

// dropLocked drops the oldest chunk; messages that should have been written are counted as lost.
func (c *cache) dropLocked(meant bool) {
	old := c.sealed[0]
	c.sealed = c.sealed[1:]
	c.bytes -= old.Size()
	if !meant && c.preRoll == 0 {
		*c.causeLocked() += uint64(old.Len())
	}
	c.keepLocked(old)
}

// causeLocked returns the counter of messages that do not fit: while the disk is full the cache is a ring without a
// pre-roll.
func (c *cache) causeLocked() *uint64 {
	if c.mode == ring && c.preRoll == 0 {
		return &c.lost.Disk
	}
	return &c.lost.Queue
}

// keepLocked keeps the memory of a chunk for reuse, up to a few chunks.
func (c *cache) keepLocked(old *mcap.Chunk) {
	if len(c.spare) < 3 && old.Size() <= 2*c.chunkSize {
		old.Reset()
		c.spare = append(c.spare, old)
	}
}

// pop returns the oldest sealed chunk; nil if there is none or the mode is not pass.
func (c *cache) pop() *mcap.Chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mode != pass || len(c.sealed) == 0 {
		return nil
	}
	next := c.sealed[0]
	c.sealed = c.sealed[1:]
	return next
}

// done releases the memory of a chunk that was written, putBack returns one that was not.
func (c *cache) done(chunk *mcap.Chunk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes -= chunk.Size()
	c.keepLocked(chunk)
}

func (c *cache) putBack(chunk *mcap.Chunk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sealed = append([]*mcap.Chunk{chunk}, c.sealed...)
}

// set changes the mode; a ring with a pre-roll of 0 is bounded by the cache's size only.
func (c *cache) set(m mode, preRoll time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mode, c.preRoll = m, uint64(preRoll)
	if m == discard {
		c.active.Reset()
		c.sealed, c.bytes = nil, 0
	}
}

// abandon drops the chunks that wait for a disk that is full or has failed, and counts their messages as lost.
func (c *cache) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.sealed) > 0 {
		c.lost.Disk += uint64(c.sealed[0].Len())
		c.dropLocked(true)
	}
}

// takeLost returns the messages lost since the last call.
func (c *cache) takeLost() Losses {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost := c.lost
	c.lost = Losses{}
	return lost
}
