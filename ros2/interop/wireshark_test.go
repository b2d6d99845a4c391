// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// capture is a running tshark that writes what passes on the loopback interface.
type capture struct {
	t    testing.TB
	cmd  *exec.Cmd
	file string
	done chan struct{} // closed when its output has ended
}

func startCapture(t testing.TB) *capture {
	t.Helper()
	needNamespace(t)
	if _, err := exec.LookPath("tshark"); err != nil {
		unavailable(t, "no tshark (Debian: apt install tshark): %v", err)
	}
	// What is captured before the kernel cuts a message into datagrams (UDP_SEGMENT) looks like one of several packets.
	segments := func(most string) {
		if out, err := exec.Command("ip", "link", "set", "dev", "lo", "gso_max_segs", most).CombinedOutput(); err != nil {
			t.Fatalf("gso_max_segs: %v: %s", err, out)
		}
	}
	segments("1")
	t.Cleanup(func() { segments("65535") })
	c := &capture{t: t, file: filepath.Join(t.TempDir(), "capture.pcapng"), done: make(chan struct{})}
	c.cmd = exec.Command("tshark", "-q", "-i", "lo", "-f", "udp", "-w", c.file)
	stderr, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	lines := newMailbox[string]()
	go func() {
		defer close(c.done)
		defer lines.close()
		for s := bufio.NewScanner(stderr); s.Scan(); {
			lines.put(s.Text())
		}
	}()
	lines.await(t, "start of the capture", func(line string) bool { return strings.HasPrefix(line, "Capturing on") })
	return c
}

// stop ends the capture.
func (c *capture) stop() {
	c.t.Helper()
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		c.t.Fatal(err)
	}
	<-c.done
	if err := c.cmd.Wait(); err != nil {
		c.t.Fatalf("tshark: %v", err)
	}
}

// fields returns, for each captured packet that the display filter selects, the requested fields.
func (c *capture) fields(filter string, fields ...string) []string {
	c.t.Helper()
	args := []string{"-r", c.file, "-Y", filter, "-T", "fields"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	out, err := exec.Command("tshark", args...).Output()
	if err != nil {
		c.t.Fatalf("tshark %v: %v", args, err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}

// TestWiresharkDecodesOurTraffic: Wireshark dissects a captured session with both peers that has every kind of
// submessage that we send.
func TestWiresharkDecodesOurTraffic(t *testing.T) {
	c := startCapture(t)
	domain := newDomain()
	o := startOurs(t, rtps.Config{DomainID: domain})
	keep, fresh := qos{reliable: true, transientLocal: true, depth: 3}, qos{reliable: true, depth: 10}
	latched := o.writer("rt/latched", typeString, keep)
	latched.strings(5)
	picture := o.writer(images, typeImage, fresh)
	silent := o.writer("rt/best_effort", typeString, qos{})
	var in []*ourReader
	for _, s := range stacks {
		in = append(in, o.reader("rt/from_"+s.name, typeImage, fresh))
	}
	var peers []*peer
	for i, s := range stacks {
		p := s.start(t, domain, 0)
		peers = append(peers, p)
		p.send("reader latched string rt/latched %s", keep.words())
		p.send("reader picture image %s %s", images, fresh.words())
		p.send("reader silent string rt/best_effort %s", fresh.words())
		p.send("writer w image rt/from_%s %s", s.name, fresh.words())
		expectStrings(t, p, "latched", 3, 5)
		p.matched("picture", 1)
		p.matched("w", 1)
		in[i].matched(1)
		p.incompatible("silent")
		silent.incompatible()
		p.send("write w 1")
		expectNumbers(t, in[i], imageNumber, 1, 1)
	}
	picture.matched(len(stacks))
	o.p.Cork()
	latched.strings(3)
	picture.image()
	o.p.Uncork()
	for _, p := range peers {
		checkImage(t, p.sample("picture"))
	}
	if err := o.p.Close(); err != nil {
		t.Fatal(err)
	}
	for _, p := range peers {
		p.matched("w", 0)
		p.quit()
	}
	c.stop()

	packets := c.dissect()
	seen := map[string]bool{}
	for _, p := range packets {
		for _, id := range p {
			seen[id] = true
		}
	}
	t.Logf("%d packets of ours, submessages %v", len(packets), seen)
	for name, id := range map[string]string{
		"ACKNACK": "0x06", "HEARTBEAT": "0x07", "INFO_TS": "0x09", "INFO_DST": "0x0e", "DATA": "0x15", "DATA_FRAG": "0x16",
	} {
		if !seen[id] {
			t.Errorf("none of our %d packets holds a %s", len(packets), name)
		}
	}
}

// TestWiresharkDecodesRobotTraffic: Wireshark dissects a robot's traffic to both peers, in which a cycle's messages
// share datagrams.
func TestWiresharkDecodesRobotTraffic(t *testing.T) {
	c := startCapture(t)
	domain := newDomain()
	r := startRobot(t, domain)
	var peers []*peer
	for _, s := range stacks {
		p := s.start(t, domain, 0)
		peers = append(peers, p)
		for _, topic := range []string{"odometry odom", "scan scan", "tf tf", "range ps0", "range ps1", "range ps2", "range ps3"} {
			kind, name, _ := strings.Cut(topic, " ")
			p.send("reader %s %s rt/%s %s", name, kind, name, qos{reliable: true, depth: 10}.words())
		}
		p.send("reader static tf rt/tf_static %s", qos{reliable: true, transientLocal: true}.words())
	}
	for _, p := range peers {
		p.sample("static")
		for range 20 {
			for _, id := range []string{"odom", "scan", "tf", "ps0", "ps1", "ps2", "ps3"} {
				p.sample(id)
			}
		}
	}
	r.interrupt()
	for _, p := range peers {
		p.matched("odom", 0)
	}
	c.stop()
	messages, datagrams := 0, 0
	for _, p := range c.dissect() {
		data := 0
		for _, id := range p {
			if id == "0x15" {
				data++
			}
		}
		if data > 0 {
			messages, datagrams = messages+data, datagrams+1
		}
	}
	t.Logf("%d messages in %d datagrams", messages, datagrams)
	if messages < 2*datagrams { // discovery included
		t.Errorf("%d messages took %d datagrams", messages, datagrams)
	}
}

// dissect fails the test if Wireshark reports an error in a packet, and returns the ids of the submessages of each of
// our packets.
func (c *capture) dissect() [][]string {
	c.t.Helper()
	ours := fmt.Sprintf("rtps.vendorId == 0x%04x", uint16(wire.VendorOwn))
	// warnings and errors
	for _, filter := range []string{"_ws.malformed", ours + " && _ws.expert.severity >= 0x600000"} {
		for _, packet := range c.fields(filter, "frame.number", "rtps.sm.id", "_ws.expert.message") {
			c.t.Errorf("%s: %s", filter, packet)
		}
	}
	var packets [][]string
	for _, p := range c.fields(ours, "rtps.sm.id") {
		packets = append(packets, strings.Split(p, ","))
	}
	if len(packets) == 0 {
		c.t.Error("no packet of ours was captured")
	}
	return packets
}
