// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

// seedDatagrams adds a few datagrams of each kind of every capture: the first
// with each sequence of submessages.
func seedDatagrams(f *testing.F, add func(datagram []byte)) {
	captures(f, func(_ string, datagrams []pcapng.Datagram) {
		seen := map[string]bool{}
		for _, d := range datagrams {
			if !isRTPS(d.Payload) {
				continue
			}
			var shape []byte
			for s := NewScanner(d.Payload); s.Next(); {
				shape = append(shape, byte(s.Submessage().ID))
			}
			if !seen[string(shape)] && len(d.Payload) < 2000 {
				seen[string(shape)] = true
				add(d.Payload)
			}
		}
	})
}

// FuzzMessage: the parser stays within any datagram, and decoded submessages survive encoding and decoding.
func FuzzMessage(f *testing.F) {
	for _, tc := range subCases() {
		f.Add(message(f, tc.le))
		f.Add(message(f, tc.be, tc.le))
	}
	seedDatagrams(f, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		c, _ := collect(b)
		if !bytes.Equal(b, before) {
			t.Fatal("the parser writes into the datagram")
		}
		for _, m := range c.got {
			if bigEndianList(m) {
				continue
			}
			wire := m.Append(Header{Version: Version23, Vendor: VendorEProsima}.Append(nil))
			if len(wire) != HeaderSize+m.Size() {
				t.Fatalf("Size %d, %d bytes", m.Size(), len(wire)-HeaderSize)
			}
			again, err := collect(wire)
			if err != nil || len(again.got) != 1 {
				t.Fatalf("%+v: %d handled, %v", m, len(again.got), err)
			}
			if got := again.got[0].Append(nil); !bytes.Equal(got, wire[HeaderSize:]) {
				t.Fatalf("% x becomes % x", wire[HeaderSize:], got)
			}
		}
	})
}

// bigEndianList reports whether m holds a list that cannot be sent as it is.
func bigEndianList(m appender) bool {
	switch m := m.(type) {
	case *Data:
		return m.InlineQoS.BigEndian
	case *DataFrag:
		return m.InlineQoS.BigEndian
	}
	return false
}

// FuzzParameterList: the iteration stays within the bytes, and decoded inline QoS survive encoding and decoding.
func FuzzParameterList(f *testing.F) {
	f.Add(unhex(f, participantGolden)[4:], false)
	f.Add(testList.Bytes, false)
	f.Add(unhex(f, `0083 0018`+identityBE+`0001 0000`), true)
	f.Fuzz(func(t *testing.T, b []byte, bigEndian bool) {
		l, err := ParseParameterList(b, bigEndian)
		if err != nil {
			return
		}
		n := 4
		for p := range l.all {
			n += 4 + len(p.Value)
		}
		if n > len(l.Bytes) {
			t.Fatalf("%d bytes of parameters in %d", n, len(l.Bytes))
		}
		var q, again InlineQoS
		if q.Decode(l) == nil && (again.Decode(q.List()) != nil || q != again) {
			t.Fatalf("%+v becomes %+v", q, again)
		}
	})
}

// FuzzParticipant: decoded participants are within the limits and survive encoding and decoding.
func FuzzParticipant(f *testing.F) {
	f.Add(unhex(f, participantGolden))
	seedBuiltin(f, EntitySPDPWriter)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := DecodeParticipant(b)
		if err != nil {
			return
		}
		if len(p.MetatrafficUnicast) > maxLocators || len(p.UserData) > maxUserDataSize ||
			len(p.Properties) > maxProperties || len(p.EntityName) > MaxStringSize {
			t.Fatalf("%+v", p)
		}
		again, err := DecodeParticipant(p.AppendPayload(nil))
		if err != nil || !bytes.Equal(again.AppendPayload(nil), p.AppendPayload(nil)) {
			t.Fatalf("%+v becomes %+v, %v", p, again, err)
		}
	})
}

// FuzzEndpoint: decoded endpoints survive encoding and decoding.
func FuzzEndpoint(f *testing.F) {
	f.Add(unhex(f, endpointGolden), true)
	seedEndpoints := func(writer bool) func([]byte) { return func(b []byte) { f.Add(b, writer) } }
	seedBuiltinFunc(f, EntityPublicationsWriter, seedEndpoints(true))
	seedBuiltinFunc(f, EntitySubscriptionsWriter, seedEndpoints(false))
	f.Fuzz(func(t *testing.T, b []byte, writer bool) {
		decode := DecodeSubscription
		if writer {
			decode = DecodePublication
		}
		e, err := decode(b)
		if err != nil {
			return
		}
		again, err := decode(e.AppendPayload(nil))
		if err != nil || !bytes.Equal(again.AppendPayload(nil), e.AppendPayload(nil)) || e.IsWriter() != writer {
			t.Fatalf("%+v becomes %+v, %v", e, again, err)
		}
	})
}

// FuzzSets: the intervals of a decoded set contain all its numbers.
func FuzzSets(f *testing.F) {
	f.Add(unhex(f, `00000000 11000000 03000000 000000a0`), false)
	f.Add(unhex(f, `00000000 00000011 00000021 a0000000 80000000`), true)
	f.Fuzz(func(t *testing.T, b []byte, bigEndian bool) {
		var s SequenceNumberSet
		if s.decode(b, order(bigEndian)) != 0 {
			n := 0
			for first, last := range s.Intervals {
				n += int(last - first + 1)
			}
			if n != s.Len() || n > MaxSetBits {
				t.Fatalf("%d in intervals, Len %d", n, s.Len())
			}
		}
		var g FragmentNumberSet
		if g.decode(b, order(bigEndian)) != 0 {
			n := 0
			for first, last := range g.intervals {
				n += int(last - first + 1)
			}
			if n != g.Len() || n > MaxSetBits {
				t.Fatalf("%d in intervals, Len %d", n, g.Len())
			}
		}
	})
}

// FuzzParticipantMessage: decoded messages survive encoding and decoding.
func FuzzParticipantMessage(f *testing.F) {
	f.Add(unhex(f, `00010000`+otherPrefixHex+`00000001 01000000 00`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeParticipantMessage(b)
		if err != nil {
			return
		}
		again, err := DecodeParticipantMessage(m.AppendPayload(nil))
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%+v becomes %+v, %v", m, again, err)
		}
	})
}

// payloads calls add for the samples of one built-in writer.
type payloads struct {
	NopHandler
	writer EntityID
	add    func([]byte)
	seen   map[string]bool
}

func (h *payloads) HandleData(_ *Receiver, m *Data) {
	if m.Writer != h.writer || m.Kind != PayloadData {
		return
	}
	var shape strings.Builder
	if l, err := ParsePayloadList(m.Payload); err == nil {
		for p := range l.all {
			shape.WriteByte(byte(p.ID))
		}
	}
	if !h.seen[shape.String()] {
		h.seen[shape.String()] = true
		h.add(bytes.Clone(m.Payload))
	}
}

func seedBuiltin(f *testing.F, writer EntityID) {
	seedBuiltinFunc(f, writer, func(b []byte) { f.Add(b) })
}

func seedBuiltinFunc(f *testing.F, writer EntityID, add func([]byte)) {
	h := &payloads{writer: writer, add: add, seen: map[string]bool{}}
	seedDatagrams(f, func(b []byte) {
		if err := Walk(b, h); err != nil {
			f.Error(err)
		}
	})
}
