// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// Parser walks the submessages of datagrams. It may be reused, which saves allocations, but must not be used
// concurrently. The zero value is ready to use.
type Parser struct {
	// Own, if not zero, is the receiving participant. Entity submessages that INFO_DST addresses to another one, and
	// those of Own itself, which multicast loops back, are skipped.
	Own GUIDPrefix
	// Strict disables the tolerance of quirks.go.
	Strict bool
	// NotOurs and Looped count the entity submessages that were skipped because INFO_DST addresses another participant,
	// or because they are Own's.
	NotOurs, Looped uint64

	recv          Receiver
	data          Data
	dataFrag      DataFrag
	heartbeat     Heartbeat
	heartbeatFrag HeartbeatFrag
	ackNack       AckNack
	nackFrag      NackFrag
	gap           Gap
}

// Walk parses one datagram with a new Parser; see Parser.Walk.
func Walk(datagram []byte, h Handler) error {
	var p Parser
	return p.Walk(datagram, h)
}

// Walk parses one datagram and calls h for each entity submessage in it.
// Submessages of unknown kinds, PAD, INFO_REPLY and those of vendors are
// skipped. It does not allocate if the datagram is well-formed.
//
// It fails as [ParseHeader] does, or at a submessage: with [ErrTruncated] if that exceeds the datagram, or because a
// field is invalid. The error then names the submessage, its position and the field; the submessages before it have
// been handled and the rest of the datagram is ignored (8.3.4.1).
func (p *Parser) Walk(datagram []byte, h Handler) error {
	head, err := ParseHeader(datagram)
	if err != nil {
		return err
	}
	p.recv.reset(head)
	s := Scanner{data: datagram, off: HeaderSize}
	for s.Next() {
		if err := p.handle(&s.sub, h); err != nil {
			return &submessageError{ID: s.sub.ID, Offset: s.sub.Offset, Err: err}
		}
	}
	return s.err
}

func (p *Parser) handle(s *Submessage, h Handler) error {
	entity, err := p.recv.interpret(s)
	if err != nil || !entity || p.skips() {
		return err
	}
	r := &p.recv
	switch s.ID {
	case subData:
		if err = p.data.decode(s); err == nil {
			h.HandleData(r, &p.data)
		}
	case subDataFrag:
		if err = p.dataFrag.decode(s); err == nil {
			h.HandleDataFrag(r, &p.dataFrag)
		}
	case subHeartbeat:
		if err = p.heartbeat.decode(s); err == nil {
			h.HandleHeartbeat(r, &p.heartbeat)
		}
	case subHeartbeatFrag:
		if err = p.heartbeatFrag.decode(s); err == nil {
			h.HandleHeartbeatFrag(r, &p.heartbeatFrag)
		}
	case subAckNack:
		if err = p.ackNack.decode(s, r.SourceVendor, p.Strict); err == nil {
			h.HandleAckNack(r, &p.ackNack)
		}
	case subNackFrag:
		if err = p.nackFrag.decode(s); err == nil {
			h.HandleNackFrag(r, &p.nackFrag)
		}
	case subGap:
		if err = p.gap.decode(s); err == nil {
			h.HandleGap(r, &p.gap)
		}
	}
	return err
}

// skips reports whether an entity submessage does not concern the participant.
func (p *Parser) skips() bool {
	switch {
	case p.Own.IsZero():
		return false
	case p.recv.SourcePrefix == p.Own:
		p.Looped++
		return true
	case !p.recv.For(p.Own):
		p.NotOurs++
		return true
	}
	return false
}

func invalid(field string, value int) error {
	return fmt.Errorf("%w: %s %d", errInvalid, field, value)
}

func invalidSN(field string, sn SequenceNumber) error {
	return fmt.Errorf("%w: %s %d", errInvalid, field, int64(sn))
}
