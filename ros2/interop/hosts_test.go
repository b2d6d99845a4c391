// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// host represents another machine: a separate network namespace, kept alive by an idle process.
type host struct {
	t    testing.TB
	name string
	pid  int
}

// startHosts creates two hosts, 192.0.2.1 and 192.0.2.2, connected by a cable that loses a share of the frames.
func startHosts(t testing.TB, loss float64) [2]*host {
	t.Helper()
	return startHostsOn(t, &cable{loss: loss})
}

// startHostsOn creates two hosts, 192.0.2.1 and 192.0.2.2, connected by a cable.
func startHostsOn(t testing.TB, c *cable) [2]*host {
	t.Helper()
	needNamespace(t)
	hosts := [2]*host{startHost(t, "host1"), startHost(t, "host2")}
	connectHosts(t, hosts, c, rand.Uint64())
	for i, h := range hosts {
		h.ip("addr add 192.0.2.%d/24 dev eth0", i+1)
		h.ip("link set lo up")
		h.ip("link set eth0 up")
		h.ip("route add 239.0.0.0/8 dev eth0")
		h.forgetFragments()
	}
	return hosts
}

// forgetFragments makes the host drop an incomplete IP datagram after a second instead of 30, as ROS 2 recommends for
// lossy networks: Fast DDS sends datagrams of 64 kB, and a few dozen incomplete ones fill the kernel's memory for them.
func (h *host) forgetFragments() {
	h.t.Helper()
	if out, err := h.command("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ipfrag_time").CombinedOutput(); err != nil {
		h.t.Logf("%s: ipfrag_time stays: %v: %s", h.name, err, out)
	}
}

// addBridge adds a second interface to the host that does not reach the other host, as a container engine does on every
// machine: with the same address. Its interface comes after eth0, which Cyclone DDS, using one only, takes as the
// first; its address is the lower one, which Cyclone DDS prefers of those that we announce to it.
func (h *host) addBridge() {
	h.t.Helper()
	h.ip("link add docker0 index 1000 type bridge")
	h.ip("link add container type veth peer name inside") // gives the bridge its carrier
	h.ip("link set container master docker0 up")
	h.ip("link set inside up")
	h.ip("addr add 172.17.0.1/16 dev docker0")
	h.ip("link set docker0 up")
}

func startHost(t testing.TB, name string) *host {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", "0")
	cmd.Env = append(os.Environ(), roleVariable+"=host")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		unavailable(t, "no network namespace for another host: %v", err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	return &host{t: t, name: name, pid: cmd.Process.Pid}
}

// idle is the role of a host: it waits for the end of its input.
func idle() error {
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// command returns a command that runs on the host.
func (h *host) command(name string, args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"--net=/proc/" + fmt.Sprint(h.pid) + "/ns/net", name}, args...)...)
}

// ip runs iproute2's ip on the host.
func (h *host) ip(format string, args ...any) {
	h.t.Helper()
	line := fmt.Sprintf(format, args...)
	if out, err := h.command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
		h.t.Fatalf("%s: ip %s: %v: %s", h.name, line, err, out)
	}
}

// startOn runs a peer of the stack on a host.
func (s *stack) startOn(t testing.TB, h *host, domain uint32) *peer {
	t.Helper()
	return s.startLeased(t, h, domain, 0)
}

// startLeased runs a peer of the stack that announces a lease, in seconds; 0 is its implementation's default.
func (s *stack) startLeased(t testing.TB, h *host, domain uint32, lease float64) *peer {
	t.Helper()
	p := launch(t, s.name+" on "+h.name, h.command(s.path(t), fmt.Sprint(domain), fmt.Sprint(lease)))
	p.done("open", "")
	return p
}

// startOursOn runs our stack as a peer on a host.
func startOursOn(t testing.TB, h *host, domain uint32) *peer {
	t.Helper()
	return startOursLeased(t, h, domain, 0)
}

// startOursLeased runs our stack as a peer that announces a lease, in seconds; 0 is our default.
func startOursLeased(t testing.TB, h *host, domain uint32, lease float64) *peer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := h.command(self, fmt.Sprint(domain), fmt.Sprint(lease))
	cmd.Env = append(os.Environ(), roleVariable+"=peer")
	p := launch(t, "ours on "+h.name, cmd)
	p.done("open", "")
	return p
}

// eachPair runs a test for ours with each stack, in both directions, with the
// two on different machines. The cable loses a twentieth of all frames, but
// less if Fast DDS sends large samples: one lost IP fragment of 47 voids 64 kB
// and occupies the receiver's kernel for 30 s.
func eachPair(t *testing.T, prepare func(*host), f func(t *testing.T, from, to *peer)) {
	for _, s := range stacks {
		for _, out := range []bool{true, false} {
			name, loss := "from "+s.name, 0.05
			if out {
				name = "to " + s.name
			} else if s == fastdds {
				loss = 0.003
			}
			t.Run(name, func(t *testing.T) {
				hosts := startHosts(t, loss)
				for _, h := range hosts {
					prepare(h)
				}
				domain := newDomain()
				ours, theirs := startOursOn(t, hosts[0], domain), s.startOn(t, hosts[1], domain)
				if out {
					f(t, ours, theirs)
				} else {
					f(t, theirs, ours)
				}
			})
		}
	}
}

// exchange sends strings and images, reliably, and checks that all arrive and
// that the receiver sees the sender leave.
func exchange(t *testing.T, from, to *peer) {
	keep := qos{reliable: true, transientLocal: true, depth: 200}.words()
	to.send("reader s string %s %s", chatter, keep)
	to.send("reader i image %s %s", images, keep)
	from.send("writer s string %s %s", chatter, keep)
	from.send("writer i image %s %s", images, keep)
	from.matched("s", 1)
	to.matched("s", 1)
	from.send("write s 100")
	expectStrings(t, to, "s", 1, 100)
	from.matched("i", 1)
	from.send("write i 2")
	for i := int32(1); i <= 2; i++ {
		e := to.sample("i")
		checkImage(t, e)
		if e.Sec != i {
			t.Errorf("image %d, not %d", e.Sec, i)
		}
	}
	from.quit()
	to.matched("s", 0)
}

// TestTwoHosts: between two machines, over a cable that loses frames and
// changes the order of others, reliable writers and readers lose nothing.
func TestTwoHosts(t *testing.T) {
	eachPair(t, func(*host) {}, exchange)
}

// TestSecondInterface: the same when both machines have another interface.
func TestSecondInterface(t *testing.T) {
	eachPair(t, (*host).addBridge, exchange)
}
