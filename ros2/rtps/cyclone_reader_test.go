// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	counts "github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/count"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// linkLoss is the share of each kind of submessage that a link loses, each by itself.
type linkLoss struct{ data, heartbeat, heartbeatFrag, gap, ack, nackFrag float64 }

// cycloneReader is a volatile reliable reader that behaves as one of Cyclone DDS 0.10.2 does (q_receive.c,
// ddsi_acknack.c, q_xevent.c), behind a link that loses submessages and delays each by itself, in both directions.
type cycloneReader struct {
	s              *scripted
	reader, writer wire.EntityID

	mu     sync.Mutex
	random *rand.Rand
	loss   linkLoss
	jitter time.Duration

	// Its proxy writer.
	seen      bool                // it has received a HEARTBEAT
	next      wire.SequenceNumber // the first sample not received yet
	last      wire.SequenceNumber // the highest number known …
	lastFrag  wire.FragmentNumber // … and the last fragment of it that is known to have been sent
	parts     map[wire.SequenceNumber]map[wire.FragmentNumber]bool
	whole     map[wire.SequenceNumber]bool
	delivered []wire.SequenceNumber
	skipped   []wire.SequenceNumber // lost for good
	before    wire.SequenceNumber   // the last one delivered before it forgot the writer

	// Its ACKNACK event.
	created                          time.Time // when it matched the writer
	ackAt, nackAt                    time.Time // the last ones
	eventAt                          time.Time // zero for none
	heartbeats                       counts.Filter
	heartbeatSince, fragSince, asked bool                // since the last response; asked: not final
	nackedTo                         wire.SequenceNumber // the number after the last one requested …
	nackedFrag                       wire.FragmentNumber // … and the fragment of it
	ackedTo                          wire.SequenceNumber // the base of the last ACKNACK
	ackCount, nackCount              wire.Count

	fragments      []wire.FragmentNumber // of each sample, 0 for a DATA
	written, acked wire.SequenceNumber   // by the writer, and what it knows to be acknowledged
	requestedAt    time.Time             // the first request since the writer sent something, zero for none
	longest        time.Duration         // from a request to the next submessage
	heartbeatsSent int
	fragmentsSent  int
	requests       int       // NACK_FRAGs
	begun, ended   time.Time // when the first and last fragment of the latest sample were sent for the first time
}

// lastUnknown is lastFrag of a sample whose fragments have all been sent.
const lastUnknown = ^wire.FragmentNumber(0)

const (
	cycloneAckDelay  = 10 * time.Millisecond
	cycloneNackDelay = 100 * time.Millisecond
	cycloneRepeat    = 3 * time.Second // its AutoReschedNackDelay
)

// lossyLink is a link to a cycloneReader.
type lossyLink struct {
	loss   linkLoss
	jitter time.Duration // each submessage is delayed by up to this
	late   time.Duration // the reader matches the writer so long after the writer matched the reader
}

// newCycloneReader matches a reader with a writer of ours. fragments are the numbers of fragments of the samples, 0 for
// a DATA.
func newCycloneReader(s *scripted, w *rtps.Writer, seed uint64, link lossyLink, fragments []wire.FragmentNumber) *cycloneReader {
	s.t.Helper()
	s.prefix[0], s.prefix[1] = byte(wire.VendorCyclone>>8), byte(wire.VendorCyclone&0xff)
	s.announce()
	r := &cycloneReader{
		s: s, writer: w.GUID().Entity, random: rand.New(rand.NewPCG(seed, 1)), next: 1, created: time.Now().Add(link.late),
		loss: link.loss, jitter: link.jitter,
		parts: map[wire.SequenceNumber]map[wire.FragmentNumber]bool{}, whole: map[wire.SequenceNumber]bool{}, fragments: fragments,
	}
	s.net.Watch(r.watch)
	e, _ := s.silentReader(w)
	r.locked(func() {
		r.reader = e.GUID.Entity
		r.schedule(r.created.Add(cycloneAckDelay))
	})
	return r
}

