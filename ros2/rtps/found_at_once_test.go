// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// foundWithin is the longest time from the first announcement of a participant until it has the sample that another one
// keeps for late readers, or the other way round.
const foundWithin = 200 * time.Millisecond

// TestNewcomersAreFoundAtOnce: a participant that starts and one that ran before exchange what they keep for late
// readers within foundWithin of the newcomer's first announcement, also if it accepts nothing in its first moments, as
// Fast DDS does, and with many endpoints. 100 of 100 starts.
func TestNewcomersAreFoundAtOnce(t *testing.T) {
	for start := range 100 {
		silence := time.Duration(start%10) * 10 * time.Millisecond
		t.Run(fmt.Sprintf("%d, receiving after %v", start, silence), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { meetNewcomer(t, uint64(start), silence) })
		})
	}
}

func meetNewcomer(t *testing.T, seed uint64, silence time.Duration) {
	n := vnet.New(vnet.Config{Seed: seed})
	durable := []option{reliable, transientLocal, depth(1)}
	old := start(t, n.Host(1))
	for i := range 5 {
		if _, err := old.NewWriter(rtps.WriterConfig{Topic: fmt.Sprintf("rt/t%d", i), Type: typeName, QoS: qos(reliable)}); err != nil {
			t.Fatal(err)
		}
	}
	write(t, writer(t, old, durable...), number(1, 100))
	_, atOld := reader(t, old, durable...)
	time.Sleep(time.Duration(700+37*seed%3000) * time.Millisecond) // anywhere between two announcements
	began, newcomer := time.Now(), n.Host(2)
	n.Screen(func(_, to netip.Addr) bool { return to != newcomer.Addr() || time.Since(began) >= silence })
	p := start(t, newcomer)
	_, atNew := reader(t, p, durable...)
	write(t, writer(t, p, durable...), number(2, 100))
	eventually(t, foundWithin, "each has the sample of the other", func() bool {
		return heardBoth(atOld) && heardBoth(atNew)
	})
}

// heardBoth reports whether an inbox has the samples of both participants.
func heardBoth(b *inbox) bool {
	seen := map[int]bool{}
	for _, i := range b.numbers() {
		seen[i] = true
	}
	return seen[1] && seen[2]
}

// TestFirstHeartbeatsAreRepeatedWhenTheyCanBeUsed: what is sent to the built-in endpoints of a participant that does
// not know ours yet is lost there; it is sent again at once when its first message to ours arrives.
func TestFirstHeartbeatsAreRepeatedWhenTheyCanBeUsed(t *testing.T) {
	for _, vendor := range []wire.VendorID{wire.VendorCyclone, wire.VendorEProsima} {
		withScripted(t, vendor, func(s *scripted) {
			time.Sleep(30 * time.Millisecond) // before the timers of the first ones
			s.heard(func(heard) bool { return false })
			s.send(func(b *wire.Builder) {
				b.InfoDst(s.p.GUID().Prefix)
				b.Heartbeat(&wire.Heartbeat{Writer: wire.EntityParticipantMessageWriter, First: 1, Count: s.count(), Final: true})
			})
			time.Sleep(time.Millisecond)
			heartbeats := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer.IsBuiltin() && !h.heartbeat.Final })
			if len(heartbeats) != 3 {
				t.Errorf("vendor %v: %d heartbeats of discovery", vendor, len(heartbeats))
			}
		})
	}
}

// TestHeartbeatFollowsAcknowledgedAnnouncement: the first heartbeat of a writer is lost at a reader whose participant
// does not know the writer yet; it is sent again at once when the participant has acknowledged the announcements.
func TestHeartbeatFollowsAcknowledgedAnnouncement(t *testing.T) {
	withScripted(t, wire.VendorEProsima, func(s *scripted) {
		w := writer(t, s.p, reliable, transientLocal, depth(1))
		write(t, w, number(1, 100))
		r := wire.EndpointData{GUID: wire.GUID{Prefix: s.prefix, Entity: wire.NewEntityID(1, wire.KindReader)}, Topic: topic, Type: typeName,
			QoS: qos(reliable, transientLocal)}
		s.send(func(b *wire.Builder) {
			b.Data(&wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: 1, Kind: wire.PayloadData, Payload: r.AppendPayload(nil)})
		})
		s.answer(wire.EntityPublicationsReader, wire.EntityPublicationsWriter)
		time.Sleep(20 * time.Millisecond)
		s.heard(func(heard) bool { return false })
		s.send(func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: wire.EntityPublicationsReader, Writer: wire.EntityPublicationsWriter,
				State: wire.SequenceNumberSet{Base: 2}, Count: s.count(), Final: true})
		})
		time.Sleep(time.Millisecond)
		if got := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity }); len(got) != 1 || got[0].heartbeat.Final {
			t.Errorf("%d heartbeats after the acknowledgment", len(got))
		}
	})
}
