// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/discovery"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// submessageHandler is the wire.Handler of the datagram that is being received. Guarded by Participant.mu.
type submessageHandler struct {
	p    *Participant
	from netip.AddrPort
	size int
	// delivers means that the receiving goroutine makes the resulting calls before it receives another datagram.
	delivers bool
	now      time.Time
	remote   *remoteParticipant // the source, once looked up
	info     reassembly.Info    // of the sample being handled; here because it would escape from the stack
	inline   wire.InlineQoS     // of the same sample
	loan     *shm.Loan          // of its payload; nil if it is not lent
}

var _ wire.Handler = (*submessageHandler)(nil)

// receive handles one datagram in a socket's goroutine. For user traffic it calls the user functions before it returns,
// so samples are not copied and peers are not acknowledged faster than the functions run. Discovery never waits for
// user functions.
func (p *Participant) receive(b []byte, from netip.AddrPort, t udp.Traffic) {
	delivers := t == udp.UserTraffic
	if delivers {
		p.calls.turn.begin()
		defer p.calls.turn.end()
	}
	p.receiveLocked(b, from, delivers)
	if delivers {
		p.calls.drain()
	}
}

// receiveLocked handles one datagram in a critical section.
func (p *Participant) receiveLocked(b []byte, from netip.AddrPort, delivers bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
	case len(b) < wire.HeaderSize: // Cyclone DDS wakes its threads with one-byte datagrams
		p.drop(DropShort)
	default:
		p.datagrams++
		p.stats.DatagramsReceived++
		p.stats.BytesReceived += uint64(len(b))
		p.in = submessageHandler{p: p, from: from, size: len(b), delivers: delivers, now: time.Now()}
		p.noticeSuspension(p.in.now)
		if delivers {
			p.shared.begin()
		}
		if p.secure != nil {
			b = p.secure.open(b, from, delivers)
		}
		if err := p.parser.Walk(b, &p.in); err != nil {
			p.drop(DropMalformed)
			p.logRejected(p.in.now, "malformed datagram", "from", from, "error", err)
		}
		p.in.delivers = false
		p.tx.Flush(p.cork.depth == 0)
	}
	if !delivers {
		p.calls.wake()
	}
}

// arrival returns the description of the datagram for discovery.
func (in *submessageHandler) arrival() *discovery.Arrival {
	return &discovery.Arrival{From: in.from, Size: in.size, Now: in.now}
}

// rejectOrigin counts and logs a submessage from an address that is not one of the participant whose GUID it has.
func (p *Participant) rejectOrigin(r *remoteParticipant, from netip.AddrPort, now time.Time) {
	p.drop(DropOrigin)
	p.logRejected(now, "submessage rejected: not from an address of its participant", "participant", r.Prefix(), "from", from)
}

// source returns the known participant that wrote the submessage, whose lease it renews, or nil.
func (in *submessageHandler) source(r *wire.Receiver) *remoteParticipant {
	if in.remote == nil || in.remote.Prefix() != r.SourcePrefix {
		in.remote = in.p.remotes[r.SourcePrefix]
		if in.remote == nil {
			in.p.drop(DropUnknownParticipant)
			return nil
		}
		if !in.p.directory.Origin(in.remote.Participant, in.from.Addr()) {
			in.p.rejectOrigin(in.remote, in.from, in.now)
			in.remote = nil
			return nil
		}
		in.remote.RenewLease(in.now)
		if in.remote.expired.automatic > 0 {
			in.p.setAllAlive(in.remote, wire.LivelinessAutomatic, in.now)
		}
	}
	if r.Directed() {
		in.noteAware()
	}
	return in.remote
}

// noteAware notes that the source knows this participant.
func (in *submessageHandler) noteAware() {
	if in.remote != nil && in.remote.BecomeAware() {
		in.p.becameAware(in.remote, in.now)
	}
}

// writers returns the local readers' proxies of the writer of a submessage.
func (in *submessageHandler) writers(r *wire.Receiver, writer wire.EntityID) []*writerProxy {
	if in.source(r) == nil {
		return nil
	}
	list := in.p.sources[r.Source(writer)]
	if len(list) == 0 {
		in.p.drop(DropUnknownEndpoint)
	}
	return list
}

// addressed reports whether a submessage for the given reader concerns the proxy.
func (w *writerProxy) addressed(reader wire.EntityID) bool {
	return !w.closed && (reader == wire.EntityUnknown || reader == w.r.guid.Entity)
}

// HandleData implements wire.Handler.
func (in *submessageHandler) HandleData(r *wire.Receiver, m *wire.Data) {
	if m.Writer == wire.EntitySPDPWriter {
		if !in.p.secure.refusesAnnouncement(r, m) {
			in.p.directory.OnAnnouncement(in.arrival(), r, m)
		}
		return
	}
	if in.p.secure != nil && m.Writer == wire.EntityStatelessWriter {
		in.p.secure.onStateless(in.source(r), m.Payload)
		return
	}
	list := in.writers(r, m.Writer)
	if len(list) == 0 {
		return
	}
	if !in.describe(r, m.InlineQoS, m.Kind) {
		return
	}
	payload := m.Payload
	if in.inline.HasShared && in.info.Vendor == wire.VendorOwn && !in.fetch(list, m, &payload) {
		return
	}
	for _, w := range list {
		if w.addressed(m.Reader) {
			w.asserts(in.now)
			w.onData(m.SN, &in.info, payload)
		}
	}
	if in.loan != nil {
		in.loan.Release() // those who got it have retained it
		in.loan = nil
	}
}