// forget makes the reader lose its state of the writer, as when the lease of the writer's participant expires, and
// match it again.
func (r *cycloneReader) forget() {
	r.locked(func() {
		r.created, r.before = time.Now(), r.next-1
		r.seen, r.next, r.last, r.lastFrag = false, 1, 0, 0
		clear(r.parts)
		clear(r.whole)
		r.ackAt, r.nackAt, r.eventAt, r.requestedAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
		r.heartbeats = counts.Filter{}
		r.heartbeatSince, r.fragSince, r.asked = false, false, false
		r.nackedTo, r.nackedFrag, r.ackedTo = 0, 0, 0
		r.ackCount, r.nackCount = 0, 0
		r.schedule(r.created.Add(cycloneAckDelay))
	})
}

func (r *cycloneReader) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// carry loses a submessage or delivers it later.
func (r *cycloneReader) carry(loss float64, take func()) {
	if r.random.Float64() >= loss {
		time.AfterFunc(time.Duration(r.random.Int64N(int64(r.jitter)+1)), func() {
			r.locked(func() {
				if !time.Now().Before(r.created) {
					take()
				}
			})
		})
	}
}

// watch handles the datagrams of our participant.
func (r *cycloneReader) watch(from, to netip.AddrPort, datagram []byte) {
	if from.Addr() == r.s.net.Host(1).Addr() && to.Addr() == r.s.at.Addr() {
		r.locked(func() { _ = wire.Walk(datagram, fromWriter{r: r}) })
	}
}

// fromWriter passes on the writer's submessages.
type fromWriter struct {
	wire.NopHandler
	r *cycloneReader
}

// sent records that the writer sends something.
func (r *cycloneReader) sent() {
	if !r.requestedAt.IsZero() {
		r.longest = max(r.longest, time.Since(r.requestedAt))
	}
	r.requestedAt = time.Time{}
}

func (f fromWriter) HandleData(_ *wire.Receiver, m *wire.Data) {
	if r, sn := f.r, m.SN; m.Writer == r.writer {
		r.sent()
		r.carry(r.loss.data, func() { r.onSample(sn) })
	}
}

func (f fromWriter) HandleDataFrag(_ *wire.Receiver, m *wire.DataFrag) {
	if r, sn, frag := f.r, m.SN, m.First; m.Writer == r.writer {
		r.sent()
		r.recordFragment(sn, frag)
		r.carry(r.loss.data, func() { r.onFragment(sn, frag) })
	}
}

// recordFragment records that the writer sends a fragment.
func (r *cycloneReader) recordFragment(sn wire.SequenceNumber, f wire.FragmentNumber) {
	r.fragmentsSent++
	switch {
	case sn != r.written:
	case f == 1 && r.begun.IsZero():
		r.begun = time.Now()
	case f == r.fragments[sn-1] && r.ended.IsZero():
		r.ended = time.Now()
	}
}

func (f fromWriter) HandleHeartbeat(_ *wire.Receiver, m *wire.Heartbeat) {
	if r, hb := f.r, *m; m.Writer == r.writer {
		r.sent()
		r.heartbeatsSent++
		r.carry(r.loss.heartbeat, func() { r.onHeartbeat(&hb) })
	}
}

func (f fromWriter) HandleHeartbeatFrag(_ *wire.Receiver, m *wire.HeartbeatFrag) {
	if r, hb := f.r, *m; m.Writer == r.writer {
		r.sent()
		r.carry(r.loss.heartbeatFrag, func() { r.onHeartbeatFrag(&hb) })
	}
}

func (f fromWriter) HandleGap(_ *wire.Receiver, m *wire.Gap) {
	if r, gap := f.r, *m; m.Writer == r.writer {
		r.sent()
		r.carry(r.loss.gap, func() {
			for first, last := range gap.Intervals {
				for sn := max(first, r.next); sn <= last; sn++ {
					r.onSample(sn)
				}
			}
		})
	}
}

// know records that a sample exists up to a fragment.
func (r *cycloneReader) know(sn wire.SequenceNumber, last wire.FragmentNumber) {
	if sn > r.last {
		r.last, r.lastFrag = sn, last
	} else if sn == r.last {
		r.lastFrag = max(r.lastFrag, last)
	}
}

func (r *cycloneReader) onSample(sn wire.SequenceNumber) {
	r.know(sn, lastUnknown)
	if sn >= r.next {
		r.whole[sn] = true
		delete(r.parts, sn)
		r.advance()
	}
}

