// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Names of video drivers and devices.
const (
	cameraDriver  = "uvcvideo"
	encoderDevice = "bcm2835-codec-encode_image"
)

// videoDevice is a device of /sys/class/video4linux.
type videoDevice struct{ node, name, driver string }

// videoDevices returns all video devices.
func (m *Machine) videoDevices() []videoDevice {
	names, _ := fs.Glob(m.Root, "sys/class/video4linux/video*") // the pattern is valid
	var all []videoDevice
	for _, dir := range names {
		driver, _ := fs.ReadLink(m.Root, dir+"/device/driver") // virtual devices have none
		all = append(all, videoDevice{"/dev/" + path.Base(dir), m.text(dir + "/name"), path.Base(driver)})
	}
	return all
}

// checkCamera checks for the robot's camera, which is a USB camera behind the FT903 of the Pi-puck board.
func checkCamera(_ context.Context, m *Machine) []Finding {
	for _, d := range m.videoDevices() {
		if d.driver != cameraDriver {
			continue
		}
		if m.Access != nil {
			if err := m.Access(d.node); err != nil {
				return failure("camera", fmt.Sprintf("%s (%s): %v", d.node, d.name, err), fmt.Sprintf("sudo usermod -aG video %s  # then log in again", m.User))
			}
		}
		return ok("camera", fmt.Sprintf("%s is %q", d.node, d.name))
	}
	if !m.exists("/sys/module/uvcvideo") {
		return warning("camera", "no USB camera, and the kernel module uvcvideo is not loaded: no images", "sudo modprobe uvcvideo")
	}
	return warning("camera", "no USB camera: no images", "lsusb  # \"Pi-puck Camera Interface\" should be there: check the board, or reset its FT903")
}

// checkEncoder checks for the GPU's JPEG encoder.
func checkEncoder(_ context.Context, m *Machine) []Finding {
	for _, d := range m.videoDevices() {
		if strings.HasSuffix(d.name, encoderDevice) {
			if m.Access != nil {
				if err := m.Access(d.node); err != nil {
					return warning("JPEG encoder", fmt.Sprintf("%s: %v", d.node, err), fmt.Sprintf("sudo usermod -aG video %s  # then log in again", m.User))
				}
			}
			return ok("JPEG encoder", d.node+" of the GPU")
		}
	}
	if m.text("/proc/device-tree/model") == "" {
		return skipped("JPEG encoder", "not a Raspberry Pi: the CPU encodes")
	}
	return warning("JPEG encoder", "the GPU's is not there: the CPU encodes, slower", "sudo modprobe bcm2835-codec  # since Linux 5.15; older systems: start_x=1 and gpu_mem=128 in config.txt")
}
