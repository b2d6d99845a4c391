// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// form is the format of the kernel's files.
type form uint8

// The formats.
const (
	// formIIO: raw values and scales, kernel 5.4 and later.
	formIIO form = iota + 1
	// formHWMon: millivolts, older kernels.
	formHWMon
)

// String names the kernel's subsystem.
func (f form) String() string {
	switch f {
	case formIIO:
		return "iio"
	case formHWMon:
		return "hwmon"
	}
	return "none"
}

// Files are the kernel's files of the voltages, as names in the file system searched (without a leading slash). A name
// is empty if there is no such file.
type Files struct {
	Form                 form
	Robot, Aux           string
	RobotScale, AuxScale string // formIIO only
}

// devices returns the folders of the converter at address 0x48 of the board bus, the most likely first: through channel
// 0 of the Pi-puck's multiplexer, under the two usual numbers of the bus, and under any other.
func devices() []string {
	return []string{
		"sys/bus/i2c/devices/1-0070/channel-0/*-0048",
		"sys/bus/i2c/devices/11-0048",
		"sys/bus/i2c/devices/3-0048",
		"sys/bus/i2c/drivers/ads1015/3-0048",
		"sys/bus/i2c/devices/*-0048",
	}
}

// find searches for the files. The error matches [ErrAbsent] and lists the places.
func find(root fs.FS) (Files, error) {
	for _, dev := range devices() {
		for _, dir := range glob(root, dev+"/iio:device*") {
			if f, ok := iioFiles(root, dir); ok {
				return f, nil
			}
		}
	}
	for _, dev := range devices() {
		for _, pattern := range []string{dev, dev + "/hwmon/hwmon*"} {
			for _, dir := range glob(root, pattern) {
				if f, ok := hwmonFiles(root, dir); ok {
					return f, nil
				}
			}
		}
	}
	return Files{}, fmt.Errorf("%w: neither iio:device*/in_voltage0_raw nor in4_input in /%s: is the pi-puck overlay loaded?",
		ErrAbsent, strings.Join(devices(), ", /"))
}

func iioFiles(root fs.FS, dir string) (Files, bool) {
	name := func(file string) string { return existing(root, path.Join(dir, file)) }
	shared := name("in_voltage_scale") // if all channels have the same scale
	f := Files{
		Form: formIIO, Robot: name("in_voltage0_raw"), RobotScale: cmp.Or(name("in_voltage0_scale"), shared),
		Aux: name("in_voltage1_raw"), AuxScale: cmp.Or(name("in_voltage1_scale"), shared),
	}
	if f.AuxScale == "" {
		f.Aux = ""
	}
	return f, f.Robot != "" && f.RobotScale != ""
}

func hwmonFiles(root fs.FS, dir string) (Files, bool) {
	f := Files{
		Form:  formHWMon,
		Robot: existing(root, path.Join(dir, "in4_input")), Aux: existing(root, path.Join(dir, "in5_input")),
	}
	return f, f.Robot != ""
}

// glob returns the matches of a pattern, none if a folder can't be read. The patterns are constants and valid.
func glob(root fs.FS, pattern string) []string {
	found, err := fs.Glob(root, pattern)
	if err != nil {
		return nil
	}
	return found
}

func existing(root fs.FS, name string) string {
	if _, err := fs.Stat(root, name); err != nil {
		return ""
	}
	return name
}
