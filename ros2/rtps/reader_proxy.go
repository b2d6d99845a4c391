// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/count"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// readerProxy is a writer's state for one matched reader (DDSI-RTPS 8.4.7.5). Guarded by Participant.mu.
//
// The boundaries of a writer's sequence numbers, as seen by one reader:
//
//	base ≤ …acked… < …sent, not acknowledged… < next ≤ …not yet sent… < history.next
type readerProxy struct {
	w        *Writer
	guid     wire.GUID
	remote   *remoteParticipant // nil for a reader of this participant
	local    *Reader            // that reader
	dest     send.Destination
	data     *wire.EndpointData
	variant  int
	reliable bool

	base  wire.SequenceNumber // first number that is relevant to it
	next  wire.SequenceNumber // next to be sent for the first time
	acked wire.SequenceNumber // highest number up to which everything is acknowledged or irrelevant

	// heldFrom is the first number that a keep-all history keeps for it. Older ones, from before the match, are sent
	// only while they are in the history: otherwise one late reader would block the writer until it has received the
	// whole history.
	heldFrom wire.SequenceNumber

	// sentBefore is the first number that was not sent before this process was last suspended. A reader that has lost
	// its state since then has received those below it.
	sentBefore wire.SequenceNumber

	answered   bool          // it has answered a heartbeat, so it has matched the writer
	unanswered int           // heartbeats sent to it before that
	verified   bool          // an answer in its name was received; who forges its address can forge that, too
	ackCount   count.Filter  // of its ACKNACKs
	nackCount  count.Filter  // of its NACK_FRAGs
	hbAlive    bool          // the heartbeat being sent asserts liveliness
	hbAt       alarm.Instant // when an acknowledgment was last requested

	wanted       wire.SequenceNumberSet // requested samples …
	wantedAt     wire.SequenceNumber    // … of which those from this number on are still to be resent
	frags        []fragmentRequest      // requested fragments
	fresh        transfer               // large sample being sent for the first time
	kept         *history.Change        // the last large sample that was sent, until it is acknowledged …
	keptAt       time.Time              // … and when it was sent, or last requested
	ackRequested bool                   // of kept, after newer samples had replaced it in the history
	losses       *send.Losses           // of large samples; nil before the first
	resending    transfer               // large sample being resent completely
	resentSN     wire.SequenceNumber    // last large sample that was resent completely …
	resentAt     time.Time              // … and when: requests for it within nackSuppression are ignored
	queued       bool                   // in Participant.bulk.readers
	piggybacked  bool                   // in piggyback.readers of its participant
	sharedSize   int                    // of the last sample sent in shared memory, bytes
	hbSeparate   bool                   // a heartbeat was sent after the last sample, in another datagram
}

// fragmentRequest is a NACK_FRAG whose fragments have not all been resent yet.
type fragmentRequest struct {
	sn   wire.SequenceNumber
	set  wire.FragmentNumberSet
	next wire.FragmentNumber
}

// maxFragmentRequests bounds the pending NACK_FRAGs of a reader.
const maxFragmentRequests = 8

// transfer is a large sample being sent fragment by fragment.
type transfer struct {
	c    *history.Change
	next wire.FragmentNumber
}

// needsAck reports whether samples must be kept until the reader acknowledges them.
func (r *readerProxy) needsAck() bool { return r.reliable && r.local == nil }

// unacked reports whether any sample, sent or not, is unacknowledged: heartbeats continue until all are acknowledged.
func (r *readerProxy) unacked() bool {
	return r.needsAck() && (r.acked < r.next-1 || r.next < r.w.hist.Next())
}

// durable reports whether the reader may request samples from before the match.
func (r *readerProxy) durable() bool {
	return r.reliable && r.w.cfg.QoS.Durability >= wire.TransientLocal && r.data.QoS.Durability >= wire.TransientLocal
}

// start initialises the sequence numbers of a new match: the reader may request all existing samples if both are
// transient-local, else none. They count as sent: the reader requests them after it has received a heartbeat.
func (r *readerProxy) start() {
	h := &r.w.hist
	r.base, r.next, r.heldFrom = h.Next(), h.Next(), h.Next()
	if r.durable() {
		r.base = h.First()
	}
	r.acked = r.base - 1
	r.shareBase()
}

// lostState reports whether an ACKNACK comes from a reader that has lost its state of this writer: our lease expired
// there while its own announcements kept arriving here. It has acknowledged samples before, or it is a Cyclone DDS
// reader, which sends no pre-emptive ACKNACK after it has received a HEARTBEAT.
func (r *readerProxy) lostState(m *wire.AckNack) bool {
	return r.answered && m.State.Base <= 1 && (r.acked >= r.base || m.Preemptive() && vendorOf(&r.guid, r.remote) == wire.VendorCyclone)
}

// restart resets the proxy of a reader that has lost its state to that of a new match. A transient-local reader may
// request the whole history. Any other is sent the samples that it has not acknowledged, the large ones from the first
// fragment, after it has answered a HEARTBEAT that does not announce them (see windowFull). resentSN and resentAt are
// kept: they delay the retransmission of a large sample by nackSuppression at most.
func (r *readerProxy) restart() {
	r.stop()
	if !r.durable() {
		r.acked = max(r.acked, r.sentBefore-1)
	}
	r.answered, r.unanswered, r.heldFrom = false, 0, r.acked+1
	r.nackCount, r.losses = count.Filter{}, nil
	r.wanted, r.wantedAt = wire.SequenceNumberSet{}, 0
	if !r.durable() {
		r.base, r.next = r.acked+1, r.acked+1
		r.shareBase()
	}
}

