// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"testing"
	"time"
)

// slowLink is a network of 13.8 Mbit/s between two hosts, as fast as the robot's Wi-Fi.
type slowLink struct {
	queue  time.Duration // what the queue before it holds
	routed bool          // the queue is in a router between the hosts: the sender's kernel does not see it
}

// linkRate is the rate of a slowLink in tc's notation, and linkBurst the size of its token bucket, bytes.
const (
	linkRate  = "13.8mbit"
	linkBurst = 5000
)

func (l slowLink) String() string {
	if l.routed {
		return fmt.Sprintf("queue of %v in a router", l.queue)
	}
	return fmt.Sprintf("queue of %v at the sender", l.queue)
}

// hosts creates two hosts with the link between them.
func (l slowLink) hosts(t testing.TB) [2]*host {
	t.Helper()
	needNamespace(t)
	hosts := [2]*host{startHost(t, "host1"), startHost(t, "host2")}
	if l.routed {
		bridge := startHost(t, "bridge")
		bridge.ip("link add br0 type bridge")
		bridge.ip("link set br0 up")
		for i, h := range hosts {
			h.ip("link add eth0 type veth peer name port%d netns %d", i, bridge.pid)
			bridge.ip("link set port%d master br0 up", i)
		}
		for i := range hosts {
			bridge.tc(fmt.Sprintf("qdisc add dev port%d root tbf rate %s burst %d latency %dms", i, linkRate, linkBurst, l.queue.Milliseconds()))
		}
	} else {
		hosts[0].ip("link add eth0 type veth peer name eth0 netns %d", hosts[1].pid)
	}
	for i, h := range hosts {
		h.ip("addr add 192.0.2.%d/24 dev eth0", i+1)
		h.ip("link set lo up")
		h.ip("link set eth0 up")
		h.ip("route add 239.0.0.0/8 dev eth0")
		if !l.routed {
			h.tc(fmt.Sprintf("qdisc add dev eth0 root tbf rate %s burst %d latency %dms", linkRate, linkBurst, l.queue.Milliseconds()))
		}
	}
	return hosts
}
