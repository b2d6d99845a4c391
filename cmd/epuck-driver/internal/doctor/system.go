// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// checkModel reports the model of this machine.
func checkModel(_ context.Context, m *Machine) []Finding {
	model, kernel := m.text("/proc/device-tree/model"), m.text("/proc/sys/kernel/osrelease")
	switch {
	case model == "":
		return warning("machine", "no Raspberry Pi (no device tree), Linux "+kernel, "run the driver on the Pi-puck, or the simulated robot: epuck-driver sim")
	case !strings.Contains(model, "Raspberry Pi"):
		return warning("machine", model+", Linux "+kernel, "run the driver on the Pi-puck, or the simulated robot: epuck-driver sim")
	}
	return ok("machine", model+", Linux "+kernel)
}

// The bits of the firmware's get_throttled (Raspberry Pi documentation, vcgencmd).
const (
	underVoltage    = 1 << 0
	throttled       = 1 << 2
	wasUnderVoltage = 1 << 16
)

// checkPower checks for under-voltage, the most common cause of unreliable behaviour of a Raspberry Pi.
func checkPower(_ context.Context, m *Machine) []Finding {
	const file = "/sys/devices/platform/soc/soc:firmware/get_throttled"
	text := m.text(file)
	if text == "" {
		return skipped("power", "the firmware does not report it ("+file+")")
	}
	bits, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 32)
	switch {
	case err != nil:
		return skipped("power", fmt.Sprintf("%s holds %q", file, text))
	case bits&underVoltage != 0:
		return failure("power", "the supply is too weak now (under-voltage)", "charge the robot's battery: put it on its charger")
	case bits&throttled != 0:
		return warning("power", "the processor is throttled now", "let the Raspberry Pi cool down")
	case bits&wasUnderVoltage != 0:
		return warning("power", "the supply was too weak since the start", "charge the robot's battery: put it on its charger")
	}
	return ok("power", "the supply is good")
}

// minMemory is the memory that the driver may need with all features, plus a reserve for the system, kB.
const minMemory = 48 * 1024

// checkMemory checks the available memory.
func checkMemory(_ context.Context, m *Machine) []Finding {
	lines := bufio.NewScanner(strings.NewReader(m.text("/proc/meminfo")))
	for lines.Scan() {
		var kB int
		if n, _ := fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &kB); n != 1 {
			continue
		}
		text := fmt.Sprintf("%d MB available", kB/1024)
		if kB < minMemory {
			return warning("memory", text+", the driver with its camera takes up to 24", "sudo systemctl disable --now lightdm  # or what else takes much: ps aux --sort=-rss | head")
		}
		return ok("memory", text)
	}
	return skipped("memory", "/proc/meminfo has no value")
}

// minDisk is the space that log and calibration files may need, bytes.
const minDisk = 32 << 20

// checkDisk checks for a full or a read-only file system.
func checkDisk(_ context.Context, m *Machine) []Finding {
	if m.Disk == nil {
		return nil
	}
	free, size, err := m.Disk("/var/log")
	switch {
	case err != nil:
		return skipped("disk", err.Error())
	case free < minDisk:
		return warning("disk", fmt.Sprintf("%d MB of %d free: log and calibration files will be lost", free>>20, size>>20), "sudo journalctl --vacuum-size=16M && sudo apt-get clean")
	}
	return ok("disk", fmt.Sprintf("%d MB of %d free", free>>20, size>>20))
}

// earliest is before the current time: a clock that shows an earlier time has never been set.
var earliest = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// checkClock checks the clock, because stamps must agree with other machines: a Pi-puck has no clock that runs while
// it is off.
func checkClock(_ context.Context, m *Machine) []Finding {
	if m.Clock == nil {
		return nil
	}
	const fix = "sudo timedatectl set-ntp true  # and a way to a time server: timedatectl timesync-status"
	c, err := m.Clock()
	switch {
	case err != nil:
		return skipped("clock", err.Error())
	case c.Now.Before(earliest):
		return failure("clock", "it is "+c.Now.UTC().Format(time.DateTime)+" UTC here: tf2 and Nav2 will refuse what this robot stamps", fix)
	case !c.Synchronised:
		return warning("clock", c.Now.UTC().Format(time.DateTime)+" UTC, not synchronised: stamps may differ from other machines'", fix)
	}
	return ok("clock", fmt.Sprintf("synchronised to within %v", c.MaxError.Round(time.Microsecond)))
}
