// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

const foxgloveDir = "testdata/foxglove"

// foxglove is the command of the peer with Foxglove's RTPS, a third stack in a third language, which scripts/setup.sh
// installs.
func foxglove(t *testing.T, domain uint32, address string) (node string, args []string) {
	t.Helper()
	needNamespace(t)
	if _, err := os.Stat(foxgloveDir + "/node_modules"); err != nil {
		unavailable(t, "Foxglove's stack is not installed (npm ci in %s): %v", foxgloveDir, err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		unavailable(t, "no node (Debian: apt install nodejs npm): %v", err)
	}
	return node, []string{foxgloveDir + "/peer.mjs", fmt.Sprint(domain), address}
}

// foxglovePeers starts our stack and Foxglove's, on one machine or on two.
func foxglovePeers(t *testing.T, network string) (ours, theirs *peer) {
	t.Helper()
	domain := newDomain()
	if network == "cable" {
		hosts := startHosts(t, matrixLoss)
		node, args := foxglove(t, domain, "192.0.2.2")
		ours = startOursOn(t, hosts[0], domain)
		theirs = launch(t, "foxglove", hosts[1].command(node, args...))
	} else {
		node, args := foxglove(t, domain, "127.0.0.1")
		ours = startRole(t, "peer", domain)
		theirs = launch(t, "foxglove", exec.Command(node, args...))
	}
	theirs.done("open", "")
	return ours, theirs
}

// TestFoxgloveReceives: a third stack receives what we write: {best effort, reliable} × {volatile, transient local} ×
// {12 B … 921,600 B} × {loopback, a cable that loses 2 % of the frames}. The library only subscribes ("when we support
// publishing", says its code), so there is no other direction.
func TestFoxgloveReceives(t *testing.T) {
	networks := []string{"loopback", "cable"}
	if !suite.Long {
		networks = networks[:1]
	}
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			ours, theirs := foxglovePeers(t, network)
			m := &matrix{t: t, from: ours, to: theirs, lossy: network == "cable", unordered: true}
			m.run(matrixCells())
		})
	}
}

// allUnordered is all for a stack that delivers samples in order of arrival.
func (m *matrix) allUnordered(c cell) {
	m.t.Helper()
	before, after := c.samples()
	first := 1
	if !c.transientLocal {
		first += before
	}
	seen := map[int]bool{}
	for len(seen) < before+after-first+1 {
		e := m.to.sample(c.id)
		if e.Number < first || e.Number > before+after || seen[e.Number] {
			m.t.Fatalf("%s: sample %d of %d to %d", c.id, e.Number, first, before+after)
		}
		seen[e.Number] = true
		m.check(c, e, c.size)
	}
	m.counts(c, before+after, before+after-first+1)
}