func (r *cycloneReader) onFragment(sn wire.SequenceNumber, f wire.FragmentNumber) {
	r.know(sn, f)
	if sn < r.next || r.whole[sn] {
		return
	}
	if r.parts[sn] == nil {
		r.parts[sn] = map[wire.FragmentNumber]bool{}
	}
	if r.parts[sn][f] = true; len(r.parts[sn]) == int(r.fragments[sn-1]) {
		r.onSample(sn)
	}
}

// advance delivers what is complete.
func (r *cycloneReader) advance() {
	for r.whole[r.next] {
		r.delivered = append(r.delivered, r.next)
		r.next++
	}
}

// onHeartbeat is handle_Heartbeat: the first one, whatever its count, decides where the reader starts.
func (r *cycloneReader) onHeartbeat(m *wire.Heartbeat) {
	end := m.First
	if !r.seen {
		r.seen, end = true, m.Last+1
	}
	r.know(m.Last, lastUnknown)
	for ; r.next < end; r.next++ {
		if r.whole[r.next] {
			r.delivered = append(r.delivered, r.next)
			continue
		}
		if r.next > r.before {
			r.skipped = append(r.skipped, r.next)
		}
		delete(r.parts, r.next)
	}
	r.advance()
	now := time.Now()
	if !r.heartbeats.Accept(m.Count, now) {
		return
	}
	r.heartbeatSince, r.asked = true, r.asked || !m.Final
	switch kind, _, _ := r.decide(now); kind {
	case suppressedAck:
	case suppressedNack:
		r.schedule(r.nackAt.Add(cycloneNackDelay))
	default:
		r.schedule(now)
	}
}

// onHeartbeatFrag is handle_HeartbeatFrag.
func (r *cycloneReader) onHeartbeatFrag(m *wire.HeartbeatFrag) {
	if r.know(m.SN, m.Last); !r.seen || m.SN < r.next || r.whole[m.SN] {
		return
	}
	if set := r.missingOf(m.SN, m.Last); set.NumBits > 0 {
		r.fragSince = true
		r.schedule(time.Now().Add(cycloneNackDelay))
	}
}

// missingOf returns the missing fragments of a sample that can be requested at a time.
func (r *cycloneReader) missingOf(sn wire.SequenceNumber, last wire.FragmentNumber) (set wire.FragmentNumberSet) {
	for f := wire.FragmentNumber(1); f <= min(last, r.fragments[sn-1]) && (set.Base == 0 || f < set.Base+256); f++ {
		if r.parts[sn][f] {
			continue
		}
		if set.Base == 0 {
			set.Base = f
		}
		set.Add(f)
	}
	return set
}

// missing is add_AckNack_makebitmaps: what an ACKNACK and a NACK_FRAG request, and whether they request anything.
func (r *cycloneReader) missing() (set wire.SequenceNumberSet, nack *wire.NackFrag, any bool) {
	set.Base = r.next
	for sn := r.next; sn <= r.last && sn < r.next+wire.MaxSetBits; sn++ {
		if r.whole[sn] {
			continue
		}
		last := lastUnknown
		if sn == r.last {
			last = r.lastFrag
		}
		if len(r.parts[sn]) == 0 && last == lastUnknown {
			set.Add(sn)
			continue
		}
		if frags := r.missingOf(sn, last); frags.NumBits > 0 {
			return set, &wire.NackFrag{Reader: r.reader, Writer: r.writer, SN: sn, State: frags}, true
		}
		return set, nil, !set.Empty()
	}
	return set, nil, !set.Empty()
}

// response is what an ACKNACK event sends.
type response int

const (
	ack response = iota
	fullNack
	fragsOnly
	suppressedAck
	suppressedNack
)

// decide is get_AckNack_info.
func (r *cycloneReader) decide(now time.Time) (kind response, set wire.SequenceNumberSet, nack *wire.NackFrag) {
	set, nack, any := r.missing()
	kind = ack
	if any {
		first := wire.FragmentNumber(0)
		if nack != nil {
			first = nack.State.Base
		}
		switch {
		case set.Base > r.nackedTo || set.Base == r.nackedTo && first >= r.nackedFrag, !now.Before(r.nackAt.Add(cycloneNackDelay)):
			kind = fullNack
		default:
			kind, set, nack = suppressedNack, wire.SequenceNumberSet{Base: set.Base}, nil
		}
	}
	switch {
	case kind == fullNack && set.Empty() && !r.asked:
		kind = fragsOnly
	case kind == fullNack:
	case !r.heartbeatSince || !r.asked:
		kind = suppressedAck
	case set.Base <= r.ackedTo && now.Before(r.ackAt.Add(cycloneAckDelay)):
		kind = suppressedAck
	}
	return kind, set, nack
}

