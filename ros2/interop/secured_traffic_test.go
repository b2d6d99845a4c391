// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// encrypted is the governance of keystores that ros2 security makes.
var encrypted = governance{"SIGN", "ENCRYPT", "ENCRYPT", "ENCRYPT", "ENCRYPT"}

// startReset starts a node with the service reset.
func startReset(t *testing.T, domain uint32, k *keystore) *ros2.Node {
	t.Helper()
	n := startSecuredNode(t, domain, settings(k.enclave("node", "*")))
	_, err := ros2.NewService(n, std_srvs.Trigger{}, "reset", func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		return &std_srvs.TriggerResponse{Success: true, Message: "done"}, nil
	})
	k.no(err)
	return n
}

// call calls a service with a client of a node.
func call(t *testing.T, n *ros2.Node, service, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	c, err := ros2.NewClient(n, std_srvs.Trigger{}, service)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got, err := c.Call(ctx, &std_srvs.TriggerRequest{}); err != nil || !got.Success || got.Message != want {
			t.Fatalf("%s: %+v, %v", service, got, err)
		}
	}
}

// TestSecuredServices: with encrypted requests and replies, programs of each stack call our service and we theirs.
func TestSecuredServices(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		k := newKeystore(t, encrypted)
		n := startReset(t, domain, k)
		p := s.startSecured(t, domain, k.enclave("peer", "*"))
		p.send("client c trigger reset")
		p.send("server s trigger theirs")
		p.matched("c", 1)
		p.send("call c")
		if e := p.reply("c", 1); !e.Success || e.Data != "done" {
			t.Errorf("reply: %s", e.line)
		}
		call(t, n, "theirs", "triggered")
		p.quit()
	})
	t.Run("ours", func(t *testing.T) {
		k, domain := newKeystore(t, encrypted), newDomain()
		startReset(t, domain, k)
		call(t, startSecuredNode(t, domain, settings(k.enclave("peer", "*"))), "reset", "done")
	})
}

// securedOn starts a peer of a stack, or of ours if that is nil, with keys on a host.
func securedOn(t *testing.T, s *stack, h *host, domain uint32, folder string) *peer {
	t.Helper()
	if s != nil {
		return s.launchSecured(t, h.command(s.path(t), fmt.Sprint(domain), "0"), folder)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := h.command(self, fmt.Sprint(domain), "0")
	cmd.Env = append(os.Environ(), roleVariable+"=peer", keysVariable+"="+folder)
	p := launch(t, "ours on "+h.name, cmd)
	p.done("open", "")
	return p
}

// TestSecuredLossyLink: over a cable that loses frames, all strings that were written before and after the reader came
// and all large samples arrive, encrypted.
func TestSecuredLossyLink(t *testing.T) {
	const few = 0.003 // see eachPair
	pairs := []struct {
		name     string
		from, to *stack
		loss     float64
	}{
		{"ours to ours", nil, nil, 0.05}, {"ours to Cyclone DDS", nil, cyclone, 0.05}, {"Cyclone DDS to ours", cyclone, nil, 0.05},
		{"ours to Fast DDS", nil, fastdds, 0.05}, {"Fast DDS to ours", fastdds, nil, few},
	}
	if !suite.Long {
		pairs = pairs[:2]
	}
	for _, pair := range pairs {
		t.Run(pair.name, func(t *testing.T) {
			hosts, domain, k := startHosts(t, pair.loss), newDomain(), newKeystore(t, encrypted)
			from := securedOn(t, pair.from, hosts[0], domain, k.enclave("from", "rt/*"))
			keep := qos{reliable: true, transientLocal: true, depth: 200}.words()
			from.send("writer s string %s %s", chatter, keep)
			from.send("writer i image %s %s", images, keep)
			from.send("write s 50")
			to := securedOn(t, pair.to, hosts[1], domain, k.enclave("to", "rt/*"))
			to.send("reader s string %s %s", chatter, keep)
			to.send("reader i image %s %s", images, keep)
			to.matched("s", 1)
			from.matched("i", 1)
			from.send("write s 50")
			expectStrings(t, to, "s", 1, 100)
			from.send("write i 2")
			for i := int32(1); i <= 2; i++ {
				e := to.sample("i")
				checkImage(t, e)
				if e.Sec != i {
					t.Errorf("image %d, not %d", e.Sec, i)
				}
			}
			to.quit()
			from.quit()
		})
	}
}
