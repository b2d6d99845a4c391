// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

func TestAHealthyRobotHasNothingToMend(t *testing.T) {
	r := Examine(context.Background(), patient(t, piPuck))
	for _, f := range r.Findings {
		if f.Status != OK || f.Fix != "" || f.Text == "" {
			t.Errorf("%+v", f)
		}
	}
	if r.Worst() != OK || r.Count(OK) < len(checks()) {
		t.Errorf("worst %v, %d ok of %d checks", r.Worst(), r.Count(OK), len(checks()))
	}
}

// Every complaint: how the machine is bent, which finding that gives, how heavy, and what its remedy holds.
var complaints = []struct {
	name   string
	bend   func(t *testing.T, m *Machine)
	check  string
	status Status
	fix    string
}{
	{"no Raspberry Pi", files(piPuck.without("proc/device-tree")), "machine", Warning, "epuck-driver sim"},
	{"another board", files(piPuck.with("proc/device-tree/model=Orange Pi")), "machine", Warning, "epuck-driver sim"},
	{"under-voltage", throttle("0x50005"), "power", Failure, "battery"},
	{"was under-voltage", throttle("0x50000"), "power", Warning, "battery"},
	{"hot", throttle("0x4"), "power", Warning, "cool"},
	{"firmware says nonsense", throttle("hot"), "power", Skipped, ""},
	{"firmware says nothing", files(piPuck.without("sys/devices")), "power", Skipped, ""},
	{"little memory", files(piPuck.with("proc/meminfo=MemAvailable: 20000 kB")), "memory", Warning, "ps aux"},
	{"full disk", func(_ *testing.T, m *Machine) {
		m.Disk = func(string) (uint64, uint64, error) { return 1 << 20, 8 << 30, nil }
	}, "disk", Warning, "journalctl --vacuum"},
	{"clock never set", clockAt(Clock{Now: time.Unix(3, 0), Synchronised: true}), "clock", Failure, "timedatectl"},
	{"clock not synchronised", clockAt(Clock{Now: earliest.AddDate(1, 0, 0)}), "clock", Warning, "timedatectl"},
	{"no i2c-dev", files(piPuck.without("sys/module/i2c_dev", "dev/")), "kernel module i2c-dev", Failure, "modprobe i2c-dev"},
	{"no overlay", files(piPuck.without("sys/bus/i2c/devices/1-0070")), "device tree overlay pi-puck", Failure, "dtoverlay=pi-puck"},
	{"multiplexer on another bus", files(piPuck.without("sys/bus/i2c/devices/1-0070").with("sys/bus/i2c/devices/0-0070/name=pca9548")),
		"device tree overlay pi-puck", OK, ""},
	{"no groups", groupsOf("epuck"), "groups", Failure, "usermod -aG i2c,video,gpio epuck"},
	{"no video group", groupsOf("i2c", "gpio"), "groups", Warning, "usermod -aG video epuck"},
	{"no bus", files(piPuck.without("sys/bus", "dev/")), "I2C bus", Failure, " "},
	{"bus may not be opened", refuse("/dev/i2c-12"), "I2C bus", Failure, "usermod -aG i2c epuck"},
	{"robot is off", robot(func(b *vbus.Bus) error { return b.Faults().Hold(vbus.Fault{Kind: vbus.NAK}) }), "robot's firmware", Failure, "extension firmware"},
	{"driver runs", func(_ *testing.T, m *Machine) { m.Driver = func() int { return 4711 } }, "robot's firmware", Skipped, ""},
	{"parts are missing", func(t *testing.T, m *Machine) { bare(t, m) }, "robot's parts", Warning, "connectors"},
	{"no camera", files(piPuck.without("sys/class/video4linux/video0/device")), "camera", Warning, "lsusb"},
	{"no camera module", files(piPuck.without("sys/class", "sys/module/uvcvideo")), "camera", Warning, "modprobe uvcvideo"},
	{"camera may not be opened", refuse("/dev/video0"), "camera", Failure, "usermod -aG video epuck"},
	{"no GPU encoder", files(piPuck.without("sys/class/video4linux/video31")), "JPEG encoder", Warning, "bcm2835-codec"},
	{"encoder may not be opened", refuse("/dev/video31"), "JPEG encoder", Warning, "usermod -aG video epuck"},
	{"service has failed", unit("ActiveState", "failed"), "service", Failure, "journalctl -u epuck-driver"},
	{"service is restarted again and again", unit("NRestarts", "17"), "service", Warning, "journalctl -u epuck-driver"},
	{"service is off", unit("ActiveState", "inactive"), "service", Warning, "systemctl start"},
	{"service is not enabled", unit("UnitFileState", "disabled"), "service", Warning, "systemctl enable"},
	{"service is not installed", unit("LoadState", "not-found"), "service", Skipped, ""},
	{"never calibrated", func(_ *testing.T, m *Machine) {
		m.Calibrated = func() ([]Calibration, error) {
			return []Calibration{{"wheels", "epuck-driver calibrate wheels", time.Time{}}}, nil
		}
	}, "calibration", Warning, "epuck-driver calibrate wheels"},
	{"an old calibration", func(_ *testing.T, m *Machine) {
		m.Calibrated = func() ([]Calibration, error) {
			return []Calibration{{"wheels", "epuck-driver calibrate wheels", time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}}, nil
		}
	}, "calibration", Warning, "epuck-driver calibrate wheels"},
	{"bad parameters", func(_ *testing.T, m *Machine) { m.CheckParameters = func(string) error { return errTest } }, "parameters", Failure, "/etc/epuck-driver/params.yaml"},
	{"no network", interfacesOf(lo), "network interfaces", Failure, "wifi connect"},
	{"interface without address", interfacesOf(lo, Interface{Name: "wlan0", Up: true, Multicast: true}), "network interfaces", Failure, "wifi connect"},
	{"interface without multicast", interfacesOf(lo, Interface{Name: "tun0", Up: true, Addresses: wlan.Addresses}), "network interfaces", Warning, "tun0 multicast on"},
	{"no loopback", interfacesOf(wlan), "loopback", Warning, "ip link set lo up"},
	{"loopback without address", interfacesOf(wlan, Interface{Name: "lo", Up: true, Loopback: true}), "loopback", Warning, "ip link set lo up"},
	{"loopback with multicast", interfacesOf(wlan, Interface{Name: "lo", Up: true, Loopback: true, Multicast: true, Addresses: lo.Addresses}), "loopback", OK, ""},
	{"small buffers", files(piPuck.with("proc/sys/net/core/rmem_max=65536")), "socket buffers", Warning, "sysctl"},
	{"wrong environment", func(_ *testing.T, m *Machine) { m.CheckEnvironment = func() (uint32, error) { return 0, errTest } }, "ROS environment", Failure, "unset ROS_DOMAIN_ID"},
	{"localhost only", environment("ROS_LOCALHOST_ONLY", "1"), "ROS environment", Warning, "unset ROS_LOCALHOST_ONLY"},
	{"security enforced", environment("ROS_SECURITY_ENABLE", "true", "ROS_SECURITY_STRATEGY", "Enforce"), "ROS security", Failure, "ROS_SECURITY_KEYSTORE"},
	{"network not joined where security is enforced", environment("ROS_SECURITY_ENABLE", "true", "ROS_SECURITY_STRATEGY", "Enforce"), "ROS network", Skipped, ""},
	{"security requested", environment("ROS_SECURITY_ENABLE", "true", "ROS_SECURITY_STRATEGY", "enforce"), "ROS security", Warning, "ROS_SECURITY_KEYSTORE"},
	{"security misspelt", environment("ROS_SECURITY_ENABLE", "1\nx"), "ROS security", Warning, "ROS_SECURITY_ENABLE=true"},
	{"security switched off", environment("ROS_SECURITY_ENABLE", "0"), "ROS security", OK, ""},
	{"security refused", environment("ROS_SECURITY_ENABLE", "false"), "ROS security", OK, ""},
	{"range localhost", environment("ROS_AUTOMATIC_DISCOVERY_RANGE", "localhost"), "ROS environment", Warning, "unset"},
	{"no socket", networkOf(Neighbours{}, errTest), "ROS network", Failure, "ip address"},
	{"no multicast", networkOf(Neighbours{Participants: []string{"x"}}, nil), "multicast", Warning, "ROS_STATIC_PEERS"},
	{"a stranger", networkOf(Neighbours{Participants: []string{"x"}, Refused: []string{"\"/anna\": expired"}}, nil), "refused by security", Warning, "create_class"},
	{"no other participant", networkOf(Neighbours{Multicast: true, Domain: 7}, nil), "others on the network", Warning, "ROS_DOMAIN_ID=7"},
}

