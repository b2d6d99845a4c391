// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// memoryHog is a forged participant whose writer fills the victim's memory with incomplete samples.
type memoryHog struct {
	a      *attacker
	at     netip.AddrPort
	prefix wire.GUIDPrefix
	writer wire.EntityID
	count  wire.Count
}

func (a *attacker) memoryHog(host byte) *memoryHog {
	h := &memoryHog{
		a: a, at: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, host}), 7410), prefix: randomPrefix(),
		writer: wire.NewEntityID(1, wire.KindWriter), count: 1,
	}
	a.announce(h.at, h.prefix, nil, h.at.String())
	e := wire.EndpointData{GUID: wire.GUID{Prefix: h.prefix, Entity: h.writer}, Topic: topic, Type: typeName, QoS: qos(reliable)}
	a.forge(h.at, h.prefix, func(b *wire.Builder) {
		b.Heartbeat(&wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 1, Count: 1})
		b.Data(&wire.Data{Writer: wire.EntityPublicationsWriter, SN: 1, Kind: wire.PayloadData, Payload: e.AppendPayload(nil)})
	})
	time.Sleep(time.Millisecond)
	a.forge(h.at, h.prefix, func(b *wire.Builder) {
		b.Heartbeat(&wire.Heartbeat{Writer: h.writer, First: 1, Last: 0, Count: 1})
	})
	return h
}

// fill sends first fragments of samples, more than are accepted.
func (h *memoryHog) fill(samples int, size uint32) {
	for i := range samples {
		h.a.forge(h.at, h.prefix, func(b *wire.Builder) {
			b.DataFrag(&wire.DataFrag{
				Writer: h.writer, SN: wire.SequenceNumber(1 + i), First: 1, Count: 1, FragmentSize: 1000, SampleSize: size, Payload: make([]byte, 1000),
			})
			// And complete ones, out of order.
			b.Data(&wire.Data{Writer: h.writer, SN: wire.SequenceNumber(100 + i), Kind: wire.PayloadData, Payload: make([]byte, 50_000)})
		})
		time.Sleep(200 * time.Microsecond)
	}
}

// TestOnePeerCannotStarveOthers: a peer that fills memory with incomplete samples gets only its share; the others'
// samples are delivered meanwhile.
func TestOnePeerCannotStarveOthers(t *testing.T) {
	underAttack(t, func(a *attacker) {
		h := a.memoryHog(66)
		h.fill(40, 1<<20)
		s := a.victim.Stats()
		if s.HeldBytes < 7<<20 || s.HeldBytes > 8<<20 {
			t.Errorf("%d bytes held", s.HeldBytes)
		}
		if s.Dropped[rtps.DropFragmentMemory] == 0 || s.Dropped[rtps.DropSampleMemory] == 0 {
			t.Errorf("%v", s.Dropped)
		}
		began := time.Now()
		write(t, a.writer, number(1, 3<<20))
		eventually(t, 2*time.Second, "a large sample of the good peer", func() bool { return len(a.in.all()) == 1 })
		t.Logf("after %v", time.Since(began))
		if s := a.victim.Stats(); s.HeldBytes < 7<<20 {
			t.Errorf("the memoryHog holds only %d bytes: nothing was at stake", s.HeldBytes)
		}
	})
}

// TestRepairsAreSharedByParticipant: a participant does not get more retransmissions by having many readers.
func TestRepairsAreSharedByParticipant(t *testing.T) {
	underAttack(t, func(a *attacker) {
		readers := []*rtps.Reader{a.peerReader}
		for range 7 {
			r, err := a.peer.NewReader(rtps.ReaderConfig{Topic: "rt/v", Type: typeName, QoS: qos(reliable)})
			if err != nil {
				t.Fatal(err)
			}
			readers = append(readers, r)
		}
		eventually(t, time.Second, "match", func() bool { return a.victims.Matched() == len(readers) })
		for i := range 20 {
			write(t, a.victims, number(i, 60_000))
		}
		time.Sleep(5 * time.Second)
		before := a.bytesTo("10.0.0.2")
		set := wire.SequenceNumberSet{Base: 1}
		set.AddRange(1, 20)
		for i := range 1000 {
			a.forge(a.spoofed, a.peer.GUID().Prefix, func(b *wire.Builder) {
				for _, r := range readers {
					b.AckNack(&wire.AckNack{Reader: r.GUID().Entity, Writer: a.victims.GUID().Entity, State: set, Count: wire.Count(1000 + i)})
				}
			})
			time.Sleep(time.Millisecond)
		}
		if n := a.bytesTo("10.0.0.2") - before; n > 4_600_000 {
			t.Errorf("%d bytes sent again in a second", n)
		}
	})
}

