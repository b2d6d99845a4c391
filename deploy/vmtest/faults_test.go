// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// fault is something that happens to a robot that is being driven.
type fault struct {
	name          string
	before, cause string        // shell scripts: what makes it possible, and the moment itself
	stated        time.Duration // within which the wheels stop
	after         string        // shell script that puts it right, if it does not do so by itself
}

// mainPID is the driver's process.
const mainPID = "$(systemctl show -p MainPID --value epuck-driver)"

// fillDisk leaves no byte free.
const fillDisk = "fallocate -l $(df -B1 --output=avail / | tail -1) /full || true\n" +
	"dd if=/dev/zero of=/full2 bs=4k 2>/dev/null || true\n" +
	"if dd if=/dev/zero of=/probe bs=4k count=1 2>/dev/null; then echo there is space left; exit 1; fi"

// faults are what the service must survive. The stated times are those of deploy/systemd/epuck-driver.service.
var faults = []fault{
	// ExecStopPost's epuck-driver stop follows at once.
	{"kill -9", "", "kill -KILL " + mainPID, time.Second, ""},
	// WatchdogSec, TimeoutAbortSec, ExecStopPost.
	{"stuck loop", "", "kill -STOP " + mainPID, 4 * time.Second, ""},
	// The same as the first with a disk that takes nothing any more.
	{"full disk", fillDisk, "kill -KILL " + mainPID, time.Second, "rm -f /full /full2 /probe"},
	{"orderly restart", "", "systemctl restart epuck-driver", time.Second, ""},
}

// suffer lets a fault happen while a program outside drives: the wheels stop, the service comes back by itself, is
// heard outside, and obeys.
func (f fault) suffer(g *guest, o *outside) {
	g.run("rm -f /run/epuck-driver/starts") // every fault is the first
	g.run("%s", f.before)
	before := g.property("MainPID")
	o.drive(true)
	g.awaitMoving(true)
	at := g.cause(f.cause)
	g.within(f.name, g.stopped(at), f.stated)
	g.back(o, before)
	if f.after != "" {
		g.run("%s", f.after)
	}
	o.drive(false)
	g.awaitMoving(false)
}

// back waits until the service is there again as another process, is heard outside, and the wheels turn again.
func (g *guest) back(o *outside, before string) {
	g.t.Helper()
	g.awaitActive()
	if now := g.property("MainPID"); now == before {
		g.t.Errorf("process %s has survived", now)
	}
	o.hears(g)
	g.awaitMoving(true)
}

// property is one of the service's.
func (g *guest) property(name string) string {
	g.t.Helper()
	return strings.TrimSpace(g.run("systemctl show -p %s --value epuck-driver", name))
}

// networkChanges: the cable is pulled out while the robot is driven, and comes back with another address. The driver
// continues as the same process, and topics and commands work again.
func networkChanges(g *guest, o *outside) {
	before, restarts := g.property("MainPID"), g.property("NRestarts")
	o.drive(true)
	g.awaitMoving(true)
	began, leftOut := time.Now(), g.cyclesLeftOut()
	at := g.cause("true")
	if err := g.machine.SetCable(g.t.Context(), false); err != nil {
		g.t.Fatal(err)
	}
	g.within("cable out", g.stopped(at), time.Second) // cmd_vel_timeout, and the cable takes a moment
	g.run("sed -i 's/%s/10.77.0.3/' /etc/systemd/network/10-robot.network && networkctl reload", vm.GuestAddress)
	if err := g.machine.SetCable(g.t.Context(), true); err != nil {
		g.t.Fatal(err)
	}
	g.follows("cable in, another address", o)
	g.awaitMoving(true)
	if now := g.run("ip -4 -o addr show dev eth0"); !strings.Contains(now, "10.77.0.3/") || strings.Contains(now, vm.GuestAddress+"/") {
		g.t.Errorf("address: %s", now)
	}
	// While all is well, the address changes under the driver's feet.
	g.run("ip addr add 10.77.0.4/24 dev eth0 && ip addr del 10.77.0.3/24 dev eth0")
	g.follows("address changed at work", o)
	g.awaitMoving(true)
	if now := g.property("MainPID"); now != before {
		g.t.Errorf("process %s has not survived, it is %s now", before, now)
	}
	if now := g.property("NRestarts"); now != restarts {
		g.t.Errorf("%s restarts, were %s", now, restarts)
	}
	// The control loop has not noticed: had it waited for the network, most cycles would be missing, and not the few
	// that an emulated machine loses by itself.
	cycles := int(time.Since(began).Seconds() * 20)
	n := g.cyclesLeftOut() - leftOut
	g.t.Logf("%d of some %d control cycles were left out meanwhile", n, cycles)
	if n > cycles/2 {
		g.t.Errorf("%d of %d control cycles were left out", n, cycles)
	}
	o.drive(false)
	g.awaitMoving(false)
}

