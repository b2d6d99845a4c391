// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

const (
	chatter = "rt/chatter"
	images  = "rt/image"
)

// eachStack runs a test against each implementation, in a domain of its own.
func eachStack(t *testing.T, f func(t *testing.T, s *stack, domain uint32)) {
	for _, s := range stacks {
		t.Run(s.name, func(t *testing.T) { f(t, s, newDomain()) })
	}
}

// expectStrings waits for the numbered strings first to last, in order.
func expectStrings(t testing.TB, p *peer, id string, first, last int) {
	t.Helper()
	for i := first; i <= last; i++ {
		if got, want := p.sample(id).Data, fmt.Sprintf("sample %d", i); got != want {
			t.Fatalf("%s got %q, not %q", id, got, want)
		}
	}
}

// untilFirst writes numbered strings until the first of them arrives at a best-effort reader of the peer, then checks
// that those written after it arrive, too. Cyclone DDS calls the reader's listener of matches before the reader takes
// samples of the writer (ddsi_reader_add_connection is called before ddsi_proxy_writer_add_connection in
// ddsi_endpoint_match.c), so the sample written at that moment may be lost, from a Cyclone DDS writer as often.
func (w *ourWriter) untilFirst(p *peer, id string) {
	w.t.Helper()
	const period = 100 * time.Millisecond
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); {
		w.strings(1)
		e, ok := p.events.awaitWithin(period, func(e event) bool { return e.Event == "sample" && e.ID == id })
		if !ok {
			continue
		}
		first, ok := sampleNumber(e)
		if !ok || first < 1 || first > w.written {
			w.t.Fatalf("%s got %q, %d were written", id, e.Data, w.written)
		}
		if first > 1 {
			w.t.Logf("%s: sample %d is the first to arrive", id, first)
		}
		expectStrings(w.t, p, id, first+1, w.written)
		return
	}
	w.t.Fatalf("%s: none of %d samples arrived", id, w.written)
}

// TestWriteStrings: every combination of reliability that matches delivers.
func TestWriteStrings(t *testing.T) {
	for _, c := range []struct {
		name            string
		offered, wanted qos
	}{
		{"reliable to reliable", qos{reliable: true, depth: 100}, qos{reliable: true, depth: 100}},
		{"reliable to best effort", qos{reliable: true, depth: 100}, qos{depth: 100}},
		{"best effort to best effort", qos{depth: 100}, qos{depth: 100}},
		{"reliable depth 1", qos{reliable: true, depth: 1}, qos{reliable: true, depth: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachStack(t, func(t *testing.T, s *stack, domain uint32) {
				p := s.start(t, domain, 0)
				p.send("reader r string %s %s", chatter, c.wanted.words())
				w := startOurs(t, rtps.Config{DomainID: domain}).writer(chatter, typeString, c.offered)
				w.matched(1)
				p.matched("r", 1)
				const n = 50
				if c.offered.reliable && c.wanted.reliable && c.offered.depth >= n {
					w.strings(n) // back to back: none may be lost
					expectStrings(t, p, "r", 1, n)
					return
				}
				if !c.wanted.reliable {
					w.untilFirst(p, "r")
				}
				for range n {
					w.strings(1)
					expectStrings(t, p, "r", w.written, w.written)
				}
			})
		})
	}
}

// TestWriteLastOnly: a late reader gets the last sample of a latched topic, as /tf_static is.
func TestWriteLastOnly(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		keep := qos{reliable: true, transientLocal: true, depth: 1}
		w := startOurs(t, rtps.Config{DomainID: domain}).writer(chatter, typeString, keep)
		w.strings(3)
		p := s.start(t, domain, 0)
		p.send("reader late string %s %s", chatter, qos{reliable: true, transientLocal: true, depth: 100}.words())
		expectStrings(t, p, "late", 3, 3)
		w.strings(1)
		expectStrings(t, p, "late", 4, 4)
	})
}

// TestWriteCorked: samples written while corked arrive on all topics.
func TestWriteCorked(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		p := s.start(t, domain, 0)
		o := startOurs(t, rtps.Config{DomainID: domain})
		const topics = 30
		var writers []*ourWriter
		for i := range topics {
			q := qos{reliable: i%2 == 0, depth: 5}
			p.send("reader r%d string rt/topic%d %s", i, i, q.words())
			writers = append(writers, o.writer(fmt.Sprintf("rt/topic%d", i), typeString, q))
		}
		for i, w := range writers {
			id := fmt.Sprintf("r%d", i)
			w.matched(1)
			p.matched(id, 1)
			w.untilFirst(p, id)
		}
		before := o.p.Stats().DatagramsSent
		const cycles = 10
		for range cycles {
			o.p.Cork()
			for _, w := range writers {
				w.strings(1)
			}
			o.p.Uncork()
			for i, w := range writers {
				expectStrings(t, p, fmt.Sprintf("r%d", i), w.written, w.written)
			}
		}
		sent := o.p.Stats().DatagramsSent - before
		t.Logf("%d samples in %d datagrams", cycles*topics, sent)
		if sent > cycles*topics/2 {
			t.Errorf("%d datagrams for %d samples", sent, cycles*topics)
		}
	})
}
