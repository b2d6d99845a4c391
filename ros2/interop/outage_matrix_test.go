// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestOutages: after every kind of outage, shorter and longer than either lease, so that none, one or both sides lost
// the other, Cyclone DDS, Fast DDS and our own stack exchange samples with us again, in both directions and losing
// none, none twice. The shortest outages lose nothing at all.
func TestOutages(t *testing.T) {
	outages := []outage{{duration: 5 * time.Second}, {duration: 15 * time.Second}, {duration: 30 * time.Second}}
	if !suite.Long { // The short one is far below the default leases: a busy machine prolongs it.
		outages = []outage{{duration: time.Second}, {6 * time.Second, outageLeases{ours: 4, theirs: 3}}}
	}
	var scenes []*outageScene
	for _, o := range outages {
		for _, k := range outageKinds() {
			scenes = append(scenes, startOutageScene(t, k, o))
		}
	}
	runOutages(t, scenes)
	for _, s := range scenes {
		for _, p := range s.pairs {
			p.writeMore() // at once: later only announcements would have renewed the leases
		}
	}
	for _, s := range scenes {
		for _, p := range s.pairs {
			p.checkForgotten(t, s)
			p.checkNothingIsLost(t)
			p.checkOrder(t)
			if s.duration == outages[0].duration && s.keepsAddress {
				p.checkNothingWasLost(t)
			}
		}
	}
}

// checkForgotten checks that a side which the outage left without datagrams lost the other if its lease is shorter than
// the outage, and that no side did if that lease is at least twice as long.
func (p *outagePair) checkForgotten(t *testing.T, s *outageScene) {
	t.Helper()
	for i, lease := range p.leases {
		switch {
		case s.noReceive[i] && s.duration > lease && !p.forgot[i]:
			t.Errorf("%s: side %d has not lost the other, whose lease is %v", p.name, i, lease)
		case s.keepsAddress && s.duration <= lease/2 && p.forgot[i]:
			t.Errorf("%s: side %d has lost the other, whose lease is %v", p.name, i, lease)
		}
	}
}

// checkOrder checks that no sample came twice or out of order, those from before the outage included.
func (p *outagePair) checkOrder(t *testing.T) {
	t.Helper()
	for i, got := range p.got {
		for k := 1; k < len(got); k++ {
			if got[k] <= got[k-1] {
				t.Errorf("%s, direction %d: %d after %v", p.name, i, got[k], got[:k])
				break
			}
		}
	}
}

// checkNothingWasLost checks that every sample arrived, including those written during the outage.
func (p *outagePair) checkNothingWasLost(t *testing.T) {
	t.Helper()
	for i, got := range p.got {
		for k, n := range got {
			if n != got[0]+k {
				t.Errorf("%s, direction %d: %d after %v", p.name, i, n, got[:k])
				break
			}
		}
	}
}

// moreSamples is how many are written after the outage.
const moreSamples = 20

// writeMore writes samples that checkNothingIsLost waits for.
func (p *outagePair) writeMore() {
	for range moreSamples {
		p.write("w")
	}
}

// checkNothingIsLost checks that each of the last samples written arrives, once and in order.
func (p *outagePair) checkNothingIsLost(t *testing.T) {
	t.Helper()
	first := p.written - moreSamples + 1
	for i, e := range []*peer{p.theirs, p.ours} {
		for p.last(i) < p.written {
			n, _ := sampleNumber(e.sample("r"))
			p.got[i] = append(p.got[i], n)
		}
		from := slices.Index(p.got[i], first)
		if from < 0 || len(p.got[i])-from != moreSamples || !slices.IsSorted(p.got[i][from:]) {
			t.Errorf("%s, direction %d: of %d samples from %d on %v arrived", p.name, i, moreSamples, first, p.got[i][max(from, 0):])
		}
	}
}
