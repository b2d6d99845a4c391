// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// printer handles two kinds of submessages.
type printer struct{ wire.NopHandler }

func (printer) HandleData(r *wire.Receiver, m *wire.Data) {
	fmt.Printf("sample %d of %v: % x\n", m.SN, r.Source(m.Writer), m.Payload)
}

func (printer) HandleHeartbeat(_ *wire.Receiver, m *wire.Heartbeat) {
	fmt.Printf("holds %d to %d\n", m.First, m.Last)
}

// A sample and a HEARTBEAT in one datagram, sent and received.
func Example() {
	writer := wire.NewEntityID(1, wire.KindWriter)
	b := wire.NewBuilder(1472)
	b.Begin(wire.GUIDPrefix{0x01, 0x7e, 11: 5})
	b.InfoTS(wire.TimeZero)
	b.Data(&wire.Data{Writer: writer, SN: 7, Kind: wire.PayloadData, Payload: []byte{0, 1, 0, 0, 42}})
	b.Heartbeat(&wire.Heartbeat{Writer: writer, First: 1, Last: 7, Count: 1})

	var p wire.Parser
	if err := p.Walk(b.Bytes(), printer{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// sample 7 of 01.7e.00.00.00.00.00.00.00.00.00.05|00.00.01.03: 00 01 00 00 2a 00 00 00
	// holds 1 to 7
}

// An announcement of a participant, encoded and decoded.
func ExampleDecodeParticipant() {
	p := wire.ParticipantData{
		Version:            wire.Version23,
		Vendor:             wire.VendorOwn,
		GUID:               wire.GUID{Prefix: wire.GUIDPrefix{0x01, 0x7e, 11: 5}, Entity: wire.EntityParticipant},
		BuiltinEndpoints:   wire.OwnBuiltinEndpoints,
		MetatrafficUnicast: []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort("192.0.2.7:7410"))},
		Lease:              20 * wire.Second,
		UserData:           []byte("enclave=/;"),
	}
	payload := p.AppendPayload(nil)

	got, err := wire.DecodeParticipant(payload)
	fmt.Println(got.MetatrafficUnicast, got.Lease, string(got.UserData), err)

	_, err = wire.DecodeParticipant(payload[:len(payload)-4])
	fmt.Println(errors.Is(err, wire.ErrParameterList))
	// Output:
	// [udp/192.0.2.7:7410] 20s enclave=/; <nil>
	// true
}

// A best-effort writer does not match a reader that asks for reliability.
func ExampleCompatible() {
	offered, requested := wire.DefaultWriterQoS(), wire.DefaultReaderQoS()
	offered.Reliability = wire.BestEffort
	requested.Reliability = wire.Reliable
	fmt.Println(wire.Compatible(&offered, &requested))
	// Output: false [RELIABILITY]
}

// The samples a reader misses, as intervals.
func ExampleSequenceNumberSet_Intervals() {
	missing := wire.SequenceNumberSet{Base: 10}
	missing.AddRange(12, 14)
	missing.Add(20)
	for first, last := range missing.Intervals {
		fmt.Println(first, last)
	}
	// Output:
	// 12 14
	// 20 20
}

// A program that only wants to know what is in a datagram goes from one submessage to the next.
func ExampleScanner() {
	b := wire.NewBuilder(1472)
	b.Begin(wire.GUIDPrefix{0x01, 0x7e, 11: 5})
	b.InfoTS(wire.TimeZero)
	b.Heartbeat(&wire.Heartbeat{Writer: wire.NewEntityID(1, wire.KindWriter), First: 1, Last: 7, Count: 1})

	s := wire.NewScanner(b.Bytes())
	for s.Next() {
		fmt.Println(s.Submessage().ID)
	}
	fmt.Println(s.Err())
	// Output:
	// INFO_TS
	// HEARTBEAT
	// <nil>
}

// Walk is for one datagram; a [wire.Parser] keeps its memory for the next.
func ExampleWalk() {
	b := wire.NewBuilder(1472)
	b.Begin(wire.GUIDPrefix{0x01, 0x7e, 11: 5})
	b.Heartbeat(&wire.Heartbeat{Writer: wire.NewEntityID(1, wire.KindWriter), First: 1, Last: 7, Count: 1})
	fmt.Println(wire.Walk(b.Bytes(), printer{}))
	fmt.Println(errors.Is(wire.Walk(b.Bytes()[:30], printer{}), wire.ErrTruncated))
	// Output:
	// holds 1 to 7
	// <nil>
	// true
}
