// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// sharedMemory passes the payloads of large samples to participants of the same user on the same machine: their DATA
// carry a reference instead (package shm). What does not arrive that way is repaired by fragments. Guarded by
// Participant.mu.
type sharedMemory struct {
	area       *shm.Area // nil: everything goes over the network
	lender     *shm.Area // the same, also after it was closed
	unwritable bool      // there was no memory for it
	hostID     string    // announced with the participant; empty if area was never created
	list       []byte    // inline QoS of the DATA being sent
	buffers    [][]byte  // of payloads whose user functions may be running …
	used       int       // … and how many of them the current datagram uses
	log        *slog.Logger
	unreadable []wire.GUIDPrefix // participants whose memory cannot be read
	announce   func()            // is called when unreadable has changed
}

// sharedProperty is the name of the property that announces the shared memory of a participant.
const sharedProperty = "epuck.shared_memory"

// unreadableProperty is the name of the property that lists the participants whose memory this one cannot read, by
// their GUID prefixes in hexadecimal, separated by commas: they send it everything over the network.
const unreadableProperty = "epuck.shared_memory.unreadable"

const (
	// maxUnreadable is how many samples in a row a participant may request again that it was sent by reference, before
	// it gets fragments only.
	maxUnreadable = 8
	// maxFailedReads is how many references of a participant in a row may lead to nothing before its memory counts as
	// unreadable. A reader that is too slow for a writer loses some, but not all.
	maxFailedReads = 8
	// maxListed bounds the participants in the property. If there are more, the oldest one is taken out: it is found to
	// be unreadable again.
	maxListed = 32
)

// open creates the area. Without one, for whatever reason, the participant works as before.
func (m *sharedMemory) open(prefix wire.GUIDPrefix, size int, log *slog.Logger) {
	m.log = log
	if size <= 0 {
		return
	}
	id, err := shm.HostID(shm.DefaultFolder)
	if err == nil {
		m.area, err = shm.Create(shm.DefaultFolder, prefix, size)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return // this system has none
	}
	if err != nil {
		log.Warn("no shared memory: large samples are sent over the network only", "error", err)
		return
	}
	m.hostID, m.lender = id, m.area
}

// properties returns what is announced.
func (m *sharedMemory) properties() []wire.Property {
	if m.hostID == "" {
		return nil
	}
	list := []wire.Property{{Name: sharedProperty, Value: m.hostID}}
	if len(m.unreadable) > 0 {
		names := make([]string, len(m.unreadable))
		for i, prefix := range m.unreadable {
			names[i] = hex.EncodeToString(prefix[:])
		}
		list = append(list, wire.Property{Name: unreadableProperty, Value: strings.Join(names, ",")})
	}
	return list
}

// cannotRead notes, and announces, that the memory of a participant cannot be read.
func (m *sharedMemory) cannotRead(prefix wire.GUIDPrefix, reason error) {
	if slices.Contains(m.unreadable, prefix) {
		return
	}
	m.log.Warn("the shared memory of a participant cannot be read: its large samples come over the network", "participant", prefix, "error", reason)
	if len(m.unreadable) >= maxListed {
		m.unreadable = slices.Delete(m.unreadable, 0, 1)
	}
	m.unreadable = append(m.unreadable, prefix)
	m.announce()
}

// gone forgets a participant.
func (m *sharedMemory) gone(prefix wire.GUIDPrefix) {
	m.unreadable = slices.DeleteFunc(m.unreadable, func(p wire.GUIDPrefix) bool { return p == prefix })
}

// changed handles a new announcement of a participant, which may say that it cannot read this one's memory.
func (m *sharedMemory) changed(r *remoteParticipant, own wire.GUIDPrefix) {
	if r.shared.available && !canRead(r.Data(), own) {
		r.shared.available = false
		m.log.Warn("a participant cannot read this one's shared memory: it gets large samples over the network", "participant", r.Prefix())
	}
}

// canRead reports whether a participant does not say that it cannot read the memory of the one with a prefix.
func canRead(d *wire.ParticipantData, prefix wire.GUIDPrefix) bool {
	for _, p := range d.Properties {
		if p.Name == unreadableProperty && slices.Contains(strings.Split(p.Value, ","), hex.EncodeToString(prefix[:])) {
			return false
		}
	}
	return true
}

// shares reports whether a participant can read this one's memory, and the other way round.
func (m *sharedMemory) shares(d *wire.ParticipantData) bool {
	if m.hostID == "" || d.Vendor != wire.VendorOwn {
		return false
	}
	for _, p := range d.Properties {
		if p.Name == sharedProperty {
			return p.Value == m.hostID
		}
	}
	return false
}

// lent returns the block with lent memory, also after close.
func (m *sharedMemory) lent(space []byte) *shm.Block {
	if m.lender == nil {
		return nil
	}
	return m.lender.Lent(space)
}

// close removes the area.
func (m *sharedMemory) close() {
	if m.area == nil {
		return
	}
	if err := m.area.Close(); err != nil {
		m.log.Warn("the shared memory was not removed", "error", err)
	}
	m.area = nil
}

