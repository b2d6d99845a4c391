// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// checkBus checks that the robot's bus exists and is accessible.
func checkBus(_ context.Context, m *Machine) []Finding {
	loc, err := i2c.Find(m.Root, m.Bus)
	if err != nil {
		return failure("I2C bus", summary(err), remedy(err))
	}
	if m.Access != nil {
		if err := m.Access(loc.Path); err != nil {
			return failure("I2C bus", fmt.Sprintf("%s: %v", loc.Path, err), fmt.Sprintf("sudo usermod -aG i2c %s  # then log in again", m.User))
		}
	}
	return ok("I2C bus", fmt.Sprintf("%s (%s)", loc.Path, loc.Via))
}

// summary returns the first line of an error, or what was searched for, in one line.
func summary(err error) string {
	var missing *i2c.NoBusError
	if !errors.As(err, &missing) {
		return firstLine(err.Error())
	}
	var tried []string
	for _, a := range missing.Tried {
		tried = append(tried, a.What+" "+a.Result)
	}
	return "not found: " + strings.Join(tried, "; ")
}

// remedy returns the first suggested fix.
func remedy(err error) string {
	var missing *i2c.NoBusError
	if errors.As(err, &missing) && len(missing.Fixes) > 0 {
		return missing.Fixes[0]
	}
	return "ls -l /dev/i2c-*"
}

// onBus opens a bus and calls use with it. If there is none, or a driver uses it, it returns that as a finding.
func (m *Machine) onBus(check, name string, use func(pi2c.Bus) []Finding) []Finding {
	if m.OpenBus == nil {
		return nil
	}
	if m.Driver != nil {
		if pid := m.Driver(); pid != 0 {
			return skipped(check, fmt.Sprintf("the driver has the bus (process %d): see /diagnostics, or stop it: sudo systemctl stop epuck-driver; don't run i2cdetect meanwhile, it repeats the last command to the wheels", pid))
		}
	}
	bus, err := m.OpenBus(name)
	if err != nil {
		return skipped(check, "no bus: "+summary(err))
	}
	defer func() { _ = bus.Close() }()
	return use(bus)
}

// checkFirmware identifies the firmware of the robot's microcontroller. It stops the wheels.
func checkFirmware(_ context.Context, m *Machine) []Finding {
	const name = "robot's firmware"
	return m.onBus(name, m.Bus, func(bus pi2c.Bus) []Finding {
		dev, err := mcu.New(bus, nil)
		if err != nil {
			return failure(name, err.Error(), "epuck-driver doctor --ros-args -p i2c_bus:=auto")
		}
		d := dev.Probe()
		if d.Health == mcu.HealthBlinded { // also the case in the first 10 ms after the robot's start
			<-time.After(20 * time.Millisecond)
			d = dev.Probe()
		}
		switch d.Health {
		case mcu.HealthOK:
			return ok(name, fmt.Sprintf("answers at %#02x with measurements", mcu.Addr))
		case mcu.HealthSelector:
			return warning(name, d.Text, "turn the selector of the robot to 10 (A)")
		case mcu.HealthValues:
			return warning(name, d.Text, "look at the infrared sensors; switch the robot off and on")
		case mcu.HealthBlinded:
			return warning(name, d.Text, "take the robot out of the sun")
		}
		return failure(name, d.Text, "switch the robot off and on; its extension firmware: e-puck2_main-processor_extension, selector at 10 (A)")
	})
}

// chip is a chip and its possible addresses.
type chip struct {
	name  string
	addrs []uint16 // any of them
	extra bool     // an extension that most robots lack
}

// robotChips are the chips on the robot's bus.
var robotChips = []chip{
	{"IMU", []uint16{imu.Addr, imu.AddrAlt}, false}, {"time-of-flight sensor", []uint16{vl53l0x.Addr}, false},
	{"camera sensor", []uint16{camsensor.AddrOV, camsensor.AddrPO}, false}, {"ground sensors", []uint16{ground.Addr}, true},
}

// checkChips checks which chips of the robot respond.
func checkChips(_ context.Context, m *Machine) []Finding {
	return m.onBus("robot's parts", m.Bus, func(bus pi2c.Bus) []Finding {
		return answers("robot's parts", bus, robotChips)
	})
}

// boardChips are the chips of the Pi-puck board that the driver uses.
var boardChips = []chip{
	{"board LEDs (FT903)", []uint16{pipuck.Addr}, false},
	{"magnetometer", []uint16{bmm150.Addr, bmm150.Addr + 1, bmm150.Addr + 2, bmm150.LastAddr}, true},
}

// checkBoard checks which chips of the Pi-puck board respond.
func checkBoard(_ context.Context, m *Machine) []Finding {
	return m.onBus("board's parts", i2c.Board, func(bus pi2c.Bus) []Finding {
		return answers("board's parts", bus, boardChips)
	})
}

// answers reads a byte from each chip: a present one acknowledges its address.
func answers(check string, bus pi2c.Bus, chips []chip) []Finding {
	var there, missing []string
	for _, c := range chips {
		at := ""
		for _, addr := range c.addrs {
			if bus.Tx(addr, nil, make([]byte, 1)) == nil {
				at = fmt.Sprintf("%s %#02x", c.name, addr)
				break
			}
		}
		if at != "" {
			there = append(there, at)
		} else if !c.extra {
			missing = append(missing, c.name)
		}
	}
	text := "there: " + list(there)
	if len(missing) == 0 {
		return ok(check, text)
	}
	return warning(check, text+"; not answering: "+list(missing), "switch the robot off and on, check its connectors; their topics appear when they answer")
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