// TestHistoryBytes: the writers' histories are also bounded in bytes: keep-last keeps fewer samples, keep-all returns
// ErrFull.
func TestHistoryBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a := start(t, n.Host(1), func(c *rtps.Config) { c.Limits.HistoryBytes = 1 << 20 })
		b := start(t, n.Host(2))
		w := writer(t, a, reliable, transientLocal, depth(1000))
		for i := range 100 {
			write(t, w, number(i, 50_000))
		}
		if got := a.Stats().HistoryBytes; got > 1<<20 || got < 900_000 {
			t.Errorf("%d bytes kept", got)
		}
		_, in := reader(t, b, reliable, transientLocal)
		eventually(t, 5*time.Second, "the rest", func() bool { return len(in.all()) == 20 })
		if got := in.numbers(); got[0] != 80 || got[19] != 99 {
			t.Errorf("late joiner got %v", got)
		}
		if err := w.Write(make([]byte, 2<<20)); !errors.Is(err, rtps.ErrFull) {
			t.Errorf("more than all: %v", err)
		}
		all := writer(t, a, reliable, transientLocal, keepAll)
		if err := all.Write(make([]byte, 100_000)); !errors.Is(err, rtps.ErrFull) {
			t.Errorf("no space left: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := a.Stats().HistoryBytes; got != 0 {
			t.Errorf("%d bytes kept for a closed writer", got)
		}
		written := 0
		for all.Write(number(written, 50_000)) == nil {
			written++
		}
		if written != 20 {
			t.Errorf("keep all took %d", written)
		}
	})
}

// TestHistoryBytesOfAcknowledged: samples acknowledged by every reader are removed to free space.
func TestHistoryBytesOfAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a := start(t, n.Host(1), func(c *rtps.Config) { c.Limits.HistoryBytes = 100_000 })
		b := start(t, n.Host(2))
		w := writer(t, a, reliable, keepAll)
		r, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		var want []int
		for i := range 50 {
			eventually(t, time.Second, "space", func() bool { return w.Write(number(i, 20_000)) == nil })
			want = append(want, i)
		}
		eventually(t, time.Second, "samples", func() bool { return len(in.all()) == 50 })
		if !slices.Equal(in.numbers(), want) {
			t.Errorf("got %v", in.numbers())
		}
	})
}

// TestManyPeersCannotStarveOthers: when all memory is used, the peer that uses least gets memory at the cost of the one
// that uses most.
func TestManyPeersCannotStarveOthers(t *testing.T) {
	underAttack(t, func(a *attacker) {
		for i := range byte(8) {
			a.memoryHog(60+i).fill(20, 1<<20)
		}
		if s := a.victim.Stats(); s.HeldBytes < 14<<20 || s.HeldBytes > 16<<20 {
			t.Errorf("%d bytes held", s.HeldBytes)
		}
		write(t, a.writer, number(1, 1<<20))
		eventually(t, 2*time.Second, "a large sample of the good peer", func() bool { return len(a.in.all()) == 1 })
		if s := a.victim.Stats(); s.HeldBytes > 16<<20 || s.HeldBytes < 10<<20 {
			t.Errorf("%d bytes held", s.HeldBytes)
		}
		time.Sleep(2 * time.Second)
		for range 20 { // what they hold is freed with them
			time.Sleep(20 * time.Second)
		}
		if s := a.victim.Stats(); s.HeldBytes > 6<<20 { // the spare buffer of the good peer
			t.Errorf("%d bytes held in the end", s.HeldBytes)
		}
	})
}
