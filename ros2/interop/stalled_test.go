// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// toStalledHost configures the publisher of TestStalledQueue: the other host as a static peer in addition to multicast,
// and announcements so frequent that they fill the queue of discovery, too.
func toStalledHost(domain uint32) rtps.Config {
	return rtps.Config{DomainID: domain, Peers: []netip.Addr{netip.MustParseAddr("192.0.2.2")}, AnnouncePeriod: 20 * time.Millisecond}
}

// flow writes to rt/flood every millisecond, as a control loop does, small samples and now and then a fragmented one,
// and reports how many it has written and how often the socket was full.
func flow(p *rtps.Participant) error {
	q := wire.DefaultWriterQoS()
	q.Reliability, q.Depth = wire.Reliable, 10
	w, err := p.NewWriter(rtps.WriterConfig{Topic: "rt/flood", Type: typeString, QoS: q})
	if err != nil {
		return err
	}
	var written atomic.Int64
	var loop sync.WaitGroup
	quit := make(chan struct{})
	loop.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		small, large := make([]byte, 100), make([]byte, 5000)
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			p.Cork()
			payload := small
			if written.Load()%50 == 0 {
				payload = large
			}
			if w.Write(payload) == nil {
				written.Add(1)
			}
			p.Uncork()
		}
	})
	err = serve(func(id string) error {
		s := p.Stats()
		return emitEvent(statsEvent{Event: "stats", ID: id, Received: written.Load(), Lost: int64(s.SendBusy)})
	})
	close(quit)
	loop.Wait()
	return err
}

// startRoleOn runs a role on a host.
func startRoleOn(t testing.TB, h *host, role string, domain uint32) *peer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := h.command(self, fmt.Sprint(domain))
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	p := launch(t, role+" on "+h.name, cmd)
	p.done("open", "")
	return p
}

// tc runs iproute2's tc on the host.
func (h *host) tc(line string) {
	h.t.Helper()
	if out, err := h.command("tc", strings.Fields(line)...).CombinedOutput(); err != nil {
		h.t.Fatalf("%s: tc %s: %v: %s", h.name, line, err, out)
	}
}

// stall makes the interface's queue accept packets and send hardly any, as with a Wi-Fi chip that hangs.
func (h *host) stall() { h.tc("qdisc replace dev eth0 root tbf rate 1kbit burst 2000 limit 100000000") }

// await polls a role's counters until they satisfy a condition.
func await(t *testing.T, what string, p *peer, ok func(event) bool) event {
	t.Helper()
	for deadline := time.Now().Add(timeout); ; time.Sleep(10 * time.Millisecond) {
		e := p.stats("flood")
		if ok(e) {
			return e
		}
		if time.Now().After(deadline) {
			t.Fatalf("never: %s; %+v", what, e)
		}
	}
}

// TestStalledInterface: while the queue of one interface is stalled, traffic on another is unaffected: the kernel
// counts waiting datagrams against the socket, so both must not share one.
func TestStalledInterface(t *testing.T) {
	hosts := startHosts(t, 0)
	third := startHost(t, "host3")
	hosts[0].ip("link add eth1 type veth peer name eth0 netns %d", third.pid)
	hosts[0].ip("addr add 198.51.100.1/24 dev eth1")
	hosts[0].ip("link set eth1 up")
	third.ip("addr add 198.51.100.2/24 dev eth0")
	third.ip("link set lo up")
	third.ip("link set eth0 up")
	third.ip("route add 239.0.0.0/8 dev eth0")
	domain := newDomain()
	stuck, free := startRoleOn(t, hosts[1], "sink", domain), startRoleOn(t, third, "sink", domain)
	from := startRoleOn(t, hosts[0], "flow", domain)
	for _, p := range []*peer{stuck, free} {
		await(t, "samples", p, func(e event) bool { return e.Received > 0 })
	}
	hosts[0].stall()
	before := from.stats("flood")
	await(t, "a full socket", from, func(e event) bool { return e.Lost > before.Lost+100 })
	written, got := from.stats("flood").Received, free.stats("flood").Received
	await(t, "samples by the other interface", free, func(e event) bool { return e.Received > got+3000 })
	if now := from.stats("flood").Received; now > written+2*3000 {
		t.Errorf("of %d samples 3000 arrived by the other interface", now-written)
	}
	fourth := startRoleOn(t, third, "sink", domain) // found although announcements are stuck on the first interface
	await(t, "samples to a newcomer", fourth, func(e event) bool { return e.Received > 100 })
	hosts[0].tc("qdisc del dev eth0 root")
	heard := stuck.stats("flood").Received
	await(t, "samples again", stuck, func(e event) bool { return e.Received > heard+100 })
}

// TestStalledQueue: when the kernel's queue to the network is stalled, publishing continues at its rate and
// announcements delay nothing; afterwards data flow again; a participant can leave during the stall.
func TestStalledQueue(t *testing.T) {
	hosts := startHosts(t, 0)
	domain := newDomain()
	to, from := startRoleOn(t, hosts[1], "sink", domain), startRoleOn(t, hosts[0], "flow", domain)
	await(t, "samples", to, func(e event) bool { return e.Received > 0 })
	for range 2 {
		hosts[0].stall()
		before := from.stats("flood")
		full := await(t, "a full socket", from, func(e event) bool { return e.Lost > before.Lost+1000 })
		await(t, "publishing continues", from, func(e event) bool { return e.Received > full.Received+1000 })
		hosts[0].tc("qdisc del dev eth0 root")
		heard := to.stats("flood")
		await(t, "samples again", to, func(e event) bool { return e.Received > heard.Received+100 })
	}
	hosts[0].stall()
	before := from.stats("flood")
	await(t, "a full socket", from, func(e event) bool { return e.Lost > before.Lost+1000 })
	from.quit()
}
