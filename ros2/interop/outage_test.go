// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// outage is its duration and the leases that the two sides announce.
type outage struct {
	duration time.Duration
	leases   outageLeases
}

// outageKind is a kind of failure. Our stack is on host 0, the others are on host 1.
type outageKind struct {
	name         string
	begin, end   func(s *outageScene)
	noReceive    [2]bool // they, and we, run on and get no datagram; multicasts arrive without an address, too
	keepsAddress bool    // else we take ourselves back, so that they lose us before the lease runs out
}

// outageKinds are the kinds of failures by which two participants lose each other.
func outageKinds() []outageKind {
	cut := func(ours, theirs, down bool) func(s *outageScene) {
		return func(s *outageScene) {
			if ours {
				s.link.cut[0].Store(down)
			}
			if theirs {
				s.link.cut[1].Store(down)
			}
		}
	}
	signal := func(ours bool, sig syscall.Signal) func(s *outageScene) {
		return func(s *outageScene) {
			for _, p := range s.pairs {
				if ours {
					_ = p.ours.cmd.Process.Signal(sig)
				} else {
					_ = p.theirs.cmd.Process.Signal(sig)
				}
			}
		}
	}
	return []outageKind{
		{"our datagrams are lost", cut(true, false, true), cut(true, false, false), [2]bool{true, false}, true},
		{"their datagrams are lost", cut(false, true, true), cut(false, true, false), [2]bool{false, true}, true},
		{"all datagrams are lost", cut(true, true, true), cut(true, true, false), [2]bool{true, true}, true},
		{"our address is gone", (*outageScene).removeAddress, (*outageScene).restoreAddress, [2]bool{true, false}, true},
		{"our address changes", (*outageScene).removeAddress, (*outageScene).changeAddress, [2]bool{true, false}, false},
		{"we are stopped", signal(true, syscall.SIGSTOP), signal(true, syscall.SIGCONT), [2]bool{true, false}, true},
		{"they are stopped", signal(false, syscall.SIGSTOP), signal(false, syscall.SIGCONT), [2]bool{false, true}, true},
	}
}

func (s *outageScene) removeAddress() { s.hosts[0].ip("addr del 192.0.2.1/24 dev eth0") }

func (s *outageScene) restoreAddress() {
	s.hosts[0].ip("addr add 192.0.2.1/24 dev eth0")
	s.hosts[0].ip("route replace 239.0.0.0/8 dev eth0")
}

func (s *outageScene) changeAddress() {
	s.hosts[0].ip("addr add 192.0.2.3/24 dev eth0")
	s.hosts[0].ip("route replace 239.0.0.0/8 dev eth0")
}

// outageScene is one outage of two hosts, on which each other stack, and our own, has a participant of ours to talk to.
type outageScene struct {
	outageKind
	outage
	t     *testing.T
	hosts [2]*host
	link  *cable
	pairs []*outagePair
}

// outagePair is a participant of ours and one of another stack, that write to each other: samples all the time, and
// before and during the outage one to a topic that keeps it.
type outagePair struct {
	name         string
	ours, theirs *peer
	leases       [2]time.Duration // that they, and we, hold the other to
	written      int
	got          [2][]int // numbers received, by them and by us
	forgot       [2]bool  // since the outage began, an endpoint has lost its counterpart
	kept         [2]int   // the last one of the topic that keeps it
	back         [2]time.Duration
}

// outageLeases are what the stacks announce, in seconds; 0 is their own default.
type outageLeases struct{ ours, theirs float64 }

// of returns what we and the named stack announce.
func (l outageLeases) of(stack string) (ours, theirs time.Duration) {
	ours, theirs = 20*time.Second, 20*time.Second
	if stack == "cyclone" {
		theirs = 10 * time.Second
	}
	if l.ours > 0 {
		ours = time.Duration(l.ours * float64(time.Second))
	}
	if l.theirs > 0 {
		theirs = time.Duration(l.theirs * float64(time.Second))
	}
	return ours, theirs
}

// outageQoS are those of the topics, which hold more samples than any outage takes.
var (
	outageFlow = qos{reliable: true, depth: 1000}
	outageKept = qos{reliable: true, transientLocal: true, depth: 1}
)

func startOutageScene(t *testing.T, kind outageKind, o outage) *outageScene {
	t.Helper()
	s := &outageScene{outageKind: kind, outage: o, t: t, link: &cable{}}
	s.hosts = startHostsOn(t, s.link)
	for _, name := range []string{"cyclone", "fastdds", "ours"} {
		domain := newDomain()
		p := &outagePair{name: fmt.Sprintf("%s, %s for %v", name, kind.name, o.duration), ours: startOursLeased(t, s.hosts[0], domain, o.leases.ours)}
		p.leases[0], p.leases[1] = o.leases.of(name)
		switch name {
		case "cyclone":
			p.theirs = cyclone.startLeased(t, s.hosts[1], domain, o.leases.theirs)
		case "fastdds":
			p.theirs = fastdds.startLeased(t, s.hosts[1], domain, o.leases.theirs)
		default:
			p.theirs = startOursLeased(t, s.hosts[1], domain, o.leases.theirs)
		}
		for i, e := range []*peer{p.ours, p.theirs} {
			e.send("writer w string rt/flow%d %s", i, outageFlow.words())
			e.send("writer k string rt/kept%d %s", i, outageKept.words())
			e.send("reader r string rt/flow%d %s", 1-i, outageFlow.words())
			e.send("reader l string rt/kept%d %s", 1-i, outageKept.words())
		}
		s.pairs = append(s.pairs, p)
	}
	return s
}

