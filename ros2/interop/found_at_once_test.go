// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// foundWithin is the longest time from the first announcement of a participant until one that ran before, or it itself,
// has a sample that the other keeps for late readers: as "ros2 node list" needs the one of ros_discovery_info.
const foundWithin = 200 * time.Millisecond

// announcements are the times of the first announcement of each participant to the discovery group of a domain.
type announcements struct {
	mu    sync.Mutex
	first map[wire.GUIDPrefix]time.Time
	conn  *net.UDPConn
}

// hearAnnouncements listens to the discovery group of a domain until the end of the test.
func hearAnnouncements(t *testing.T, domain uint32) *announcements {
	t.Helper()
	needNamespace(t)
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.ListenMulticastUDP("udp4", lo, &net.UDPAddr{IP: udp.MulticastGroup().AsSlice(), Port: int(udp.MulticastPort(domain))})
	if err != nil {
		t.Fatal(err)
	}
	a := &announcements{first: map[wire.GUIDPrefix]time.Time{}, conn: conn}
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.hear()
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		<-done
	})
	return a
}

func (a *announcements) hear() {
	b := make([]byte, 1<<16)
	for {
		n, err := a.conn.Read(b)
		if err != nil {
			return
		}
		h, err := wire.ParseHeader(b[:n])
		if err != nil {
			continue
		}
		a.mu.Lock()
		if _, known := a.first[h.Prefix]; !known {
			a.first[h.Prefix] = time.Now()
		}
		a.mu.Unlock()
	}
}

// latest returns the last first announcement, the one of the participant that was started last.
func (a *announcements) latest(t *testing.T) (last time.Time) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, at := range a.first {
		if at.After(last) {
			last = at
		}
	}
	if last.IsZero() {
		t.Fatal("no announcement was heard")
	}
	return last
}

// crowded is a participant of ours with as many endpoints as the driver's and a sample for late readers.
func crowded(t *testing.T, domain uint32) *ours {
	o := startOurs(t, rtps.Config{DomainID: domain})
	for i := range 60 {
		o.writer(fmt.Sprintf("rt/topic%d", i), typeString, qos{reliable: true, depth: 10})
	}
	for i := range 20 {
		o.reader(fmt.Sprintf("rt/command%d", i), typeString, qos{depth: 1})
	}
	o.writer("rt/late", typeString, qos{reliable: true, transientLocal: true, depth: 1}).strings(1)
	return o
}

// settled is how long the participant that starts earlier runs before the other starts: its first announcements, and
// those of the round before, are over.
const settled = 700 * time.Millisecond

// TestFoundAtOnce: whichever of our stack and a vendor's starts later, the sample that ours keeps for late readers
// arrives within foundWithin of the later one's first announcement. The log has the times of two participants of the
// vendor, too.
func TestFoundAtOnce(t *testing.T) {
	for _, s := range stacks {
		t.Run(s.name+" after ours", func(t *testing.T) {
			judge(t, true, func(domain uint32, heard *announcements) time.Duration {
				o := crowded(t, domain)
				defer func() { _ = o.p.Close() }()
				return findLater(t, s, domain, heard)
			})
		})
		t.Run("ours after "+s.name, func(t *testing.T) {
			judge(t, true, func(domain uint32, heard *announcements) time.Duration {
				p := s.start(t, domain, 0)
				defer p.quit()
				readLate(p)
				time.Sleep(settled)
				o := crowded(t, domain)
				defer func() { _ = o.p.Close() }()
				p.sample("r")
				return time.Since(heard.latest(t))
			})
		})
		t.Run(s.name+" after "+s.name, func(t *testing.T) {
			judge(t, false, func(domain uint32, heard *announcements) time.Duration {
				p := s.start(t, domain, 0)
				defer p.quit()
				p.send("writer w string rt/late %s", qos{reliable: true, transientLocal: true, depth: 1}.words())
				p.send("write w 1")
				return findLater(t, s, domain, heard)
			})
		})
	}
}

// readLate creates a peer's reader of the sample for late readers.
func readLate(p *peer) {
	p.send("reader r string rt/late %s", qos{reliable: true, transientLocal: true, depth: 1}.words())
}

// findLater starts a peer after the writer and returns the time until it has the sample, from its first announcement,
// or from when it had its reader if that was later.
func findLater(t *testing.T, s *stack, domain uint32, heard *announcements) time.Duration {
	time.Sleep(settled)
	p := s.start(t, domain, 0)
	defer p.quit()
	readLate(p)
	ready := time.Now()
	p.sample("r")
	at := time.Now()
	if first := heard.latest(t); first.After(ready) {
		ready = first
	}
	return at.Sub(ready)
}

// judge measures a time in several rounds, and fails for each that is too long if it is ours.
func judge(t *testing.T, ours bool, round func(domain uint32, heard *announcements) time.Duration) {
	rounds := 20
	if suite.Long {
		rounds = 100
	}
	domain := newDomain()
	heard := hearAnnouncements(t, domain)
	var all []time.Duration
	for i := range rounds {
		d := round(domain, heard)
		if all = append(all, d); ours && d > foundWithin {
			t.Errorf("round %d: found after %v, want at most %v", i, d.Round(time.Millisecond), foundWithin)
		}
	}
	slices.Sort(all)
	t.Logf("median %v, nine tenths %v, longest %v", all[len(all)/2].Round(time.Millisecond), all[len(all)*9/10].Round(time.Millisecond),
		all[len(all)-1].Round(time.Millisecond))
}
