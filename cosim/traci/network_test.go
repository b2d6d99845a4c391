// SPDX-License-Identifier: Apache-2.0

//go:build peers

package traci_test

import (
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci"
)

// openFloor is a world without walls; its robot is outside the network of testdata/cross.
const openFloor = `
name: cross
robots: [{name: far, level: functional, position: [-2, -2]}]
`

// serveCross runs a world with the network of testdata/cross.
func serveCross(t *testing.T, world string) *rig {
	t.Helper()
	text, err := os.ReadFile("testdata/cross/cross.net.xml")
	if err != nil {
		t.Fatal(err)
	}
	network, err := lanes.Parse("cross.net.xml", text)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, world, func(c *traci.Config) { c.Network = network })
}

// freePort returns a port of this machine that no program uses.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// The same script asks a real SUMO and us about the same network: all answers are the same.
func TestSameNetworkAsSUMO(t *testing.T) {
	port := freePort(t)
	sumo := exec.CommandContext(t.Context(), "sumo", "--remote-port", port, "-n", "testdata/cross/cross.net.xml",
		"--step-length", "0.1", "--no-step-log")
	if err := sumo.Start(); err != nil {
		t.Fatalf("sumo (scripts/setup.sh installs it): %v", err)
	}
	t.Cleanup(func() { _ = sumo.Wait() }) // it ends with its client, or with the test's context
	want := strings.Split(python(t, "network.py", port), "\n")
	g := serveCross(t, openFloor)
	got := strings.Split(python(t, "network.py", g.port()), "\n")
	g.over()
	if len(got) != len(want) || len(got) < 1500 {
		t.Errorf("%d lines, SUMO says %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("here: %s\nSUMO: %s", got[i], want[i])
		}
	}
}