// write makes both sides write, without waiting: one of them may be stopped.
func (p *outagePair) write(ids ...string) {
	for _, id := range ids {
		for _, e := range []*peer{p.ours, p.theirs} {
			_, _ = fmt.Fprintf(e.stdin, "write %s 1\n", id)
		}
		if id == "w" {
			p.written++
		}
	}
}

// collect reads the received samples.
func (p *outagePair) collect() {
	for i, e := range []*peer{p.theirs, p.ours} {
		for {
			x, ok, _, _ := e.events.take(func(x event) bool { return x.Event == "sample" || x.Event == "done" || x.Event == "matched" })
			if !ok {
				break
			}
			if x.Event == "matched" {
				p.forgot[i] = p.forgot[i] || x.Current == 0
			}
			n, ok := sampleNumber(x)
			if !ok {
				continue
			}
			if x.ID == "r" {
				p.got[i] = append(p.got[i], n)
			} else {
				p.kept[i] = n
			}
		}
	}
}

// sampleNumber returns the number of a string that was received.
func sampleNumber(x event) (n int, ok bool) {
	_, err := fmt.Sscanf(x.Data, "sample %d", &n)
	return n, x.Event == "sample" && err == nil
}

// last returns the number of the latest sample received in direction i.
func (p *outagePair) last(i int) int {
	if n := len(p.got[i]); n > 0 {
		return p.got[i][n-1]
	}
	return 0
}

// outagePeriod is how often every writer writes.
const outagePeriod = 500 * time.Millisecond

// outageTimeout bounds the time from the end of an outage until samples are received again. Cyclone DDS announces
// itself every 8 s.
const outageTimeout = 30 * time.Second

// run starts the scenes' outages together and ends each at its time, while all writers write, until samples arrive
// everywhere.
func runOutages(t *testing.T, scenes []*outageScene) {
	all := func(f func(s *outageScene, p *outagePair)) {
		for _, s := range scenes {
			for _, p := range s.pairs {
				f(s, p)
			}
		}
	}
	tick := time.NewTicker(outagePeriod)
	defer tick.Stop()
	wait := func(what string, limit time.Duration, ids []string, ready func(s *outageScene, p *outagePair) bool) {
		for end := time.Now().Add(limit); ; <-tick.C {
			pending := []string{}
			all(func(s *outageScene, p *outagePair) {
				p.collect()
				if !ready(s, p) {
					pending = append(pending, fmt.Sprintf("%s: of %d samples the last at them %d, at us %d, kept %v", p.name, p.written, p.last(0), p.last(1), p.kept))
				}
			})
			if len(pending) == 0 || t.Failed() {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("no %s:\n%s", what, strings.Join(pending, "\n"))
			}
			all(func(_ *outageScene, p *outagePair) { p.write(ids...) })
		}
	}
	all(func(_ *outageScene, p *outagePair) { p.write("k") })
	wait("first samples", timeout, []string{"w"}, func(_ *outageScene, p *outagePair) bool {
		return min(len(p.got[0]), len(p.got[1])) > 5 && p.kept == [2]int{1, 1}
	})
	begun := time.Now()
	all(func(_ *outageScene, p *outagePair) { p.forgot = [2]bool{} })
	for _, s := range scenes {
		s.begin(s)
	}
	all(func(_ *outageScene, p *outagePair) { p.write("k") })
	ended := map[*outageScene]int{} // samples written until the outage ended
	endedAt := map[*outageScene]time.Time{}
	longest := slices.MaxFunc(scenes, func(a, b *outageScene) int { return int(a.duration - b.duration) }).duration
	wait("samples after the outage", longest+outageTimeout, []string{"w"}, func(s *outageScene, p *outagePair) bool {
		if _, over := ended[s]; !over {
			if time.Since(begun) < s.duration {
				return false
			}
			s.end(s)
			ended[s], endedAt[s] = p.written, time.Now()
		}
		for i := range p.back {
			if p.back[i] == 0 && p.last(i) > ended[s] && p.kept[i] == 2 {
				p.back[i] = time.Since(endedAt[s])
			}
		}
		return p.back[0] > 0 && p.back[1] > 0
	})
	all(func(s *outageScene, p *outagePair) {
		t.Logf("%s: samples again after %.1f s at them, %.1f s at us; lost the other: they %v, we %v",
			p.name, p.back[0].Seconds(), p.back[1].Seconds(), p.forgot[0], p.forgot[1])
	})
}
