// SPDX-License-Identifier: Apache-2.0

package wire

import "testing"

// typicalDatagram is one tick of a robot to one participant: a time and n
// samples of 100 bytes with a HEARTBEAT.
func typicalDatagram(n int) []byte {
	b := NewBuilder(MaxMessageSize)
	b.Begin(otherPrefix)
	b.InfoDst(testPrefix)
	b.InfoTS(5)
	for i := range n {
		b.Data(&Data{Writer: NewEntityID(uint32(i), KindWriter), SN: 7, Kind: PayloadData, Payload: make([]byte, 100)})
	}
	b.Heartbeat(&Heartbeat{Writer: 0x103, First: 7, Last: 7, Count: 9})
	return b.Bytes()
}

func benchmarkWalk(b *testing.B, datagram []byte) {
	p, h := Parser{Own: testPrefix}, &inlineReader{}
	b.SetBytes(int64(len(datagram)))
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Walk(datagram, h); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWalk1(b *testing.B)  { benchmarkWalk(b, typicalDatagram(1)) }
func BenchmarkWalk10(b *testing.B) { benchmarkWalk(b, typicalDatagram(10)) }

// BenchmarkWalkForOther is the cost of multicast that is for another participant.
func BenchmarkWalkForOther(b *testing.B) {
	datagram := typicalDatagram(10)
	p, h := Parser{Own: GUIDPrefix{1}}, NopHandler{}
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Walk(datagram, h); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuild10(b *testing.B) {
	builder, payload := NewBuilder(1472), make([]byte, 100)
	b.ReportAllocs()
	for b.Loop() {
		builder.Begin(testPrefix)
		builder.InfoDst(otherPrefix)
		builder.InfoTS(5)
		for sn := SequenceNumber(1); sn <= 10; sn++ {
			builder.Data(&Data{Writer: 0x103, SN: sn, Kind: PayloadData, Payload: payload})
		}
	}
}

func BenchmarkDecodeParticipant(b *testing.B) {
	payload := participantValue.AppendPayload(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeParticipant(payload); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePublication(b *testing.B) {
	e := endpointValue()
	payload := e.AppendPayload(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodePublication(payload); err != nil {
			b.Fatal(err)
		}
	}
}