func TestEachComplaintIsFoundWithItsRemedy(t *testing.T) {
	for _, c := range complaints {
		t.Run(c.name, func(t *testing.T) {
			m := patient(t, piPuck)
			c.bend(t, m)
			r := Examine(context.Background(), m)
			i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Check == c.check })
			if i < 0 {
				t.Fatalf("no finding %q in %+v", c.check, r)
			}
			f := r.Findings[i]
			if f.Status != c.status || !strings.Contains(f.Fix, c.fix) || (f.Fix == "") != (c.fix == "") {
				t.Errorf("%+v, want %v and a remedy with %q", f, c.status, c.fix)
			}
			for _, f := range r.Findings {
				if strings.ContainsAny(f.Text+f.Fix, "\n\x00") {
					t.Errorf("more than a line: %q, %q", f.Text, f.Fix)
				}
				if (f.Fix != "") != (f.Status >= Warning) {
					t.Errorf("%+v: a remedy for what is amiss and for nothing else", f)
				}
			}
		})
	}
}

func TestExamineStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := Examine(ctx, patient(t, piPuck)); len(r.Findings) != 0 {
		t.Errorf("%+v", r)
	}
}

// The doctor of a machine of which nothing is known finds something to say, and doesn't fall over.
func TestExamineAMachineOfWhichNothingIsKnown(t *testing.T) {
	if r := Examine(context.Background(), &Machine{Root: entries{}.root(t)}); r.Worst() != Failure || len(r.Findings) < 5 {
		t.Errorf("%+v", r)
	}
}

