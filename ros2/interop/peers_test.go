// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// domains is the number of domains used: every test has a separate DDS domain in the common namespace, until all have
// been used; the tests of the first are over then.
var domains atomic.Uint32

// newDomain returns a domain from 1 to 230; the ports of those above 232 do not exist.
func newDomain() uint32 { return (domains.Add(1)-1)%230 + 1 }

// TestPeersExchangeSamples tests the peers and the namespace without our stack: if it passes and another test fails,
// the fault is in our stack.
func TestPeersExchangeSamples(t *testing.T) {
	for _, pair := range [][2]*stack{{cyclone, fastdds}, {fastdds, cyclone}} {
		t.Run(pair[0].name+" to "+pair[1].name, func(t *testing.T) {
			domain := newDomain()
			from, to := pair[0].start(t, domain, 0), pair[1].start(t, domain, 0)
			to.send("reader r string rt/chatter reliable transient_local 10")
			from.send("writer w string rt/chatter reliable transient_local 10")
			from.matched("w", 1)
			to.matched("r", 1)
			from.send("write w 5")
			for i := 1; i <= 5; i++ {
				if got, want := to.sample("r").Data, fmt.Sprintf("sample %d", i); got != want {
					t.Errorf("sample %d holds %q", i, got)
				}
			}
			to.send("reader late string rt/chatter reliable transient_local 10")
			for i := 1; i <= 5; i++ {
				to.sample("late")
			}
			from.send("acked w")
			from.quit()
			to.matched("r", 0)
			to.quit()
		})
	}
}

// TestPeersRejectInvalidCommands: the peers report invalid commands, so that a mistake in a test is detected.
func TestPeersRejectInvalidCommands(t *testing.T) {
	for _, s := range stacks {
		t.Run(s.name, func(t *testing.T) {
			p := s.start(t, newDomain(), 0)
			for _, line := range []string{"write unknown 1", "reader r nokind t reliable volatile 1", "reader r string", "gibberish"} {
				if _, err := fmt.Fprintln(p.stdin, line); err != nil {
					t.Fatal(err)
				}
				p.await("error for "+line, func(e event) bool { return e.Event == "error" })
			}
			p.send("writer w string rt/chatter reliable volatile 1")
			if s := p.stats("w"); s.Written != 0 || s.Current != 0 {
				t.Errorf("stats of a new writer: %s", s.line)
			}
			p.quit()
		})
	}
}
