// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestIncompatibleQoSIsReportedByBothSides: with incompatible QoS both sides report it and no data flows.
func TestIncompatibleQoSIsReportedByBothSides(t *testing.T) {
	for _, c := range []struct {
		name            string
		offered, wanted qos
		policy          wire.PolicyID
	}{
		{"reliability", qos{}, qos{reliable: true}, wire.PolicyReliability},
		{"durability", qos{reliable: true}, qos{reliable: true, transientLocal: true}, wire.PolicyDurability},
	} {
		t.Run("write "+c.name, func(t *testing.T) {
			eachStack(t, func(t *testing.T, s *stack, domain uint32) {
				p := s.start(t, domain, 0)
				p.send("reader r string %s %s", chatter, c.wanted.words())
				w := startOurs(t, rtps.Config{DomainID: domain}).writer(chatter, typeString, c.offered)
				if got := w.incompatible(); !slices.Contains(got, c.policy) {
					t.Errorf("our policies %v", got)
				}
				if got := wire.PolicyID(p.incompatible("r")); got != c.policy {
					t.Errorf("the peer's policy %v", got)
				}
				if n := w.Matched(); n != 0 {
					t.Errorf("%d readers match", n)
				}
			})
		})
		t.Run("read "+c.name, func(t *testing.T) {
			eachStack(t, func(t *testing.T, s *stack, domain uint32) {
				p := s.start(t, domain, 0)
				p.send("writer w string %s %s", chatter, c.offered.words())
				r := startOurs(t, rtps.Config{DomainID: domain}).reader(chatter, typeString, c.wanted)
				if got := r.incompatible(); !slices.Contains(got, c.policy) {
					t.Errorf("our policies %v", got)
				}
				if got := wire.PolicyID(p.incompatible("w")); got != c.policy {
					t.Errorf("the peer's policy %v", got)
				}
			})
		})
	}
}

// forever is a lease longer than any test, so that only an orderly leave is noticed.
const forever = time.Hour

// TestPeerLeaves: an orderly leave is detected at once, by the disposal.
func TestPeerLeaves(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		o := startOurs(t, rtps.Config{DomainID: domain})
		w := o.writer(chatter, typeString, qos{reliable: true})
		r := o.reader("rt/back", typeString, qos{reliable: true})
		p := s.start(t, domain, forever.Seconds())
		p.send("reader r string %s %s", chatter, qos{reliable: true}.words())
		p.send("writer w string rt/back %s", qos{reliable: true}.words())
		w.matched(1)
		r.matched(1)
		p.send("close r")
		w.matched(0)
		p.quit()
		r.matched(0)
	})
}

// TestPeerDies: a silent peer is removed when its lease expires, and another one is discovered.
func TestPeerDies(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		w := startOurs(t, rtps.Config{DomainID: domain}).writer(chatter, typeString, qos{reliable: true})
		for round := 1; round <= 2; round++ {
			p := s.start(t, domain, 3)
			p.send("reader r string %s %s", chatter, qos{reliable: true}.words())
			w.matched(1)
			p.matched("r", 1)
			w.strings(1)
			expectStrings(t, p, "r", round, round)
			p.kill()
			w.matched(0)
		}
	})
}

// TestWeLeave: the peer detects at once that we remove an endpoint, and then the participant.
func TestWeLeave(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		o := startOurs(t, rtps.Config{DomainID: domain, LeaseDuration: forever})
		w := o.writer(chatter, typeString, qos{reliable: true})
		r := o.reader("rt/back", typeString, qos{reliable: true})
		p := s.start(t, domain, 0)
		p.send("reader r string %s %s", chatter, qos{reliable: true}.words())
		p.send("writer w string rt/back %s", qos{reliable: true}.words())
		p.matched("r", 1)
		p.matched("w", 1)
		w.matched(1)
		r.matched(1)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		p.matched("r", 0)
		if err := o.p.Close(); err != nil {
			t.Fatal(err)
		}
		p.matched("w", 0)
	})
}

// TestManyParticipantsOnNetwork: both peers and two of our participants exchange samples, each with all others.
func TestManyParticipantsOnNetwork(t *testing.T) {
	domain := newDomain()
	q := qos{reliable: true, transientLocal: true, depth: 10}
	var peers []*peer
	for _, s := range stacks {
		p := s.start(t, domain, 0)
		p.send("reader r string %s %s", chatter, q.words())
		p.send("writer w string %s %s", chatter, q.words())
		p.send("write w 1")
		peers = append(peers, p)
	}
	var readers []*ourReader
	for range 2 {
		o := startOurs(t, rtps.Config{DomainID: domain})
		readers = append(readers, o.reader(chatter, typeString, q))
		o.writer(chatter, typeString, q).strings(1)
	}
	for _, p := range peers {
		for range 4 {
			expectStrings(t, p, "r", 1, 1)
		}
	}
	for _, r := range readers {
		writers := map[wire.GUID]bool{}
		for range 4 {
			writers[r.next().writer] = true
		}
		if len(writers) != 4 {
			t.Errorf("our reader received from %d writers", len(writers))
		}
	}
}
