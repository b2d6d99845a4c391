// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// checkModules checks for the kernel modules of the driver's devices.
func checkModules(_ context.Context, m *Machine) []Finding {
	var found []Finding
	switch {
	case m.exists("/sys/module/i2c_dev") || m.exists("/sys/class/i2c-dev"):
		found = ok("kernel module i2c-dev", "loaded")
	default:
		found = failure("kernel module i2c-dev", "not loaded: there is no /dev/i2c-*", "sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/modules-load.d/i2c.conf")
	}
	muxes, _ := fs.Glob(m.Root, "sys/bus/i2c/devices/*-0070") // on any bus, as the driver accepts it
	mux := len(muxes) > 0
	if m.text("/proc/device-tree/model") != "" && !mux {
		complain := failure
		if m.Bus != "" && m.Bus != i2c.Auto { // the robot has another bus; only the board's chips are lost
			complain = warning
		}
		found = append(found, complain("device tree overlay pi-puck", "the Pi-puck's multiplexer is not there (/sys/bus/i2c/devices/*-0070)",
			"echo dtoverlay=pi-puck | sudo tee -a /boot/firmware/config.txt && sudo reboot  # older systems: /boot/config.txt")...)
	} else if mux {
		found = append(found, ok("device tree overlay pi-puck", "the multiplexer is there")...)
	}
	return found
}

// neededGroups are the groups of the devices on Raspberry Pi OS, and the devices.
var neededGroups = []struct{ name, what string }{
	{"i2c", "the robot"}, {"video", "the camera"}, {"gpio", "the charger's pin"},
}

// checkRights checks whether this user may use the devices.
func checkRights(_ context.Context, m *Machine) []Finding {
	if m.Groups == nil {
		return nil
	}
	if m.User == "root" {
		return ok("groups", "root may use every device; the service runs as user epuck")
	}
	groups, err := m.Groups()
	if err != nil {
		return skipped("groups", err.Error())
	}
	var missing, what []string
	for _, g := range neededGroups {
		if !slices.Contains(groups, g.name) {
			missing, what = append(missing, g.name), append(what, g.what)
		}
	}
	if len(missing) == 0 {
		return ok("groups", m.User+" is in i2c, video and gpio")
	}
	text := fmt.Sprintf("%s is not in %s: no right to use %s", m.User, strings.Join(missing, ", "), strings.Join(what, ", "))
	fix := fmt.Sprintf("sudo usermod -aG %s %s  # then log in again", strings.Join(missing, ","), m.User)
	if slices.Contains(missing, "i2c") {
		return failure("groups", text, fix)
	}
	return warning("groups", text, fix)
}
