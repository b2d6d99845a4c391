// SPDX-License-Identifier: Apache-2.0

//go:build peers

package traci_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sumoNet is a road, and a car on it.
var sumoNet = map[string]string{
	"n.nod.xml": `<nodes><node id="a" x="0" y="0"/><node id="b" x="1000" y="0"/></nodes>`,
	"n.edg.xml": `<edges><edge id="road" from="a" to="b" numLanes="1" speed="13.9"/></edges>`,
	"r.rou.xml": `<routes><vType id="car"/><route id="r0" edges="road"/><vehicle id="v0" type="car" route="r0" depart="0"/></routes>`,
}

const sumoTown = `
name: road
arena: {center: [2, 1], size: [4, 2]}
robots: [{name: v0, level: functional, position: [0.5, 0.5]}]
`

// realSUMO starts a sumo with a road and a car and returns its port. Without the program the test fails:
// scripts/setup.sh installs sumo.
func realSUMO(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sumoNet {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		return cmd
	}
	if out, err := run("netconvert", "-n", "n.nod.xml", "-e", "n.edg.xml", "-o", "net.xml").CombinedOutput(); err != nil {
		t.Fatalf("netconvert (scripts/setup.sh installs sumo): %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	sumo := run("sumo", "--remote-port", port, "-n", "net.xml", "-r", "r.rou.xml", "--step-length", "0.1", "--no-step-log")
	if err := sumo.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sumo.Wait() }) // it ends with its client, or with the test's context
	return port
}

// The same script asks a real SUMO and us: types and refusals are the same for all that both have.
func TestSameAnswersAsSUMO(t *testing.T) {
	want := strings.Split(python(t, "both.py", realSUMO(t), "car"), "\n")
	g := serve(t, sumoTown, nil)
	got := strings.Split(python(t, "both.py", g.port(), "e-puck2"), "\n")
	g.over()
	if len(got) != len(want) || len(got) < 150 {
		t.Errorf("%d lines, SUMO says %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("here: %s\nSUMO: %s", got[i], want[i])
		}
	}
}
