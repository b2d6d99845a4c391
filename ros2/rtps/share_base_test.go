// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// prefixOf returns a GUID prefix of a vendor.
func prefixOf(v wire.VendorID) (p wire.GUIDPrefix) {
	p[0], p[1], p[2] = byte(v>>8), byte(v&0xff), 1
	return p
}

// TestShareBase: what is withheld from one reader of a Cyclone DDS participant is still sent to its other readers.
func TestShareBase(t *testing.T) {
	for _, c := range []struct {
		vendor      wire.VendorID
		first, then wire.SequenceNumber // bases of two readers of a participant
		want        [2]wire.SequenceNumber
	}{
		{wire.VendorCyclone, 5, 8, [2]wire.SequenceNumber{5, 5}},
		{wire.VendorCyclone, 8, 5, [2]wire.SequenceNumber{5, 5}},
		{wire.VendorEProsima, 5, 8, [2]wire.SequenceNumber{5, 8}},
		{wire.VendorOwn, 8, 5, [2]wire.SequenceNumber{8, 5}},
	} {
		w, here, elsewhere := &Writer{}, &remoteParticipant{}, &remoteParticipant{}
		proxy := func(at *remoteParticipant, base wire.SequenceNumber) *readerProxy {
			r := &readerProxy{w: w, remote: at, base: base, guid: wire.GUID{Prefix: prefixOf(c.vendor)}}
			w.readers = append(w.readers, r)
			return r
		}
		other := proxy(elsewhere, 1)
		a, b := proxy(here, c.first), proxy(here, c.then)
		b.shareBase()
		if got := [2]wire.SequenceNumber{a.base, b.base}; got != c.want || other.base != 1 {
			t.Errorf("%v, bases %d and %d: got %v, want %v; another participant's %d", c.vendor, c.first, c.then, got, c.want, other.base)
		}
	}
}

// TestDirectedSampleIsRelevantToReadersOfSameCycloneParticipant: a sample directed at one reader of a Cyclone DDS
// participant is relevant to all its readers, since it would apply a GAP to all of them.
func TestDirectedSampleIsRelevantToReadersOfSameCycloneParticipant(t *testing.T) {
	for _, v := range []wire.VendorID{wire.VendorCyclone, wire.VendorEProsima, wire.VendorOwn} {
		qos := wire.DefaultWriterQoS()
		w := &Writer{cfg: writerSettings{QoS: &qos}}
		target := wire.GUID{Prefix: prefixOf(v), Entity: 0x104}
		other := &readerProxy{w: w, guid: wire.GUID{Prefix: target.Prefix, Entity: 0x204}}
		stranger := &readerProxy{w: w, guid: wire.GUID{Prefix: prefixOf(wire.VendorRustDDS), Entity: 0x104}}
		c := new(history.Change)
		c.Direct(target)
		if got := w.relevant(c, other, time.Now()); got != (v == wire.VendorCyclone) {
			t.Errorf("%v: relevant to the other reader: %v", v, got)
		}
		if w.relevant(c, stranger, time.Now()) {
			t.Errorf("%v: relevant to a stranger", v)
		}
		if !w.relevant(c, &readerProxy{w: w, guid: target}, time.Now()) {
			t.Errorf("%v: not relevant to its own reader", v)
		}
	}
}
