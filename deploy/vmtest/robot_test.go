// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"strings"
	"testing"
	"time"
)

// emulated is how much longer something may take in an emulated machine on a computer that is busy than it is stated to
// take on a robot. It only separates "late" from "never": what was measured is logged.
const emulated = 5

// TestRobot is the life of a robot, from an empty machine to one without the driver. Each step needs the ones before.
func TestRobot(t *testing.T) {
	if !required() || ofCard() {
		t.Skip("EPUCK_VM=required runs it (make test-vm)")
	}
	g := bootGuest(t)
	g.step(t, "device files", deviceFiles)
	g.step(t, "other people's programs", otherPrograms)
	g.step(t, "install", install)
	g.step(t, "unprivileged", unprivileged)
	o := goOutside(t, 0, "")
	g.step(t, "heard outside", func(g *guest) { heardOutside(g, o) })
	g.step(t, "driven from outside", func(g *guest) { drivenFromOutside(g, o) })
	for _, f := range faults {
		g.step(t, f.name, func(g *guest) { f.suffer(g, o) })
	}
	g.step(t, "bus that vanishes and returns", func(g *guest) { unplugged(g, o) })
	g.step(t, "waits", patient)
	g.step(t, "network", func(g *guest) { networkChanges(g, o) })
	g.step(t, "poor network", func(g *guest) { poorNetwork(g, o) })
	g.step(t, "clock", func(g *guest) { clockSteps(g, o) })
	g.step(t, "camera", cameraWorks)
	g.step(t, "power cut while recording", func(g *guest) { powerCut(g, o) })
	g.step(t, "reboot", func(g *guest) { reboot(g, o) })
	g.step(t, "remove", func(g *guest) { removed(g, o) })
}

// deviceFiles runs the tests of package sim/cuse against this kernel, as programs of 64 and of 32 bits.
func deviceFiles(g *guest) {
	g.run("modprobe cuse")
	for _, program := range []string{"cuse.test", "cuse32.test"} {
		out := g.run("cd /tmp && EPUCK_CUSE=required /payload/%s -test.v 2>&1", program)
		if n := strings.Count(out, "/this_kernel ("); n < 9 || !strings.HasSuffix(strings.TrimSpace(out), "PASS") {
			g.t.Errorf("%s: %d tests on this kernel:\n%s", program, n, out)
		}
	}
	if left := g.run("ls /dev | grep i2c || true"); left != "" {
		g.t.Errorf("device files left: %s", left)
	}
}

// simUnit is the simulated robot as a service, which stops after the driver and keeps its last truth.
const simUnit = `[Unit]
Description=Simulated e-puck2 behind /dev/i2c-12 and /dev/i2c-11
Before=epuck-driver.service
[Service]
Type=notify
ExecStart=/payload/epuck-driver sim --i2c-device 12 --i2c-board-device 11 --truth ` + truthFile + `
ExecStopPost=/bin/cp ` + truthFile + ` /var/lib/last-truth.json
[Install]
WantedBy=multi-user.target
`

// otherPrograms finds the chips with programs that are not ours.
func otherPrograms(g *guest) {
	g.run("cat >/etc/systemd/system/epuck-sim.service <<'EOF'\n%sEOF\necho cuse >/etc/modules-load.d/cuse.conf\n"+
		"systemctl daemon-reload && systemctl enable --now epuck-sim", simUnit)
	robot := g.run("i2cdetect -y 12")
	for _, chip := range []string{"1f", "21", "29", "60", "68"} {
		if !strings.Contains(robot, " "+chip) {
			g.t.Errorf("i2cdetect does not see %s:\n%s", chip, robot)
		}
	}
	if strings.Contains(robot, " 42") || strings.Contains(robot, "UU") {
		g.t.Errorf("i2cdetect sees what is not there:\n%s", robot)
	}
	if board := g.run("i2cdetect -y 11"); !strings.Contains(board, " 1c") {
		g.t.Errorf("i2cdetect does not see the LEDs of the board:\n%s", board)
	}
	for script, want := range map[string]string{
		// VL53L0X, identification
		"i2cget -y 12 0x29 0xc0":            "0xee",
		"i2ctransfer -y 12 w1@0x29 0xc0 r2": "0xee 0xaa",
		// MPU-9250, WHO_AM_I
		"i2ctransfer -y 12 w1@0x68 0x75 r1@0x68":                                            "0x71",
		"i2cdump -y -r 0xc0-0xc1 12 0x29 b | tail -1":                                       "c0: ee aa",
		`python3 -c "import smbus; print(hex(smbus.SMBus(12).read_byte_data(0x29, 0xc0)))"`: "0xee",
	} {
		if out := g.run("%s 2>&1", script); !strings.Contains(out, want) {
			g.t.Errorf("%s: %q, want %s", script, out, want)
		}
	}
	if status, out := g.status("i2cget -y 12 0x42 2>&1"); status == 0 {
		g.t.Errorf("an empty address answers: %s", out)
	}
	if functions := g.run("i2cdetect -F 12"); !strings.Contains(functions, "SMBus PEC                        yes") {
		g.t.Errorf("functions:\n%s", functions)
	}
	if r := g.truth(); r.Moving || len(r.Devices) != 2 {
		g.t.Errorf("truth %+v", r)
	}
}

