// SPDX-License-Identifier: Apache-2.0

package shield

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/crypto"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Reserve is how many bytes of a datagram are left for the protection of a fragment and the heartbeat after it.
const Reserve = 320

// sealed is the state of a datagram that is being protected.
type sealed struct {
	limit     int
	emit      func([]byte)
	peer      *peer
	dst, time []byte // INFO_DST and INFO_TS in force
	plain     []byte // submessages of the next datagram
	has       bool   // among them one of an endpoint
	apart     []byte // the same for those that are exempt from the protection of messages
	payload   []byte
	one       []byte // the submessage
	message   []byte
	datagram  []byte
	receivers []*crypto.ReceiverKey
}

// Seal protects a datagram to a participant and passes the resulting datagrams, of at most limit bytes where possible,
// to emit, which must copy them. Datagrams to participants that are not authenticated stay as they are. An error, which
// says what failed, means that nothing of the rest is sent.
func (s *Shield) Seal(to wire.GUIDPrefix, b []byte, limit int, emit func([]byte)) error {
	p := s.peers[to]
	if p == nil {
		if !s.protects(b) {
			emit(b)
		}
		return nil
	}
	o := &s.out
	o.limit, o.emit, o.peer = limit, emit, p
	o.dst, o.time, o.plain, o.apart, o.has = o.dst[:0], o.time[:0], o.plain[:0], o.apart[:0], false
	scan := wire.NewScanner(b)
	for scan.Next() {
		sub := scan.Submessage()
		raw := b[sub.Offset : sub.Offset+subHeader+len(sub.Body)]
		switch {
		case sub.IsInfoDst():
			o.dst = append(o.dst[:0], raw...)
			o.plain = append(o.plain, raw...)
		case sub.IsInfoTS():
			o.time = append(o.time[:0], raw...)
			o.plain = append(o.plain, raw...)
		case sub.IsEntity():
			if err := s.sealOne(&sub, raw); err != nil {
				return err
			}
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.flushApart()
	return nil
}

// protects reports whether a datagram has a submessage of an endpoint with keys: it must not be sent as it is.
func (s *Shield) protects(b []byte) bool {
	scan := wire.NewScanner(b)
	for scan.Next() {
		sub := scan.Submessage()
		if !sub.IsEntity() {
			continue
		}
		own, other, ok := sub.Entities()
		if !sub.FromReader() {
			own = other
		}
		if !ok || own == wire.EntityVolatileWriter || own == wire.EntityVolatileReader || s.locals[own] != nil {
			return true
		}
	}
	return false
}

// subHeader is the size of a submessage header, bytes.
const subHeader = 4

// sealOne protects one submessage and adds it to the next datagram.
func (s *Shield) sealOne(sub *wire.Submessage, raw []byte) error {
	o := &s.out
	reader, writer, ok := sub.Entities()
	if !ok {
		return fmt.Errorf("shield: submessage %v is too short", sub.ID)
	}
	if writer == wire.EntityVolatileWriter || writer == wire.EntityStatelessWriter {
		if len(o.apart) == 0 {
			o.apart = append(append(o.apart, o.dst...), o.time...)
		}
		var err error
		if writer == wire.EntityStatelessWriter {
			o.apart = append(o.apart, raw...)
			return nil
		}
		o.apart, err = o.peer.exchange.Submessage(o.apart, raw, nil)
		return err
	}
	own, other := writer, reader
	if sub.FromReader() {
		own, other = reader, writer
	}
	if l := s.locals[own]; l != nil {
		var err error
		if raw, err = s.protect(l, own, other, sub, raw); err != nil {
			return err
		}
	}
	if o.has && wire.HeaderSize+len(o.plain)+len(raw)+s.messageOverhead() > o.limit {
		if err := s.flush(); err != nil {
			return err
		}
		o.plain = append(append(o.plain, o.dst...), o.time...)
	}
	o.plain, o.has = append(o.plain, raw...), true
	return nil
}

// protect protects the payload and the submessage of an endpoint.
func (s *Shield) protect(l *local, own, other wire.EntityID, sub *wire.Submessage, raw []byte) ([]byte, error) {
	o := &s.out
	var err error
	if l.payload != nil && sub.HasPayload() {
		at, ok := sub.PayloadAt()
		if !ok {
			return nil, fmt.Errorf("shield: submessage %v is malformed", sub.ID)
		}
		o.payload = append(o.payload[:0], raw[:subHeader+at]...)
		if o.payload, err = l.payload.Payload(o.payload, raw[subHeader+at:]); err != nil {
			return nil, err
		}
		setLength(o.payload)
		raw = o.payload
	}
	if l.submessage == nil {
		return raw, nil
	}
	o.receivers = o.receivers[:0]
	if l.Submessage.Origin() {
		o.receivers = o.peer.receivers(o.receivers, own, other)
	}
	o.one, err = l.submessage.Submessage(o.one[:0], raw, o.receivers)
	return o.one, err
}

// receivers appends the keys for the codes of a remote endpoint, or of all that match the local one.
func (p *peer) receivers(list []*crypto.ReceiverKey, own, other wire.EntityID) []*crypto.ReceiverKey {
	if other != wire.EntityUnknown {
		if k := p.pairs[pair{local: own, remote: other}]; k != nil && k.receiver != nil {
			list = append(list, k.receiver)
		}
		return list
	}
	for _, k := range p.byLocal[own] {
		if k.receiver != nil {
			list = append(list, k.receiver)
		}
	}
	return list
}

// setLength sets the length in the header of a submessage.
func setLength(b []byte) {
	n := len(b) - subHeader
	if b[1]&1 == 0 { // big-endian
		b[2], b[3] = byte(n>>8), byte(n)
		return
	}
	b[2], b[3] = byte(n), byte(n>>8)
}

// messageOverhead returns by how much the protection of messages lengthens one, bytes.
func (s *Shield) messageOverhead() int {
	if s.message == nil {
		return 0
	}
	return infoSrcSize + crypto.Overhead + len(s.out.peer.receiver)*crypto.CodeSize
}

const infoSrcSize = 24

// flush emits the next datagram.
func (s *Shield) flush() error {
	o := &s.out
	if !o.has {
		return nil
	}
	o.datagram = s.own.Append(o.datagram[:0])
	if s.message == nil {
		o.datagram = append(o.datagram, o.plain...)
	} else {
		o.message = append(wire.AppendInfoSrc(o.message[:0], s.own), o.plain...)
		var err error
		if o.datagram, err = s.message.Message(o.datagram, o.message, o.peer.receiver); err != nil {
			return err
		}
	}
	o.plain, o.has = o.plain[:0], false
	o.emit(o.datagram)
	return nil
}

// flushApart emits the datagram of what is exempt from the protection of messages: handshakes and the exchange of
// keys.
func (s *Shield) flushApart() {
	o := &s.out
	if len(o.apart) == 0 {
		return
	}
	o.datagram = append(s.own.Append(o.datagram[:0]), o.apart...)
	o.apart = o.apart[:0]
	o.emit(o.datagram)
}
