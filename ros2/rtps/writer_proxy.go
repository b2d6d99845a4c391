// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/count"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/interval"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// writerProxy is a reader's state for one matched writer (DDSI-RTPS 8.4.10.4). Guarded by Participant.mu.
//
// A reliable reader delivers in order: everything below next is delivered or irrelevant, early samples are held, and
// announced is the highest number that the writer announced. The state is kept by interval, not by number.
type writerProxy struct {
	r        *Reader
	guid     wire.GUID
	remote   *remoteParticipant
	dest     send.Destination // of its ACKNACKs
	data     *wire.EndpointData
	reliable bool // both ends are

	earlierMatch
	synced    bool // next was set by the first heartbeat
	next      wire.SequenceNumber
	announced wire.SequenceNumber
	delivered wire.SequenceNumber // the last one delivered in order
	doubt     doubt               // whether next is right
	held      []heldSample        // by rising number, all above next
	gaps      interval.List       // irrelevant numbers above next
	asm       reassembly.Assembler
	live      remoteLiveliness
	memory    *memory.Share

	hbCount      count.Filter
	hbfCount     count.Filter // of its HEARTBEAT_FRAGs
	unseen       unseenSample // a sample without any received fragment
	fragments    bool         // a HEARTBEAT_FRAG must be answered
	ackCount     wire.Count
	nfCount      wire.Count
	ack          alarm.Alarm
	ackTries     int // requests since the last heartbeat
	closed       bool
	ackMust      bool      // the last heartbeat requires an answer
	askedAt      time.Time // last request for missing data
	preemptiveAt time.Time // last pre-emptive ACKNACK
}

const (
	// maxHeld bounds the samples that wait for earlier ones: the window of one ACKNACK.
	maxHeld = wire.MaxSetBits
	// ackDelay is the delay between a heartbeat and its answer, so that one answers several.
	ackDelay = 10 * time.Millisecond
	// nackSpacing is the minimum time between two requests, so that the first is answered before the second.
	nackSpacing = 25 * time.Millisecond
	// preemptivePeriod is the first period of pre-emptive ACKNACKs, which request a heartbeat after a match. It doubles
	// up to preemptivePeriodMax.
	preemptivePeriod    = 100 * time.Millisecond
	preemptivePeriodMax = 3 * time.Second
	// maxNackTries is how often a request is repeated without a new heartbeat.
	maxNackTries = 5
)

// newWriterProxy matches r with a remote writer.
func newWriterProxy(r *Reader, remote *remoteParticipant, guid wire.GUID, data *wire.EndpointData, dest send.Destination) *writerProxy {
	w := &writerProxy{r: r, guid: guid, remote: remote, data: data, dest: dest, next: 1}
	w.ackCount, w.nfCount = r.p.countFloor, r.p.countFloor
	w.reliable = r.reliable() && data.QoS.Reliability == wire.Reliable
	w.memory = &remote.memory
	if r.builtin != nil {
		w.memory = &remote.discoveryMemory
	}
	var evictAbove func(wire.SequenceNumber) bool
	if w.reliable {
		evictAbove = w.evictAbove
	}
	w.asm = reassembly.New(w.memory, &r.p.assembly, r.cfg.MaxSampleSize, &r.p.datagrams, evictAbove)
	w.ack.Fire = w.onAckTimer
	w.resume, w.key = r.takePosition(guid)
	return w
}

// volatile reports whether the reader does not request samples from before the match.
func (w *writerProxy) volatile() bool { return w.r.cfg.QoS.Durability == wire.Volatile }

// onData handles a complete sample.
func (w *writerProxy) onData(sn wire.SequenceNumber, info *reassembly.Info, payload []byte) {
	compareKeys(w)
	if len(payload) > w.r.cfg.MaxSampleSize {
		w.skipTooLarge(sn)
		return
	}
	if sn < w.next {
		w.rewind(sn, w.r.p.in.now)
	}
	switch {
	case sn < w.next:
		w.r.p.drop(DropDuplicate)
	case !w.reliable:
		w.skipTo(sn)
		w.next, w.doubt = sn+1, doubt{}
		w.r.deliver(w, sn, info, payload, nil)
		w.asm.DropBelow(w.next)
	case sn == w.next && (w.synced || sn == 1 && w.resume == 0):
		// No sample precedes number 1, so no heartbeat is needed; that of Fast DDS may follow after up to 3 s.
		w.synced = true
		w.next++
		w.delivered = sn
		w.r.deliver(w, sn, info, payload, nil)
		w.advance()
	default:
		w.hold(sn, info, payload)
	}
}

// skipTo counts the best-effort samples lost before sn, if any were received earlier.
func (w *writerProxy) skipTo(sn wire.SequenceNumber) {
	if w.synced {
		w.r.lost(w.guid, int64(sn-w.next))
	}
	w.synced = true
}

// onFragments handles fragments of a sample.
func (w *writerProxy) onFragments(m *wire.DataFrag, info *reassembly.Info, now time.Time) {
	compareKeys(w)
	p := w.r.p
	if m.SN < w.next {
		w.rewind(m.SN, now)
	}
	if _, gap := w.gaps.Find(m.SN); gap || m.SN < w.next || w.holds(m.SN) {
		p.drop(DropDuplicate)
		return
	}
	if int64(m.SampleSize) > int64(w.r.cfg.MaxSampleSize) {
		p.drop(DropFragmentSize)
		w.skipTooLarge(m.SN)
		return
	}
	if w.reliable && m.SN >= w.next+maxHeld && w.synced {
		p.drop(DropFragmentWindow)
		return
	}
	done, _ := w.asm.Add(m, *info, w.reliable, now)
	if done == nil {
		return
	}
	sn := done.SN
	if w.r.builtin != nil || w.reliable && !(sn == w.next && w.synced) {
		w.onData(sn, &done.Info, done.Data)
		w.asm.Recycle(done)
		return
	}
	w.skipTo(sn)
	w.next, w.delivered, w.doubt = sn+1, sn, doubt{}
	if w.expired(done.Began) {
		p.drop(DropSampleExpired)
	} else {
		w.r.deliver(w, sn, &done.Info, done.Data, nil)
	}
	w.asm.Recycle(done)
	w.asm.DropBelow(w.next)
	w.advance()
}

// close frees the held samples, the buffers and the alarms.
func (w *writerProxy) close() {
	w.closed = true
	w.r.p.raiseCountFloor(w.ackCount)
	w.r.p.raiseCountFloor(w.nfCount)
	w.r.p.alarms.Cancel(&w.ack)
	for _, h := range w.held {
		w.memory.Release(len(h.data))
	}
	w.held, w.gaps = nil, nil
	w.asm.Close()
}

// raiseCountFloor makes later writer proxies start their counts above c. A remote writer that did not notice that our
// match ended and was made again compares the counts with those of the earlier proxy; Fast DDS rejects lower ones.
func (p *Participant) raiseCountFloor(c wire.Count) {
	if c.NewerThan(p.countFloor) {
		p.countFloor = c
	}
}