// dropIn lets the confined service at the simulated buses: to the kernel they are not of the class i2c-dev. Stopping
// may take as long as it does in an emulated machine.
const dropIn = `[Service]
DeviceAllow=char-i2c-* rw
TimeoutStopSec=60s
`

// patient has systemd wait longer for a sign of life: from here on the driver must survive as one process, and what
// stands still for two seconds may be the emulated machine. The next boot forgets it.
func patient(g *guest) {
	g.run("mkdir -p /run/systemd/system/epuck-driver.service.d\nprintf '[Service]\\nWatchdogSec=60s\\n' >/run/systemd/system/epuck-driver.service.d/patient.conf\n" +
		"systemctl daemon-reload && systemctl restart epuck-driver")
	g.awaitActive()
	if seconds := g.property("WatchdogUSec"); seconds != "1min" {
		g.t.Errorf("the watchdog waits for %s", seconds)
	}
}

// install installs the package; the service is ready when the robot has answered.
func install(g *guest) {
	g.run("mkdir -p /etc/systemd/system/epuck-driver.service.d\ncat >/etc/systemd/system/epuck-driver.service.d/sim.conf <<'EOF'\n%sEOF\n"+
		"dpkg -i /payload/epuck-driver.deb", dropIn)
	g.run("udevadm trigger --action=add --subsystem-match=cuse && udevadm settle && systemctl restart epuck-sim")
	g.awaitActive()
	if state := g.run("systemctl is-enabled epuck-driver"); strings.TrimSpace(state) != "enabled" {
		g.t.Errorf("the service is %s", state)
	}
	if out := g.run("epuck-driver version && man -w epuck-driver 2>/dev/null || true"); !strings.Contains(out, "epuck-driver") {
		g.t.Errorf("version: %s", out)
	}
}

// awaitActive waits until the service is ready.
func (g *guest) awaitActive() {
	g.t.Helper()
	g.await("active", func() (bool, string) {
		_, state := g.status("systemctl is-active epuck-driver; systemctl show -p StatusText --value epuck-driver")
		return strings.HasPrefix(state, "active\n"), state
	})
}

// unprivileged: the service is not root and can do little, and its devices work all the same.
func unprivileged(g *guest) {
	user := strings.TrimSpace(g.run("ps -o user= -p $(systemctl show -p MainPID --value epuck-driver)"))
	if user != "epuck" {
		g.t.Errorf("the service runs as %s", user)
	}
	if out := g.run("runuser -u epuck -- i2cget -y 12 0x68 0x75"); strings.TrimSpace(out) != "0x71" {
		g.t.Errorf("the user epuck reads %s", out)
	}
	out := g.run("systemd-analyze security --no-pager epuck-driver | tail -1")
	var exposure float64
	if err := scan(out, "Overall exposure level for epuck-driver.service: ", &exposure); err != nil || exposure > 2 {
		g.t.Errorf("exposure %g, want at most 2.0 (%v): %s", exposure, err, out)
	}
}

// heardOutside: topics arrive on this side of the cable, at our own node and at another vendor's program.
func heardOutside(g *guest, o *outside) {
	o.hears(g)
	if m := o.last.Load(); m.Header.FrameID != "odom" || m.ChildFrameID != "base_link" {
		g.t.Errorf("odom in frames %q, %q", m.Header.FrameID, m.ChildFrameID)
	}
	for kind, topic := range map[string]string{"odometry": "rt/odom", "scan": "rt/scan"} {
		if sample := cycloneHears(g.t, 0, kind, topic); !strings.Contains(sample, `"frame_id"`) {
			g.t.Errorf("%s at Cyclone DDS: %s", topic, sample)
		}
	}
}

// drivenFromOutside: the wheels turn while a program outside says so, and stop when it falls silent.
func drivenFromOutside(g *guest, o *outside) {
	o.drive(true)
	g.awaitMoving(true)
	silent := g.cause("true")
	o.drive(false)
	g.within("silence", g.stopped(silent), 500*time.Millisecond)
	g.await("stopped, by odom", func() (bool, string) {
		m := o.last.Load()
		return m.Twist.Twist.Angular.Z == 0 && m.Pose.Pose.Orientation.Z != 0, "it turns"
	})
}

// within checks how long the wheels took to stop.
func (g *guest) within(what string, took, stated time.Duration) {
	g.t.Helper()
	g.inTime(what+": wheels stopped", took, stated)
}

// inTime logs how long something took and fails if it was not within the stated time, as far as an emulated machine can
// measure it.
func (g *guest) inTime(what string, took, stated time.Duration) {
	g.t.Helper()
	g.t.Logf("%s after %.2f s (stated: %v on a robot)", what, took.Seconds(), stated)
	if took > emulated*stated {
		g.t.Errorf("%s only after %v, stated %v", what, took, stated)
	}
}
