// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
)

// Lend returns shared memory for a payload of up to size bytes, an empty slice with that capacity, to be passed to
// [Writer.WriteLent] once. It is nil if no matched reader can read it there, or if what readers have on loan leaves no
// space: then the payload is written elsewhere.
func (w *Writer) Lend(size int) (lent []byte) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	m := &w.p.shared
	if w.closed || m.area == nil || m.unwritable || size > maxSampleSize || !w.shares() {
		return nil
	}
	b, err := m.area.Lend(size)
	if err != nil {
		m.failed(err)
		return nil
	}
	return b.Space()
}

// shares reports whether a matched reader reads the shared memory.
func (w *Writer) shares() bool {
	for _, r := range w.readers {
		if r.remote != nil && r.remote.shared.available {
			return true
		}
	}
	return false
}

// WriteLent is [Writer.Write] for a payload at the beginning of lent memory: it is not copied. A payload that has grown
// beyond its capacity, and is elsewhere, is copied. In any case the memory must not be used afterwards. Without a
// payload nothing is written.
func (w *Writer) WriteLent(lent, payload []byte) error {
	w.p.mu.Lock()
	err := w.writeLent(w.p.shared.lent(lent), payload)
	if w.holds {
		w.p.mu.Unlock() // there is nothing to send yet
	} else {
		w.p.unlock()
	}
	return err
}

func (w *Writer) writeLent(b *shm.Block, payload []byte) (err error) {
	inPlace := b != nil && unsafe.SliceData(b.Space()) == unsafe.SliceData(payload)
	published := false
	if len(payload) > 0 {
		err = w.writeLocked(func(c *history.Change) {
			if !inPlace {
				c.SetPayload(payload)
				return
			}
			published = true
			w.p.shared.area.Publish(b, len(payload), w)
			w.p.stats.SamplesShared++
			c.SetSource(b)
		}, len(payload))
	}
	if b != nil && !published {
		b.Return()
	}
	return err
}

// Evict implements [shm.Keeper]: the history copies a payload whose memory is needed.
func (w *Writer) Evict(b *shm.Block) bool {
	for sn := w.hist.First(); sn < w.hist.Next(); sn++ {
		if c := w.hist.Get(sn); c != nil && c.Source() == history.Source(b) {
			return w.hist.Keep(c)
		}
	}
	return false // it is being sent, and was removed from the history
}
