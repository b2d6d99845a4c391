// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestForgedSubmessagesOfALivePeer: a third machine sends us ACKNACK, NACK_FRAG, HEARTBEAT and GAP submessages that
// carry the GUID prefix of a live Cyclone DDS or Fast DDS participant, for each of its endpoints that we talk to, the
// built-in ones included, with counts near 2^31, while that participant and we exchange samples reliably over a link
// that loses frames. All arrive, once and in order.
func TestForgedSubmessagesOfALivePeer(t *testing.T) {
	under := stacks
	if !suite.Long {
		under = stacks[:1]
	}
	for _, s := range under {
		t.Run(s.name, func(t *testing.T) {
			link := &cable{loss: 0.1}
			link.calm.Store(true)
			f := newForger(link)
			hosts, domain := startHostsOn(t, link), newDomain()
			ends := [2]*peer{startOursOn(t, hosts[0], domain), s.startOn(t, hosts[1], domain)}
			keep := qos{reliable: true, depth: 1000}.words()
			for i, e := range ends {
				e.send("writer w string rt/flow%d %s", i, keep)
				e.send("reader r string rt/flow%d %s", 1-i, keep)
			}
			ends[0].send("writer b blob rt/large %s", keep)
			ends[1].send("reader b blob rt/large %s", keep)
			for i, e := range ends {
				for _, id := range []string{"w", "r", "b"} {
					e.matched(id, 1)
				}
				ends[i].send("write w 10")
			}
			ends[0].send("write b 1 %d", blobOverhead)
			for i := range ends {
				expectStrings(t, ends[i], "r", 1, 10) // the forger has seen an ACKNACK and a HEARTBEAT of each
			}
			ends[1].sample("b")
			link.calm.Store(false)
			stop := f.attack()
			const rounds, size = 100, 5000
			begun := time.Now()
			exchangeUnderAttack(t, ends, rounds, size)
			t.Logf("%d samples each way after %.1f s", rounds, time.Since(begun).Seconds())
			sent := stop()
			stats := ends[0].stats("w")
			readers, writers := f.endpoints()
			t.Logf("%d forged datagrams of %d readers and %d writers, %d submessages refused", sent, readers, writers, stats.Refused)
			if stats.Refused < sent/2 || stats.Current != 1 || readers < 4 || writers < 3 {
				t.Errorf("of %d forged datagrams of %d readers and %d writers %d were refused, %d readers are matched", sent, readers,
					writers, stats.Refused, stats.Current)
			}
		})
	}
}

// exchangeUnderAttack: both ends write strings, numbered from 11 on, and our end fragmented blobs, from 2 on; all
// arrive.
func exchangeUnderAttack(t *testing.T, ends [2]*peer, rounds, size int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for round := range rounds {
		for _, e := range ends {
			e.send("write w 1")
		}
		if round%10 == 0 {
			ends[0].send("write b 1 %d", size)
		}
		<-tick.C
	}
	for i := range ends {
		expectStrings(t, ends[i], "r", 11, 10+rounds)
	}
	for n := 2; n <= 1+rounds/10; n++ {
		if e := ends[1].sample("b"); e.Number != n || e.Wrong != 0 {
			t.Fatalf("blob %d: %.200s", n, e.line)
		}
	}
}
