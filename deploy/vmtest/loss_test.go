// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// needed is how many consecutive messages must arrive over the poor network.
const needed = 100

// poorNetwork has the machine's kernel lose every fiftieth packet that the robot sends (netem, the kernel's own
// emulation of poor networks): odom keeps arriving here and at Cyclone DDS (it is reliable with a history of one
// message, so that a lost one may be overtaken by the next), every answer of a service arrives, and the robot obeys.
func poorNetwork(g *guest, o *outside) {
	o.hears(g)
	g.run("modprobe sch_netem && tc qdisc add dev eth0 root netem loss 2%%")
	before, gaps := o.heard.Load(), o.missed.Load()
	g.await("heard over the poor network", func() (bool, string) {
		n := o.heard.Load() - before
		return n >= needed, fmt.Sprintf("%d messages", n)
	})
	g.t.Logf("%d of %d messages were overtaken by newer ones", o.missed.Load()-gaps, needed)
	dumpParameters(g)
	for kind, topic := range map[string]string{"odometry": "rt/odom", "scan": "rt/scan"} {
		cycloneHears(g.t, 0, kind, topic)
	}
	o.drive(true)
	g.awaitMoving(true)
	o.drive(false)
	g.awaitMoving(false)
	out := g.run("tc -s qdisc show dev eth0 && tc qdisc del dev eth0 root")
	_, sent, _ := strings.Cut(out, "Sent ")
	sent, _, _ = strings.Cut(sent, ", overlimits")
	g.t.Logf("netem: sent %s", sent)
	if strings.Contains(sent, "dropped 0") {
		g.t.Errorf("nothing was lost: %s", out)
	}
}

// dumpParameters asks for every parameter of the robot from this side of the cable: some ninety answers of reliable
// services, none of which may be missing.
func dumpParameters(g *guest) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), waitTimeout)
	defer cancel()
	program := filepath.Join(os.Getenv(madeVariable), "epuck-driver")
	out, err := exec.CommandContext(ctx, program, "param", "dump", "/epuck_driver", "--spin-time", "3").CombinedOutput()
	if err != nil {
		g.t.Fatalf("param dump: %v\n%s", err, out)
	}
	for _, name := range []string{"cmd_vel_timeout: 0.5", "i2c_bus: auto", "wheel_distance: 0.05685"} {
		if !strings.Contains(string(out), name) {
			g.t.Errorf("no %q in the dump of %d bytes:\n%.2000s", name, len(out), out)
		}
	}
}