// schedule is resched_xevent_if_earlier.
func (r *cycloneReader) schedule(at time.Time) {
	if !r.eventAt.IsZero() && !at.Before(r.eventAt) {
		return
	}
	r.eventAt = at
	time.AfterFunc(time.Until(at), func() {
		r.locked(func() {
			if now := time.Now(); !r.eventAt.IsZero() && !now.Before(r.eventAt) {
				r.eventAt = time.Time{}
				r.event(now)
			}
		})
	})
}

// event is handle_xevk_acknack.
func (r *cycloneReader) event(now time.Time) {
	if !r.seen {
		r.preempt(now)
		return
	}
	kind, set, nack := r.decide(now)
	if kind == suppressedAck {
		return
	}
	if !r.heartbeatSince && !r.fragSince {
		if kind == ack {
			return
		}
		if at := r.nackAt.Add(cycloneRepeat); now.Before(at) {
			r.schedule(at)
			return
		}
	}
	r.heartbeatSince, r.fragSince = false, false
	if kind != fragsOnly {
		r.asked, r.ackAt = false, now
	}
	r.ackedTo = set.Base
	switch kind {
	case fullNack, fragsOnly:
		r.nackAt, r.nackedTo, r.nackedFrag = now, set.Base+wire.SequenceNumber(set.NumBits), 0
		if nack != nil {
			r.nackedFrag = nack.State.Base + wire.FragmentNumber(nack.State.NumBits)
		}
		r.schedule(now.Add(cycloneRepeat))
	case suppressedNack:
		r.schedule(r.nackAt.Add(cycloneNackDelay))
	}
	if nack != nil {
		r.requests++
		r.nackCount++
		nack.Count = r.nackCount
	}
	r.ackCount++
	r.respond(kind, wire.AckNack{Reader: r.reader, Writer: r.writer, State: set, Count: r.ackCount, Final: true}, nack)
}

// preempt is make_preemptive_acknack.
func (r *cycloneReader) preempt(now time.Time) {
	period := time.Second
	if r.ackAt.Sub(r.created) > 10*time.Second {
		period = 2 * time.Second
	}
	if at := r.ackAt.Add(period); !r.ackAt.IsZero() && now.Before(at) {
		r.schedule(at)
		return
	}
	r.ackAt = now
	r.schedule(now.Add(period))
	r.respond(ack, wire.AckNack{Reader: r.reader, Writer: r.writer, State: wire.SequenceNumberSet{Base: 1}}, nil)
}

// respond sends an ACKNACK and a NACK_FRAG.
func (r *cycloneReader) respond(kind response, m wire.AckNack, nack *wire.NackFrag) {
	if kind != fragsOnly {
		r.carry(r.loss.ack, func() {
			r.acked = max(r.acked, m.State.Base-1)
			r.inject(!m.Final || !m.State.Empty() || r.acked < r.written, func(b *wire.Builder) { b.AckNack(&m) })
		})
	}
	if nack != nil {
		r.carry(r.loss.nackFrag, func() { r.inject(true, func(b *wire.Builder) { b.NackFrag(nack) }) })
	}
}

// inject sends a datagram to our participant. request means that it requests something.
func (r *cycloneReader) inject(request bool, build func(b *wire.Builder)) {
	b := wire.NewBuilder(wire.MaxMessageSize)
	b.Begin(r.s.prefix)
	build(b)
	if request && r.requestedAt.IsZero() {
		r.requestedAt = time.Now()
	}
	to := netip.AddrPortFrom(r.s.net.Host(1).Addr(), udp.UnicastPort(5, 0, udp.UserTraffic))
	datagram := b.Bytes()
	go r.s.net.Inject(r.s.at, to, datagram) // not while locked
}
