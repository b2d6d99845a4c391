// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// rangeVariable is the range in which a peer discovers others: "localhost only" (ROS_LOCALHOST_ONLY=1 of Humble),
// "localhost" (ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST since Iron) or "subnet".
const rangeVariable = "PEER_RANGE"

// startRanged runs a peer on a host, of a stack or, if that is nil, our own.
func startRanged(t *testing.T, s *stack, h *host, domain uint32, discovery string) *peer {
	t.Helper()
	name, env := "ours", append(os.Environ(), rangeVariable+"="+discovery)
	var program string
	if s == nil {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		program, env = self, append(env, roleVariable+"=peer")
	} else {
		name, program = s.name, s.path(t)
	}
	cmd := h.command(program, fmt.Sprint(domain), "0")
	cmd.Env = env
	p := launch(t, name+" "+discovery, cmd)
	p.done("open", "")
	return p
}

// seeEachOther reports how long two peers take until each has received a sample of the other.
func seeEachOther(t *testing.T, a, b *peer) time.Duration {
	t.Helper()
	keep := qos{reliable: true, transientLocal: true, depth: 1}.words()
	began := time.Now()
	for i, p := range []*peer{a, b} {
		p.send("writer w string rt/from%d %s", i, keep)
		p.send("reader r string rt/from%d %s", 1-i, keep)
		p.send("write w 1")
	}
	for _, p := range []*peer{a, b} {
		p.sample("r")
	}
	return time.Since(began)
}

// TestLoopbackMatrix: participants of one machine with the same range of discovery see each other, whether the loopback
// interface has the flag MULTICAST or not (Cyclone DDS announces by multicast in the first case, by unicast in the
// second), in both orders of their start, on a machine with a network and on one without. With a range of this machine,
// nothing that our stack sends leaves it.
func TestLoopbackMatrix(t *testing.T) {
	for _, flag := range []string{"off", "on"} {
		for _, network := range []bool{true, false} {
			name := "multicast " + flag + ", network"
			if !network {
				name = "multicast " + flag + ", no network"
			}
			t.Run(name, func(t *testing.T) {
				seen := &linkCapture{}
				h := startHostsOn(t, &cable{watch: seen.watch})[0]
				h.ip("link set lo multicast %s", flag)
				if !network {
					h.ip("link set eth0 down")
				}
				for _, discovery := range []string{"localhost only", "localhost", "subnet"} {
					for _, s := range []*stack{nil, cyclone, fastdds} {
						pairOnLoopback(t, s, h, discovery, seen)
					}
				}
			})
		}
	}
}

// pairOnLoopback tests our stack with another, in both orders of their start.
func pairOnLoopback(t *testing.T, s *stack, h *host, discovery string, seen *linkCapture) {
	name := "ours"
	if s != nil {
		name = s.name
	}
	for _, weStart := range []bool{true, false} {
		order := "before"
		if !weStart {
			order = "after"
		}
		t.Run(fmt.Sprintf("%s, ours %s %s", discovery, order, name), func(t *testing.T) {
			h, domain := &host{t: t, name: h.name, pid: h.pid}, newDomain()
			before := len(seen.by(0))
			stacks := []*stack{nil, s}
			if !weStart {
				slices.Reverse(stacks)
			}
			first := startRanged(t, stacks[0], h, domain, discovery)
			time.Sleep(500 * time.Millisecond) // the burst of announcements is over
			second := startRanged(t, stacks[1], h, domain, discovery)
			t.Logf("after %v", seeEachOther(t, first, second).Round(time.Millisecond))
			second.quit()
			first.quit()
			if got := len(seen.by(0)) - before; (discovery == "localhost only" || discovery == "localhost" && s == nil) && got > 0 {
				t.Errorf("%d datagrams have left the machine", got)
			}
		})
	}
}