// follows waits until the robot is heard again, as it must be within seconds.
func (g *guest) follows(what string, o *outside) {
	g.t.Helper()
	began := time.Now()
	o.hears(g)
	g.inTime(what+": heard", time.Since(began), 5*time.Second)
}

// cyclesLeftOut asks the driver, by its diagnostics, how many control cycles were left out so far.
func (g *guest) cyclesLeftOut() int {
	g.t.Helper()
	out := g.run("/payload/epuck-driver topic echo /diagnostics --once 2>&1")
	_, rest, ok := strings.Cut(out, "cycles left out")
	_, rest, ok2 := strings.Cut(rest, "value: ")
	value, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.Trim(strings.TrimSpace(value), "'\""))
	if !ok || !ok2 || err != nil {
		g.t.Fatalf("no count of cycles (%v) in:\n%.3000s", err, out)
	}
	return n
}

// unplugged: the bus vanishes while a program drives, which then stops. When the bus is back, so is the driver, and the
// first thing it does is to stop the wheels, which no program could stop meanwhile.
func unplugged(g *guest, o *outside) {
	o.drive(true)
	g.awaitMoving(true)
	g.cause("systemctl kill -s USR1 --kill-who=main epuck-sim")
	g.await("without device files", func() (bool, string) {
		left := g.run("ls /dev | grep i2c || true")
		return left == "", left
	})
	o.drive(false)
	if r := g.truth(); !r.Moving || len(r.Devices) != 0 {
		g.t.Errorf("the robot has no watchdog, and yet: %+v", r)
	}
	g.await("report of the lost bus", func() (bool, string) {
		out := g.run("journalctl -u epuck-driver -n 20 -o cat")
		return strings.Contains(out, "bus"), out
	})
	at := g.cause("systemctl kill -s USR2 --kill-who=main epuck-sim")
	g.within("bus back", g.stopped(at), 2*time.Second)
	o.drive(true)
	g.awaitMoving(true)
	g.awaitActive()
	o.drive(false)
	g.awaitMoving(false)
}

// reboot: the wheels stop before the machine goes down, and after the boot the driver starts by itself.
func reboot(g *guest, o *outside) {
	o.drive(true)
	g.awaitMoving(true)
	at := g.cause("rm -f /var/lib/last-truth.json")
	began := time.Now()
	lap := func(what string) {
		g.t.Logf("%s after %.1f s", what, time.Since(began).Seconds())
	}
	ctx, cancel := context.WithTimeout(g.t.Context(), 3*waitTimeout)
	defer cancel()
	if err := g.machine.Reboot(ctx); err != nil {
		g.t.Fatal(err)
	}
	lap("the machine has booted again")
	var last groundtruth.Record
	text := g.run("cat /var/lib/last-truth.json")
	if err := json.Unmarshal([]byte(text), &last); err != nil {
		g.t.Fatalf("%v: %s", err, text)
	}
	if n := len(last.Changes); last.Moving || n == 0 || last.Changes[n-1].Time < at {
		g.t.Errorf("when the machine went down: %s", text)
	} else {
		g.within("reboot", time.Duration((last.Changes[n-1].Time-at)*1e9), 2*time.Second)
	}
	g.awaitActive()
	lap("the service is ready")
	o.hears(g)
	lap("heard outside")
	g.awaitMoving(true)
	lap("it obeys")
	o.drive(false)
	g.awaitMoving(false)
}

// removed: a package that goes stops the wheels first; its settings stay until it is purged.
func removed(g *guest, o *outside) {
	g.run("echo '# mine' >>/etc/epuck-driver/params.yaml && dpkg -i /payload/epuck-driver.deb && grep -q '# mine' /etc/epuck-driver/params.yaml")
	g.awaitActive()
	o.drive(true)
	g.awaitMoving(true)
	at := g.cause("dpkg -r epuck-driver")
	g.within("remove", g.stopped(at), 5*time.Second)
	g.run("test ! -e /usr/bin/epuck-driver && test -e /etc/epuck-driver/params.yaml && ! systemctl is-active -q epuck-driver")
	g.run("dpkg -P epuck-driver && test ! -e /etc/epuck-driver/params.yaml && test ! -e /etc/default/epuck-driver")
	o.drive(false)
	if r := g.truth(); r.Moving {
		g.t.Errorf("a robot without a driver moves: %+v", r)
	}
}

// scan reads the number after a label.
func scan(text, label string, to *float64) error {
	_, rest, ok := strings.Cut(text, label)
	if !ok {
		return fmt.Errorf("no %q", label)
	}
	word, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	v, err := strconv.ParseFloat(word, 64)
	*to = v
	return err
}
