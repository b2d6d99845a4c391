// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"os"
	"strings"
	"testing"
	"time"
)

// The robot of the card: what its epuck.txt says, with a line that is wrong.
const (
	cardName   = "robot7"
	cardDomain = 7
	wrongLine  = "epuck.txt, line 8, speed: unknown key"
)

func cardSettings(t *testing.T) string {
	t.Helper()
	key, err := os.ReadFile(made("key.pub"))
	if err != nil {
		t.Fatal(err)
	}
	return "name = " + cardName + "\r\nwifi = Labor\r\nwifi_password = geheimnis1\r\ncountry = CH\r\nssh_key = " +
		strings.TrimSpace(string(key)) + "\r\nros_domain = 7\r\nnamespace = " + cardName + "\r\nspeed = 3\r\n"
}

// TestCard is a card's life in an emulated Raspberry Pi Zero, from its first start to its last power cut. Each step
// needs the ones before. No rate and no deadline is asserted: the machine is slow and irregular.
func TestCard(t *testing.T) {
	if !ofCard() {
		t.Skip("EPUCK_VM=card runs it (make test-image)")
	}
	p := newPi(t, cardName, cardSettings(t))
	p.step(t, "first start", firstStart)
	p.step(t, "a robot to drive", simulated)
	o := goOutside(t, cardDomain, cardName)
	p.step(t, "from power to odometry", func(p *pi) { odometryAfterPower(p, o) })
	p.step(t, "power cuts", func(p *pi) { powerCuts(p, o) })
	p.step(t, "what is left", func(p *pi) { recovered(p) })
}

// firstStart: epuck.txt is applied, its mistake is reported, the card is used up to its end and protected; the driver
// waits for a robot.
func firstStart(p *pi) {
	p.power()
	p.login()
	p.t.Logf("let in %.0f s after power", time.Since(p.powered).Seconds())
	for script, want := range map[string]string{
		"hostname": cardName,
		"grep ^ROS_DOMAIN_ID= /etc/default/epuck-driver":                           "ROS_DOMAIN_ID=7",
		"grep ^EPUCK_ARGS= /etc/default/epuck-driver":                              `EPUCK_ARGS="-r __ns:=/robot7"`,
		"stat -c %a:%U /etc/wpa_supplicant/wpa_supplicant-wlan0.conf":              "600:root",
		"grep -c geheimnis1 /etc/wpa_supplicant/wpa_supplicant-wlan0.conf || true": "0",
		"findmnt -n -o FSTYPE /":                                                   "overlay",
		"findmnt -n -o OPTIONS /boot/firmware":                                     "ro,",
		"swapon --noheadings | wc -l":                                              "0",
		"test $(stat -f -c %b /) -gt 190000 && echo grown":                         "grown", // blocks of 4 KiB
		"ls -A /var/log/journal 2>/dev/null | wc -l":                               "0",
		"systemctl show -p Result --value epuck-card":                              "success",
		"systemctl --failed --no-legend | wc -l":                                   "0",
		"systemctl is-active epuck-driver || true":                                 "activating",
		"systemctl list-jobs --no-legend | grep -c wlan0 || true":                  "0",
		"grep -F '" + wrongLine + "' /boot/firmware/epuck-log.txt":                 wrongLine,
		"grep -c geheimnis1 /boot/firmware/epuck-log.txt || true":                  "0",
		"test ! -e /run/epuck-card/damaged && echo whole":                          "whole",
		"systemctl is-active chrony systemd-resolved avahi-daemon | sort -u":       "active",
		"readlink -e /etc/resolv.conf":                                             "/run/systemd/resolve/stub-resolv.conf",
		"journalctl -b --no-pager | grep -c 'ordering cycle' || true":              "0",
		"grep -rc force-unsafe-io /etc/dpkg/dpkg.cfg.d | grep -v ':0' | wc -l":     "0",
	} {
		if got := p.run("%s", script); !strings.HasPrefix(got, want) {
			p.t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	p.t.Logf("epuck.txt was applied in %s", p.run(
		`echo $(( ($(systemctl show -p ExecMainExitTimestampMonotonic --value epuck-card) - $(systemctl show -p ExecMainStartTimestampMonotonic --value epuck-card)) / 1000 )) ms`))
}

// cardSim is the simulated robot as a service of the card's.
const cardSim = `[Unit]
Description=Simulated e-puck2 behind /dev/i2c-12 and /dev/i2c-11
Before=epuck-driver.service
[Service]
Type=notify
TimeoutStartSec=10min
ExecStart=/usr/bin/epuck-driver sim --i2c-device 12 --i2c-board-device 11
[Install]
WantedBy=multi-user.target
`

// cardDropIn lets the service at the simulated buses, and has systemd wait for a machine that is slow and irregular.
const cardDropIn = `[Service]
DeviceAllow=char-i2c-* rw
WatchdogSec=10min
TimeoutStartSec=10min
TimeoutStopSec=60s
`

// simulated puts a simulated robot into the machine, by the kernel's CUSE, and has the driver record whatever happens.
func simulated(p *pi) {
	p.run(`cat >/etc/systemd/system/epuck-sim.service <<'EOF'
%sEOF
mkdir -p /etc/systemd/system/epuck-driver.service.d
cat >/etc/systemd/system/epuck-driver.service.d/sim.conf <<'EOF'
%sEOF
echo cuse >/etc/modules-load.d/cuse.conf
echo '    record.start: true' >>/etc/epuck-driver/params.yaml
systemctl -q enable epuck-sim.service
sync`, cardSim, cardDropIn)
	p.cut()
}

// odometryAfterPower: the second start, which is as every other, to odometry that is heard outside by our node and by
// Cyclone DDS.
func odometryAfterPower(p *pi, o *outside) {
	p.power()
	p.odometry(o)
	p.t.Logf("odometry %.0f s after power", time.Since(p.powered).Seconds())
	if m := o.last.Load(); m.Header.FrameID == "" || m.ChildFrameID == "" {
		p.t.Errorf("odom in frames %q, %q", m.Header.FrameID, m.ChildFrameID)
	}
	if sample := cycloneHears(p.t, cardDomain, "odometry", "rt/"+cardName+"/odom"); !strings.Contains(sample, `"frame_id"`) {
		p.t.Errorf("odom at Cyclone DDS: %s", sample)
	}
	p.login()
	p.t.Logf("by the robot's own clock ready after %s ms; memory:\n%s", p.run(
		"echo $(( $(systemctl show -p ActiveEnterTimestampMonotonic --value epuck-driver) / 1000 ))"),
		p.run("free -m; ps -o rss=,args= -C epuck-driver"))
	if state := p.run("systemctl is-active epuck-driver epuck-sim"); state != "active\nactive" {
		p.t.Errorf("driver and robot are %s", state)
	}
}

// odometry waits for odometry that is sent from now on.
func (p *pi) odometry(o *outside) {
	p.t.Helper()
	before := o.heard.Load()
	for range 3 { // it may take a quarter of an hour to boot on a computer that is busy
		if o.heard.Load() > before {
			break
		}
		if ok := waitFor(p, func() bool { return o.heard.Load() > before }); ok {
			break
		}
	}
	if o.heard.Load() == before {
		p.t.Fatalf("no odometry is heard\n%s", p.console.tail(60))
	}
}

// waitFor waits for a condition until waitTimeout is over.
func waitFor(p *pi, met func() bool) bool {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(waitTimeout); ; {
		select {
		case <-end:
			return false
		case <-p.ended:
			return false
		case <-tick.C:
			if met() {
				return true
			}
		}
	}
}