// reference returns where a large change is in the shared memory, and writes it there first if it is not. It reports
// false if the change is small or the reader must get fragments.
func (m *sharedMemory) reference(r *readerProxy, c *history.Change) (wire.SharedReference, bool) {
	if m.area == nil || r.remote == nil || !r.remote.shared.available || c.Kind != wire.PayloadData || !c.Large(r.variant) {
		return wire.SharedReference{}, false
	}
	if b, ok := c.Source().(*shm.Block); ok {
		if b.Lost() {
			return wire.SharedReference{}, false
		}
		r.sharedSize = int(b.Reference().Length)
		return b.Reference(), true
	}
	if m.unwritable {
		return wire.SharedReference{}, false
	}
	key := shm.Key{Writer: r.w.guid.Entity, SN: c.SN, Variant: r.variant}
	if ref, ok := m.area.Find(key); ok {
		r.sharedSize = int(ref.Length)
		return ref, true
	}
	ref, err := m.area.Write(key, c.Payload(r.variant))
	if err == nil {
		r.sharedSize = int(ref.Length)
		r.w.p.stats.SamplesShared++
		return ref, true
	}
	m.failed(err)
	return ref, false
}

// isLost reports whether the payload of a change was in shared memory that another program has truncated.
func isLost(c *history.Change) bool {
	b, ok := c.Source().(*shm.Block)
	return ok && b.Lost()
}

// failed handles the error of a write: without memory there are no others, but loans and the pins of this participant
// remain.
func (m *sharedMemory) failed(err error) {
	if errors.Is(err, shm.ErrSize) || errors.Is(err, shm.ErrFull) {
		return
	}
	m.log.Warn("the shared memory cannot be written: large samples are sent over the network only", "error", err)
	m.unwritable = true
}

// sharedUnacked returns about how many bytes of shared memory the reader has not acknowledged.
func (r *readerProxy) sharedUnacked() int64 { return int64(r.next-1-r.acked) * int64(r.sharedSize) }

// sharedPeer is the state of the shared memory of a remote participant.
type sharedPeer struct {
	available  bool      // both ends can read the other's memory
	unreadable int       // samples sent by reference that it requested again, since one was acknowledged that it did not
	view       *shm.View // nil if the other's memory cannot be read
	failed     int       // references that led to nothing, since one that did not
}

// close closes the view.
func (s *sharedPeer) close() {
	if s.view != nil {
		_ = s.view.Close() // it was only read
		s.view = nil
	}
	s.available = false
}

// requestedAgain counts a sample that a reader requests although it was sent by reference.
func (s *sharedPeer) requestedAgain(log *slog.Logger, prefix wire.GUIDPrefix) {
	if !s.available {
		return
	}
	if s.unreadable++; s.unreadable >= maxUnreadable {
		s.available = false
		log.Warn("a participant does not receive samples in shared memory: it gets them over the network", "participant", prefix)
	}
}

// view opens the view of a participant that announces the same memory.
func (m *sharedMemory) view(d *wire.ParticipantData, own wire.GUIDPrefix) sharedPeer {
	if !m.shares(d) || m.area == nil {
		return sharedPeer{}
	}
	view, err := m.area.Open(d.GUID.Prefix)
	if err != nil {
		m.cannotRead(d.GUID.Prefix, err)
		return sharedPeer{}
	}
	return sharedPeer{available: canRead(d, own), view: view}
}

// errNoView means that the memory of a participant was not opened.
var errNoView = errors.New("it could not be opened")

// read returns the payload of a reference from a participant, or nil. It is valid until the receiving goroutine has
// made the calls of user functions.
func (m *sharedMemory) read(r *remoteParticipant, ref wire.SharedReference, delivers bool) []byte {
	if r.shared.view == nil {
		if m.area != nil && m.shares(r.Data()) {
			m.cannotRead(r.Prefix(), errNoView)
		}
		return nil
	}
	payload, err := r.shared.view.Read(m.buffer(delivers), ref)
	if err != nil {
		if r.shared.failed++; r.shared.failed >= maxFailedReads {
			m.cannotRead(r.Prefix(), err)
		}
		return nil
	}
	r.shared.failed = 0
	if delivers {
		m.buffers[m.used-1] = payload
	}
	return payload
}

// lend returns a loan of the payload of a reference from a participant, or nil: then it must be read.
func (m *sharedMemory) lend(r *remoteParticipant, ref wire.SharedReference) *shm.Loan {
	if r.shared.view == nil {
		return nil
	}
	l, err := r.shared.view.Lend(ref)
	if err != nil {
		return nil
	}
	r.shared.failed = 0
	return l
}

// maxSharedBuffers is how many buffers are kept for later datagrams.
const maxSharedBuffers = 4

// begin is called before a datagram is handled whose user functions the receiving goroutine calls: no other such
// goroutine uses the buffers.
func (m *sharedMemory) begin() {
	m.used = 0
	if len(m.buffers) > maxSharedBuffers {
		clear(m.buffers[maxSharedBuffers:])
		m.buffers = m.buffers[:maxSharedBuffers]
	}
}

// buffer returns an empty buffer: one of those that are kept, if the calling goroutine makes the calls.
func (m *sharedMemory) buffer(delivers bool) []byte {
	if !delivers {
		return nil
	}
	if m.used == len(m.buffers) {
		m.buffers = append(m.buffers, nil)
	}
	m.used++
	return m.buffers[m.used-1][:0]
}