// fetch reads or borrows a payload from the writer's shared memory, unless it is larger than all readers accept. It
// reports whether there is one.
func (in *submessageHandler) fetch(list []*writerProxy, m *wire.Data, payload *[]byte) bool {
	ref := in.inline.Shared
	accepted, lends := false, false
	for _, w := range list {
		if w.addressed(m.Reader) {
			if int64(ref.Length) <= int64(w.r.cfg.MaxSampleSize) {
				accepted, lends = true, lends || w.r.cfg.Loans
			} else {
				w.skipTooLarge(m.SN)
			}
		}
	}
	if !accepted {
		return false
	}
	if lends && in.delivers {
		in.loan = in.p.shared.lend(in.remote, ref)
	}
	if in.loan != nil {
		*payload = in.loan.Payload()
		in.p.stats.SamplesLent++
	} else if *payload = in.p.shared.read(in.remote, ref, in.delivers); *payload == nil {
		in.p.drop(DropShared)
		return false
	}
	in.p.stats.SamplesReadShared++
	in.info.Kind = wire.PayloadData
	return true
}

// HandleDataFrag implements wire.Handler.
func (in *submessageHandler) HandleDataFrag(r *wire.Receiver, m *wire.DataFrag) {
	if in.p.secure != nil && m.Writer == wire.EntityStatelessWriter {
		in.p.secure.onStatelessFragments(in.source(r), m)
		return
	}
	list := in.writers(r, m.Writer)
	if len(list) == 0 {
		return
	}
	kind := wire.PayloadData
	if m.Key {
		kind = wire.PayloadKey
	}
	if !in.describe(r, m.InlineQoS, kind) {
		return
	}
	for _, w := range list {
		if w.addressed(m.Reader) {
			w.asserts(in.now)
			w.onFragments(m, &in.info, in.now)
		}
	}
}

// describe fills in.info with a sample's metadata; false if its inline QoS are malformed.
func (in *submessageHandler) describe(r *wire.Receiver, list wire.ParameterList, kind wire.PayloadKind) bool {
	in.info = reassembly.Info{Time: r.Timestamp, Vendor: r.SourceVendor, Kind: kind}
	in.inline.HasShared = false
	if list.Empty() {
		return true
	}
	q := &in.inline
	if err := q.Decode(list); err != nil {
		in.p.drop(DropInlineQoS)
		return false
	}
	in.info.Related, in.info.Status = q.Related, q.Status
	if q.HasKeyHash {
		in.info.Key = q.KeyHash.GUID()
	}
	return true
}

// HandleHeartbeat implements wire.Handler.
func (in *submessageHandler) HandleHeartbeat(r *wire.Receiver, m *wire.Heartbeat) {
	for _, w := range in.writers(r, m.Writer) {
		if w.addressed(m.Reader) {
			if m.Liveliness {
				w.asserts(in.now)
			}
			w.onHeartbeat(m, in.now)
		}
	}
}

// HandleHeartbeatFrag implements wire.Handler.
func (in *submessageHandler) HandleHeartbeatFrag(r *wire.Receiver, m *wire.HeartbeatFrag) {
	for _, w := range in.writers(r, m.Writer) {
		if w.addressed(m.Reader) {
			w.onHeartbeatFrag(m, in.now)
		}
	}
}

// HandleGap implements wire.Handler.
func (in *submessageHandler) HandleGap(r *wire.Receiver, m *wire.Gap) {
	for _, w := range in.writers(r, m.Writer) {
		if w.addressed(m.Reader) {
			w.onGap(m, in.now)
		}
	}
}

// reader returns the local writer of a submessage and its proxy of the remote reader that sent it.
func (in *submessageHandler) reader(r *wire.Receiver, writer, reader wire.EntityID) (*Writer, *readerProxy) {
	if in.source(r) == nil {
		return nil, nil
	}
	if w := in.p.writers[writer]; w != nil {
		if proxy := w.reader(r.Source(reader)); proxy != nil {
			in.p.directory.Answered(in.remote.Participant)
			in.noteAware()
			return w, proxy
		}
	}
	in.p.drop(DropUnknownEndpoint)
	return nil, nil
}

// HandleAckNack implements wire.Handler.
func (in *submessageHandler) HandleAckNack(r *wire.Receiver, m *wire.AckNack) {
	if w, proxy := in.reader(r, m.Writer, m.Reader); w != nil {
		w.onAckNack(proxy, m, in.now)
	}
}

// HandleNackFrag implements wire.Handler.
func (in *submessageHandler) HandleNackFrag(r *wire.Receiver, m *wire.NackFrag) {
	if w, proxy := in.reader(r, m.Writer, m.Reader); w != nil {
		w.onNackFrag(proxy, m, in.now)
	}
}
