// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// freeSpace removes samples from a keep-all history until one more of size bytes fits, and reports whether it does:
// first samples that every reliable reader has acknowledged, then samples that only slow readers lack.
//
// In DDS a write may block for max_blocking_time when a reader does not acknowledge (DDS 1.4, 2.2.3.14). Here a write
// never blocks, because it may be made by a control loop, or by the goroutine that receives the acknowledgments.
// Instead, a sample that some readers have acknowledged is kept for the slow ones for max_blocking_time, or longer
// while there is space. A sample that every reader lacks is not dropped: the write fails.
func (w *Writer) freeSpace(size int) bool {
	acked := w.releasable()
	for w.hist.First() <= acked && (w.hist.Full() || w.cfg.QoS.Durability == wire.Volatile) {
		w.hist.Remove(w.hist.First())
	}
	for !w.fits(size, acked) {
		oldest := w.hist.First()
		if !w.expendable(oldest) {
			return false
		}
		w.hist.Remove(oldest)
		w.p.stats.SamplesAbandoned++
	}
	return true
}

// fits removes samples up to number acked, as far as needed, and reports whether one more of size bytes fits.
func (w *Writer) fits(size int, acked wire.SequenceNumber) bool {
	return !w.hist.Full() && w.hist.Fit(size, acked)
}

// ackedByAll returns the highest number that all reliable readers have acknowledged.
func (w *Writer) ackedByAll() wire.SequenceNumber {
	acked := w.hist.Next() - 1
	for _, r := range w.readers {
		if r.needsAck() {
			acked = min(acked, r.acked)
		}
	}
	return acked
}

// releasable returns the highest number that a keep-all history need not keep: acknowledged by all reliable readers
// that were matched when it was written.
func (w *Writer) releasable() wire.SequenceNumber {
	last := w.hist.Next() - 1
	for _, r := range w.readers {
		if r.needsAck() {
			last = min(last, max(r.acked, r.heldFrom-1))
		}
	}
	return last
}

// expendable reports whether a sample may be dropped although not every reader has acknowledged it: max_blocking_time
// has passed, and some reader has acknowledged it and would otherwise lose later samples.
func (w *Writer) expendable(sn wire.SequenceNumber) bool {
	limit := w.cfg.QoS.MaxBlocking
	c := w.hist.Get(sn)
	if c == nil || w.guid.Entity.IsBuiltin() || limit.IsInfinite() || time.Since(c.At) < limit.Duration() {
		return false
	}
	for _, r := range w.readers {
		if !r.needsAck() || r.acked >= sn {
			return true
		}
	}
	return false
}
