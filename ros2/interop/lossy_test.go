// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// lossyCable loses every fifth frame, and delays each by up to 50 ms.
func lossyCable() *cable { return &cable{loss: 0.2, jitter: 50 * time.Millisecond} }

// repairs counts the frames and requests for large samples over a cable, from end 0 to end 1.
type repairs struct {
	wire.NopHandler
	mu       sync.Mutex
	end      int // that sent the present frame
	frames   int // of the sender
	requests int // NACK_FRAGs of the reader
	early    int // those before the last fragment of their sample was sent for the first time
	sent     map[wire.SequenceNumber]bool
}

// watch counts a frame.
func (c *repairs) watch(end int, frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end = end; end == 0 {
		c.frames++
	}
	if p, ok := parsePacket(frame); ok {
		_ = wire.Walk(p.payload, c)
	}
}

// HandleDataFrag implements wire.Handler.
func (c *repairs) HandleDataFrag(_ *wire.Receiver, m *wire.DataFrag) {
	if uint64(m.Last())*uint64(m.FragmentSize) >= uint64(m.SampleSize) {
		c.sent[m.SN] = true
	}
}

// HandleNackFrag implements wire.Handler.
func (c *repairs) HandleNackFrag(_ *wire.Receiver, m *wire.NackFrag) {
	if c.end != 1 {
		return
	}
	if c.requests++; !c.sent[m.SN] {
		c.early++
	}
}

// repairMeans are the result of an exchangeOnLossyCable: means of a sample, and the longest silence of the sender.
type repairMeans struct {
	seconds, frames, requests, early float64
	silent                           time.Duration
}

// exchangeOnLossyCable has one stack send large reliable samples to another, the next when the one before arrived.
func exchangeOnLossyCable(t *testing.T, samples int, from, to func(h *host, domain uint32) *peer) repairMeans {
	t.Helper()
	const size = 1_000_000
	link, count := lossyCable(), &repairs{sent: map[wire.SequenceNumber]bool{}}
	link.watch = count.watch
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
	n := float64(samples)
	count.mu.Lock()
	defer count.mu.Unlock()
	return repairMeans{
		seconds: time.Since(begun).Seconds() / n, frames: float64(count.frames) / n, requests: float64(count.requests) / n,
		early: float64(count.early) / n, silent: link.silence[0].longest(),
	}
}

// maxSilence is for how long a writer may send nothing while a reader waits for repairs: many heartbeat periods of 100
// ms, and the time in which a busy machine runs neither process. TestWriterAnswersRequestsDespiteRandomLosses has the
// exact limit.
const maxSilence = 5 * time.Second

// TestLossyLink: samples of 1 MB to Cyclone DDS over a link that loses every fifth frame arrive without stalls: the
// writer continues to send heartbeats while the reader requests more, and does not become so slow that many requests
// come while the sample is still being sent for the first time. It takes about as many requests, and not many more
// frames, than from Cyclone DDS. Two other pairs are measured for comparison.
func TestLossyLink(t *testing.T) {
	ours := func(h *host, domain uint32) *peer { return startOursOn(t, h, domain) }
	theirs := func(h *host, domain uint32) *peer { return cyclone.startOn(t, h, domain) }
	fast := func(h *host, domain uint32) *peer { return fastdds.startOn(t, h, domain) }
	pairs := []struct {
		name     string
		from, to func(h *host, domain uint32) *peer
	}{
		{"ours to Cyclone DDS", ours, theirs}, {"Cyclone DDS to Cyclone DDS", theirs, theirs}, {"ours to Fast DDS", ours, fast},
		{"ours to ours", ours, ours},
	}
	samples := 15
	if !suite.Long {
		pairs, samples = pairs[:2], 5
	}
	var got []repairMeans
	for i, pair := range pairs {
		e := exchangeOnLossyCable(t, samples, pair.from, pair.to)
		got = append(got, e)
		t.Logf("%s, for each of %d samples of 1 MB: %.2f s, %.0f frames, %.1f requests, %.1f of them before all was sent; silent for %.1f s at most",
			pair.name, samples, e.seconds, e.frames, e.requests, e.early, e.silent.Seconds())
		if e.silent > maxSilence && i != 1 {
			t.Errorf("%s: silent for %v although the reader waits", pair.name, e.silent)
		}
		samples = min(samples, 5)
	}
	if e := got[0]; e.early > e.requests/4 {
		t.Errorf("%.1f of %.1f requests before all was sent", e.early, e.requests)
	}
	if o, c := got[0], got[1]; o.requests > 2*c.requests || o.frames > 1.5*c.frames {
		t.Errorf("%.1f requests and %.0f frames, Cyclone DDS %.1f and %.0f", o.requests, o.frames, c.requests, c.frames)
	}
}
