// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"io/fs"
	"strings"

	"periph.io/x/host/v3/distro"
)

// Attempt is one place that was searched.
type Attempt struct {
	What   string // a file or link
	Result string // why it was not used
}

// NoBusError is returned when there is no bus: it lists everything that was tried, and how to fix it. It matches
// [ErrNoBus].
type NoBusError struct {
	Bus   string    // the requested bus: "auto", a number or a path
	Model string    // the machine, by its device tree; empty if it has none
	Tried []Attempt // in order
	Fixes []string  // what to do, each a sentence
	Err   error     // the failure to open, nil if nothing was found
}

// Error returns one line for the problem, one for each attempt and one for each fix.
func (e *NoBusError) Error() string {
	var b strings.Builder
	b.WriteString("i2c: no bus of an e-puck2 found")
	if e.Bus != "" && e.Bus != Auto {
		b.WriteString(" as " + e.Bus)
	}
	if e.Model != "" {
		b.WriteString(" on this " + e.Model)
	}
	for _, a := range e.Tried {
		b.WriteString("\n  looked for " + a.What + ": " + a.Result)
	}
	for _, f := range e.Fixes {
		b.WriteString("\n  to fix: " + f)
	}
	return b.String()
}

// Is reports whether target is [ErrNoBus].
func (e *NoBusError) Is(target error) bool { return target == ErrNoBus }

// Unwrap returns the failure to open, if that was it.
func (e *NoBusError) Unwrap() error { return e.Err }

// The fixes.
const (
	fixNotPi = "this machine is not a Raspberry Pi; run it on the robot's Pi-puck, or use the simulated robot."
	fixI2C   = "switch I2C on: the line dtparam=i2c_arm=on in /boot/firmware/config.txt (older systems: /boot/config.txt), then restart."
	fixDev   = "load the kernel module that makes /dev/i2c-*: sudo modprobe i2c-dev, and the line i2c-dev in /etc/modules-load.d/i2c.conf for the next start."
	fixMux   = "load the Pi-puck's device tree overlay: the line dtoverlay=pi-puck in /boot/firmware/config.txt (older systems: /boot/config.txt), then restart."
	fixGroup = "let this user open it: sudo usermod -aG i2c $USER, then log in again (as a service: SupplementaryGroups=i2c)."
	fixName  = `name the bus: "auto", a number such as 12, or a device file such as /dev/i2c-12; ls /dev/i2c-* shows what there is.`
)

// fail returns the error of a search without a result.
func (s *search) fail(name string) error {
	e := &NoBusError{Bus: name, Model: machine(), Tried: s.tried}
	adapters, _ := fs.Glob(s.root, sysDevices+"/i2c-*")
	files, _ := fs.Glob(s.root, "dev/i2c-*")
	add := func(when bool, fix string) {
		if when {
			e.Fixes = append(e.Fixes, fix)
		}
	}
	pi := strings.Contains(e.Model, "Raspberry Pi")
	add(s.refused, fixGroup)
	add(!pi, fixNotPi)
	add(len(adapters) == 0 && len(files) == 0, fixI2C)
	add(len(adapters) > 0 && (len(files) == 0 || s.noFile && !s.noMux), fixDev)
	add(s.noMux && len(files) > 0, fixMux)
	add(name != "" && name != Auto, fixName)
	return e
}

// machine returns the machine's name in its device tree, as periph reads it; empty if it has none.
func machine() string {
	if m := distro.DTModel(); m != "<unknown>" && m != "unknown" {
		return m
	}
	return ""
}