// shareBase sets the base of all readers of a Cyclone DDS participant to the lowest among them. Cyclone DDS applies the
// first number of a HEARTBEAT, and a GAP, that is addressed to one reader to all readers of the participant that match
// the writer (q_receive.c: both go to the proxy writer's only reorder buffer), so what is withheld from a late volatile
// reader would be lost to a transient-local one.
func (r *readerProxy) shareBase() {
	if vendorOf(&r.guid, r.remote) != wire.VendorCyclone {
		return
	}
	for _, e := range r.w.readers {
		if e.remote == r.remote {
			r.base = min(r.base, e.base)
		}
	}
	for _, e := range r.w.readers {
		if e.remote == r.remote {
			e.base = r.base
		}
	}
}

// sharesDirected reports whether a sample directed at another reader must be sent to this one, too: both belong to the
// same Cyclone DDS participant, where a GAP for this reader would remove the sample for the other (see shareBase).
func (r *readerProxy) sharesDirected(c *history.Change) bool {
	return vendorOf(&r.guid, r.remote) == wire.VendorCyclone && c.Target().Prefix == r.guid.Prefix
}

// sendHeartbeat sends the reader a HEARTBEAT with the available sequence numbers (8.3.7.5), without samples not yet
// sent completely.
func (r *readerProxy) sendHeartbeat(final bool, now alarm.Instant) {
	w := r.w
	w.hbCount++
	hb := wire.Heartbeat{Reader: r.guid.Entity, Writer: w.guid.Entity, First: r.firstHeld(), Last: r.next - 1, Count: w.hbCount, Final: final, Liveliness: r.hbAlive}
	w.p.tx.To(r.dest, hb.Size()).Heartbeat(&hb)
	if !final {
		r.hbAt = now
	}
}

// sendAlive sends the reader, best effort or not, a HEARTBEAT that asserts liveliness.
func (r *readerProxy) sendAlive(now alarm.Instant) {
	r.hbAlive = true
	r.sendHeartbeat(true, now)
	r.hbAlive = false
}

// sendGap sends the reader a GAP: the numbers from first to last are irrelevant to it (8.3.7.4).
func (r *readerProxy) sendGap(first, last wire.SequenceNumber) {
	gap := wire.NewGap(r.guid.Entity, r.w.guid.Entity, first, last)
	r.w.p.tx.To(r.dest, gap.Size()).Gap(&gap)
}

// sendData sends a sample that fits one datagram.
func (r *readerProxy) sendData(c *history.Change, to wire.EntityID) {
	payload := c.Payload(r.variant)
	d := &r.w.p.data
	*d = wire.Data{Reader: to, Writer: r.w.guid.Entity, SN: c.SN, Kind: c.Kind, Payload: payload}
	d.InlineQoS.Bytes = c.Inline
	if ref, ok := r.w.p.shared.reference(r, c); ok {
		m := &r.w.p.shared
		m.list = wire.AppendShared(m.list[:0], c.Inline, &ref)
		d.Kind, d.Payload, d.InlineQoS.Bytes = wire.PayloadNone, nil, m.list
	}
	o := r.w.p.tx.To(r.dest, d.Size()+infoTSSize)
	o.InfoTS(wire.TimeOf(c.At))
	o.Data(d)
}

// infoTSSize is the size of an INFO_TS submessage, bytes.
const infoTSSize = 12

// large reports whether the sample must be sent in fragments: it does not fit one datagram, and the reader cannot get
// it in shared memory.
func (r *readerProxy) large(c *history.Change) bool {
	if !c.Large(r.variant) {
		return false
	}
	_, shared := r.w.p.shared.reference(r, c)
	return !shared
}

// trailer is the submessage that follows a fragment in its datagram.
type trailer uint8

const (
	fragmentOnly      trailer = iota
	withHeartbeat             // after the last fragment
	withHeartbeatFrag         // lets the reader request lost fragments before all are sent
)

// heartbeatFragEvery is the number of fragments of a reliable sample between HEARTBEAT_FRAGs: about 86 KB.
const heartbeatFragEvery = 64

// sendFragment sends one fragment in a separate datagram.
func (r *readerProxy) sendFragment(c *history.Change, f wire.FragmentNumber, with trailer, now time.Time) {
	payload, size := c.Payload(r.variant), c.Fragment()
	from := int(f-1) * size
	m := wire.DataFrag{
		Reader: r.guid.Entity, Writer: r.w.guid.Entity, SN: c.SN, First: f, Count: 1, FragmentSize: uint16(size),
		SampleSize: uint32(len(payload)), Payload: payload[from:min(from+size, len(payload))],
	}
	m.InlineQoS.Bytes = c.Inline
	tx := &r.w.p.tx
	o := tx.To(r.dest, send.MaxDatagram-wire.HeaderSize-infoDstSize)
	o.InfoTS(wire.TimeOf(c.At))
	o.DataFrag(&m)
	switch with {
	case withHeartbeat:
		at := r.w.p.alarms.Instant(now)
		alone := !r.remote.piggyback.busy(at)
		next := r.w.hist.Next() > c.SN+1 // the next sample waits for the acknowledgment
		r.sendHeartbeat(!r.requestsAck(at) && !alone && !next, at)
	case withHeartbeatFrag:
		r.w.hbfCount++
		o.HeartbeatFrag(&wire.HeartbeatFrag{Reader: r.guid.Entity, Writer: r.w.guid.Entity, SN: c.SN, Last: f, Count: r.w.hbfCount})
	}
	tx.Finish(o)
}

// infoDstSize is the size of an INFO_DST submessage, bytes.
const infoDstSize = 16