func TestReportForPeople(t *testing.T) {
	r := Report{[]Finding{{"a", OK, "fine", ""}, {"longer", Failure, "broken", "mend it"}, {"é", Skipped, "unseen", ""}}}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	const want = "ok a       fine\n✗  longer  broken\n           to fix: mend it\n–  é       unseen\n1 ok, 0 warnings, 1 failures, 1 skipped\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestReportForPrograms(t *testing.T) {
	var b bytes.Buffer
	if err := (Report{[]Finding{{"a", OK, "<fine>", ""}, {"b", Warning, "so so", "a && b"}}}).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Status   string
		Findings []map[string]string
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Status != "warning" || len(got.Findings) != 2 || got.Findings[1]["fix"] != "a && b" || got.Findings[0]["status"] != "ok" {
		t.Errorf("%+v", got)
	}
	if _, there := got.Findings[0]["fix"]; there || !strings.Contains(b.String(), "<fine>") {
		t.Errorf("%s", &b)
	}
}

// bare takes the optional parts off the robot.
func bare(t *testing.T, m *Machine) {
	t.Helper()
	*m = *patientOf(t, piPuck, func(r *sim.Firmware) {
		for _, p := range r.Parts() {
			if err := r.RemovePart(p); err != nil {
				t.Fatal(err)
			}
		}
	})
}
