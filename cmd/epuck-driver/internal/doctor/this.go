// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// ThisMachine returns the machine on which the program runs, with the robot's bus of a name. Network,
// CheckEnvironment, CheckParameters and Calibrated are nil, for the caller to set.
func ThisMachine(bus string) *Machine {
	return &Machine{
		Root: os.DirFS("/"), Bus: bus, User: userName(), Getenv: os.Getenv,
		Access:     system.HasAccess,
		OpenBus:    func(name string) (pi2c.BusCloser, error) { return i2c.Open(i2c.Config{Bus: name}) },
		Groups:     groups,
		Clock:      clock,
		Disk:       disk,
		Interfaces: interfaces,
		Systemctl:  systemctl,
		Driver:     driver,
	}
}

func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
}

// groups returns the names of the groups of this process; a new membership has an effect only after the next login.
func groups() ([]string, error) {
	ids, err := os.Getgroups()
	if err != nil {
		return nil, fmt.Errorf("doctor: %w", err)
	}
	var names []string
	for _, id := range append(ids, os.Getgid()) {
		if g, err := user.LookupGroupId(strconv.Itoa(id)); err == nil {
			names = append(names, g.Name)
		}
	}
	return names, nil
}

func disk(path string) (free, size uint64, err error) {
	if free, size, err = system.DiskSpace(path); err != nil {
		return 0, 0, fmt.Errorf("doctor: %w", err)
	}
	return free, size, nil
}

func interfaces() ([]Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("doctor: %w", err)
	}
	var found []Interface
	for _, i := range all {
		addrs, err := i.Addrs()
		if err != nil {
			continue // it has just been removed
		}
		f := Interface{
			Name: i.Name, Up: i.Flags&net.FlagUp != 0 && i.Flags&net.FlagRunning != 0,
			Loopback: i.Flags&net.FlagLoopback != 0, Multicast: i.Flags&net.FlagMulticast != 0,
		}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() {
				f.Addresses = append(f.Addresses, p.Addr())
			}
		}
		found = append(found, f)
	}
	return found, nil
}

// systemctl returns the properties of a systemd unit.
func systemctl(ctx context.Context, unit string) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "systemctl", "show", "--property",
		"LoadState,ActiveState,SubState,StatusText,NRestarts,UnitFileState", "--", unit).Output()
	if err != nil {
		return nil, fmt.Errorf("no systemd: %w", err)
	}
	return properties(out), nil
}

// properties parses lines of key=value.
func properties(text []byte) map[string]string {
	p := map[string]string{}
	for line := range bytes.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(string(line)), "="); ok {
			p[k] = v
		}
	}
	return p
}

// driver finds a process that runs the driver on the robot, other than this one.
func driver() int {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && drives(line) {
			return pid
		}
	}
	return 0
}

// drives reports whether a command line, in the format of /proc, is "epuck-driver run" on this machine's bus: with
// --wifi the driver uses another robot, and the bus is free.
func drives(cmdline []byte) bool {
	words := strings.Split(string(cmdline), "\x00")
	if len(words) < 2 || !strings.HasSuffix(words[0], "epuck-driver") || words[1] != "run" {
		return false
	}
	wifi := ""
	for i, word := range words {
		value, joined := strings.CutPrefix(word, "--wifi=")
		switch {
		case word == "--" || word == "--ros-args":
			return wifi == ""
		case joined:
			wifi = value
		case word == "--wifi" && i+1 < len(words):
			wifi = words[i+1]
		}
	}
	return wifi == ""
}
