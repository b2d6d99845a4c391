// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// A cell of the matrix is one topic: with these QoS on both sides, samples of this size.
type cell struct {
	qos
	size int // bytes, encapsulation header not counted
	id   string
}

// samples is how many a cell writes before and after the match.
func (c cell) samples() (before, after int) {
	if c.size >= 100_000 {
		return 1, 2
	}
	return 3, 10
}

// matrixSizes are one datagram, one just below an Ethernet frame, a picture as
// JPEG and one of 640 x 480 pixels uncompressed.
var matrixSizes = []int{12, 1024, 40 << 10, 921_600}

func matrixCells() (cells []cell) {
	for _, reliable := range []bool{true, false} {
		for _, transientLocal := range []bool{true, false} {
			for _, size := range matrixSizes {
				q := qos{reliable: reliable, transientLocal: transientLocal, depth: 50}
				// 31 characters at most
				id := strings.NewReplacer("best_effort", "effort", "transient_local", "kept").Replace(q.words())
				words := strings.Fields(id)
				cells = append(cells, cell{q, size, fmt.Sprintf("%s/%s/%d", words[0], words[1], size)})
			}
		}
	}
	return cells
}

// matrixLoss is the share of the frames that the cable between two hosts loses.
const matrixLoss = 0.02

// TestMatrix: {publish, subscribe} × {Cyclone DDS, Fast DDS} × {best effort, reliable} × {volatile, transient local} ×
// {12 B … 921,600 B} × {loopback, two machines on a cable that loses 2 % of the frames}. Ours is a separate process,
// and both sides report their events. One run of the processes serves the 16 cells of a direction, a stack and a
// network.
func TestMatrix(t *testing.T) {
	networks := []string{"loopback", "cable"}
	if !suite.Long {
		networks = networks[:1]
	}
	for _, network := range networks {
		for _, s := range stacks {
			for _, publish := range []bool{true, false} {
				name := fmt.Sprintf("publish=%v/%s/%s", publish, s.name, network)
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					ours, theirs := matrixPeers(t, s, network)
					m := &matrix{t: t, from: ours, to: theirs, lossy: network == "cable"}
					if !publish {
						m.from, m.to = theirs, ours
					}
					m.run(matrixCells())
				})
			}
		}
	}
}

// matrixPeers starts our stack and another, on one machine or on two.
func matrixPeers(t *testing.T, s *stack, network string) (ours, theirs *peer) {
	domain := newDomain()
	if network == "cable" {
		hosts := startHosts(t, matrixLoss)
		return startOursOn(t, hosts[0], domain), s.startOn(t, hosts[1], domain)
	}
	return startRole(t, "peer", domain), s.start(t, domain, 0)
}

// matrix is a pair of peers and the results of its cells.
type matrix struct {
	t        testing.TB
	from, to *peer
	lossy    bool
	// unordered means that the reading stack delivers samples in order of arrival.
	unordered bool
}

// run takes all cells through their stages: the reliable ones together, since they wait for repairs, and the
// best-effort ones one by one, so that they do not cause losses for each other.
func (m *matrix) run(cells []cell) {
	m.t.Helper()
	for _, c := range cells {
		before, _ := c.samples()
		m.from.send("writer %s blob rt/%s %s", c.id, c.id, c.words())
		m.from.send("write %s %d %d", c.id, before, c.size)
	}
	for _, c := range cells {
		m.to.send("reader %s blob rt/%s %s", c.id, c.id, c.words())
	}
	for _, c := range cells {
		m.from.matched(c.id, 1)
		m.to.matched(c.id, 1)
	}
	for _, c := range cells {
		if _, after := c.samples(); c.reliable {
			m.from.send("write %s %d %d", c.id, after, c.size)
		}
	}
	for _, c := range cells {
		if c.reliable && m.unordered {
			m.allUnordered(c)
		} else if c.reliable {
			m.all(c)
		} else {
			m.some(c)
		}
	}
	m.leave(cells)
	m.from.quit()
}

// leave closes the readers and checks that the writers detect it.
func (m *matrix) leave(cells []cell) {
	m.t.Helper()
	for _, c := range cells {
		if !m.unordered { // Foxglove's stack runs over its buffer when many endpoints go: there the participant goes
			m.to.send("close %s", c.id)
		}
	}
	if m.unordered {
		m.to.quit()
	}
	for _, c := range cells {
		m.from.matched(c.id, 0)
	}
	if !m.unordered {
		m.to.quit()
	}
}

// check compares a sample with blob number.
func (m *matrix) check(c cell, e event, size int) {
	m.t.Helper()
	if e.Size != size-blobOverhead || e.Wrong != 0 {
		m.t.Errorf("%s: %d bytes of data, not %d, or %d wrong: %.200s", c.id, e.Size, size-blobOverhead, e.Wrong, e.line)
	}
}

// counts compares the counters of both sides.
func (m *matrix) counts(c cell, written, received int) {
	m.t.Helper()
	w, r := m.from.stats(c.id), m.to.stats(c.id)
	if w.Written != written || w.Current != 1 || r.Received != received || r.Current != 1 || c.reliable && r.Lost != 0 {
		m.t.Errorf("%s: %d written, %d received\nwriter %s\nreader %s", c.id, written, received, w.line, r.line)
	}
}

// all: a reliable cell delivers everything in order, with the history to transient-local readers.
func (m *matrix) all(c cell) {
	m.t.Helper()
	before, after := c.samples()
	first := 1
	if !c.transientLocal {
		first += before
	}
	for n := first; n <= before+after; n++ {
		e := m.to.sample(c.id)
		if e.Number != n {
			m.t.Fatalf("%s: sample %d when %d was due", c.id, e.Number, n)
		}
		m.check(c, e, c.size)
	}
	m.counts(c, before+after, before+after-first+1)
}

// some: a best-effort cell delivers complete samples in order, and continues. A sample of 700 frames on a lossy link
// will not arrive: there a small sample after the large ones must.
func (m *matrix) some(c cell) {
	m.t.Helper()
	before, want := c.samples()
	want /= 2
	written, received, last, size := before, 0, 0, c.size
	if !c.transientLocal {
		last = before
	}
	deadline := time.Now().Add(timeout)
	for tries := 1; received < want; tries++ {
		if time.Now().After(deadline) {
			m.t.Fatalf("%s: %d of %d best-effort samples arrived", c.id, received, written-before)
		}
		if m.lossy && size > 100_000 && tries > 2 {
			size = matrixSizes[0]
		}
		m.from.send("write %s 1 %d", c.id, size)
		written++
		for limit := time.Second; ; limit = 0 {
			e, ok := m.to.events.awaitWithin(limit, func(e event) bool { return e.Event == "sample" && e.ID == c.id })
			if !ok {
				break
			}
			if e.Number <= last || e.Number > written {
				m.t.Fatalf("%s: sample %d after %d", c.id, e.Number, last)
			}
			last = e.Number
			received++
			if m.lossy && e.Size == matrixSizes[0]-blobOverhead {
				m.check(c, e, matrixSizes[0])
			} else {
				m.check(c, e, c.size)
			}
		}
	}
	m.counts(c, written, received)
}
