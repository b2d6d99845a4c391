// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/internal/filetree"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// entries are files ("path=contents") and links ("path -> target") below a root.
type entries []string

// root makes a file system of them.
func (e entries) root(t testing.TB) fs.FS {
	t.Helper()
	return os.DirFS(filetree.Make(t, e...))
}

// piPuck is the file system of a Raspberry Pi on a robot, all well.
var piPuck = entries{
	"proc/device-tree/model=Raspberry Pi Zero W Rev 1.1\x00", "proc/sys/kernel/osrelease=6.1.21+\n",
	"proc/meminfo=MemTotal: 443080 kB\nMemFree: 100000 kB\nMemAvailable: 301000 kB\n", "proc/sys/net/core/rmem_max=212992\n",
	"sys/devices/platform/soc/soc:firmware/get_throttled=0x0\n",
	"sys/module/i2c_dev/refcnt=0", "sys/module/uvcvideo/refcnt=0",
	"sys/bus/i2c/devices/1-0070 -> ../i2c-1/1-0070", "sys/bus/i2c/i2c-1/1-0070/name=pca9548",
	"sys/bus/i2c/i2c-1/1-0070/channel-0 -> ../i2c-11", "sys/bus/i2c/i2c-1/1-0070/channel-1 -> ../i2c-12",
	"dev/i2c-1=", "dev/i2c-11=", "dev/i2c-12=",
	"sys/class/video4linux/video0/name=Pi-puck Camera Interface\n", "sys/class/video4linux/video0/device/driver -> ../../../bus/usb/drivers/uvcvideo",
	"sys/class/video4linux/video31/name=bcm2835-codec-encode_image\n",
	"etc/epuck-driver/params.yaml=",
}

// with adds entries; one of the same path replaces that of before.
func (e entries) with(more ...string) entries {
	out := e.without()
	for _, m := range more {
		name, _, _ := strings.Cut(strings.SplitN(m, " -> ", 2)[0], "=")
		out = append(out.without(name), m)
	}
	return out
}

// without leaves out what begins with any of the paths.
func (e entries) without(paths ...string) entries {
	var out entries
next:
	for _, entry := range e {
		for _, p := range paths {
			if strings.HasPrefix(entry, p) {
				continue next
			}
		}
		out = append(out, entry)
	}
	return out
}

// newRobot simulates a robot with all its parts.
func newRobot(t testing.TB) *sim.Firmware {
	t.Helper()
	world, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(world, sim.Options{Seed: 1, Now: time.Now, Sleep: func(time.Duration) {}})
	if err != nil {
		t.Fatal(err)
	}
	return sim.RobotsOf[*sim.Firmware](s)[0]
}

// patient is a machine on which all is well, to be bent.
func patient(t testing.TB, files entries) *Machine {
	t.Helper()
	robot := newRobot(t)
	return &Machine{
		Root: files.root(t), User: "epuck",
		Access: func(string) error { return nil },
		OpenBus: func(name string) (pi2c.BusCloser, error) {
			if name == i2c.Board {
				return kept{robot.BoardBus()}, nil
			}
			return kept{robot.Bus()}, nil
		},
		Groups: func() ([]string, error) { return []string{"epuck", "i2c", "video", "gpio"}, nil },
		Clock: func() (Clock, error) {
			return Clock{Now: earliest.AddDate(2, 0, 0), Synchronised: true, MaxError: 12 * time.Millisecond}, nil
		},
		Disk:       func(string) (uint64, uint64, error) { return 4 << 30, 16 << 30, nil },
		Interfaces: func() ([]Interface, error) { return []Interface{lo, wlan}, nil },
		Network: func(context.Context) (Neighbours, error) {
			return Neighbours{Multicast: true, Participants: []string{"rviz at 192.0.2.9"}}, nil
		},
		Systemctl: func(context.Context, string) (map[string]string, error) {
			return map[string]string{"LoadState": "loaded", "ActiveState": "active", "SubState": "running", "UnitFileState": "enabled", "NRestarts": "0"}, nil
		},
		Getenv:           func(string) string { return "" },
		CheckEnvironment: func() (uint32, error) { return 0, nil },
		CheckParameters:  func(string) error { return nil },
		Calibrated: func() ([]Calibration, error) {
			return []Calibration{{"wheels", "epuck-driver calibrate wheels", time.Now().Add(-24 * time.Hour)}}, nil
		},
		Driver: func() int { return 0 },
	}
}

var (
	lo   = Interface{Name: "lo", Up: true, Loopback: true, Addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}}
	wlan = Interface{Name: "wlan0", Up: true, Multicast: true, Addresses: []netip.Addr{netip.MustParseAddr("192.0.2.7")}}

	errTest = errors.New("a reason")
)

// kept is a bus that ignores Close, since the simulated robot is used further.
type kept struct{ pi2c.Bus }

func (kept) Close() error { return nil }
