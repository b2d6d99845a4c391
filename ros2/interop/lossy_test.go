// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"testing"
	"time"
)

// lossyCable loses every fifth frame, and delays each by up to 50 ms.
func lossyCable() *cable { return &cable{loss: 0.2, jitter: 50 * time.Millisecond} }

// exchangeOnLossyCable has one stack send large reliable samples to another, the next when the one before arrived, and
// returns how long that took and for how long the sender was silent meanwhile.
func exchangeOnLossyCable(t *testing.T, samples int, from, to func(h *host, domain uint32) *peer) (took, silent time.Duration) {
	t.Helper()
	const size = 1_000_000
	link := lossyCable()
	hosts := startHostsOn(t, link)
	domain := newDomain()
	w, r := from(hosts[0], domain), to(hosts[1], domain)
	keep := qos{reliable: true, depth: 20}.words()
	r.send("reader b blob rt/large %s", keep)
	w.send("writer b blob rt/large %s", keep)
	w.matched("b", 1)
	r.matched("b", 1)
	link.silence[0].reset()
	begun := time.Now()
	for n := 1; n <= samples; n++ {
		w.send("write b 1 %d", size)
		if e := r.sample("b"); e.Number != n || e.Size != size-blobOverhead || e.Wrong != 0 {
			t.Fatalf("sample %d: %.200s", n, e.line)
		}
	}
	return time.Since(begun), link.silence[0].longest()
}

// maxSilence is for how long a writer may send nothing while a reader waits for repairs: many heartbeat periods of 100
// ms, all of which may be lost.
const maxSilence = 2 * time.Second

// TestLossyLink: samples of 1 MB to Cyclone DDS over a link that loses every fifth frame arrive without stalls: the
// writer goes on sending heartbeats while the reader asks for more. Two others are measured beside it.
func TestLossyLink(t *testing.T) {
	ours := func(h *host, domain uint32) *peer { return startOursOn(t, h, domain) }
	theirs := func(h *host, domain uint32) *peer { return cyclone.startOn(t, h, domain) }
	fast := func(h *host, domain uint32) *peer { return fastdds.startOn(t, h, domain) }
	pairs := []struct {
		name     string
		from, to func(h *host, domain uint32) *peer
	}{
		{"ours to Cyclone DDS", ours, theirs}, {"ours to Fast DDS", ours, fast}, {"ours to ours", ours, ours},
		{"Cyclone DDS to Cyclone DDS", theirs, theirs},
	}
	samples := 15
	if testing.Short() {
		pairs, samples = pairs[:1], 3
	}
	for i, pair := range pairs {
		if i == 1 {
			samples = 5
		}
		took, silent := exchangeOnLossyCable(t, samples, pair.from, pair.to)
		t.Logf("%s: %.2f s for each of %d samples of 1 MB, silent for %.1f s at most", pair.name, took.Seconds()/float64(samples),
			samples, silent.Seconds())
		if silent > maxSilence && i < 3 {
			t.Errorf("%s: silent for %v although the reader waits", pair.name, silent)
		}
	}
}
