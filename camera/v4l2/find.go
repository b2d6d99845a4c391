// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// auto is the name of the robot's own camera.
const auto = "auto"

const (
	driverUVC = "uvcvideo"
	// pipuckCard is part of the product string of the Pi-puck board's camera interface ("Pi-puck Camera Interface",
	// USB 0403:0fd8).
	pipuckCard = "pi-puck"
)

// Info describes a video device of this machine.
type Info struct {
	Path    string   // device file, "/dev/video0"
	Driver  string   // "uvcvideo"
	Card    string   // "Pi-puck Camera Interface: Pi-p"
	Bus     string   // where it is plugged in, "usb-20980000.usb-1.4"
	Links   []string // its names in /dev/v4l/by-id
	Capture bool     // the device is a camera
	Err     error    // reason why it could not be inspected
}

// String returns `/dev/video0 (uvcvideo "Pi-puck Camera Interface")`.
func (i Info) String() string {
	switch {
	case errors.Is(i.Err, syscall.EACCES), errors.Is(i.Err, syscall.EPERM):
		return fmt.Sprintf("%s (no permission: this user must be in group video)", i.Path)
	case i.Err != nil:
		return fmt.Sprintf("%s (%v)", i.Path, i.Err)
	case !i.Capture:
		return fmt.Sprintf("%s (%s %q, not a camera)", i.Path, i.Driver, i.Card)
	default:
		return fmt.Sprintf("%s (%s %q)", i.Path, i.Driver, i.Card)
	}
}

// List describes every video device of this machine, in the order of their numbers. Without cgo it fails with
// [camera.ErrNotBuiltIn].
func List() ([]Info, error) { return list(machine()) }

// Find finds the camera with a name; see the package's documentation. The error lists the existing devices, or matches
// [camera.ErrNotBuiltIn].
func Find(name string) (Info, error) { return find(machine(), name) }

func list(sys system) ([]Info, error) {
	paths, err := sys.nodes()
	if err != nil {
		return nil, err
	}
	links := sys.links()
	infos := make([]Info, 0, len(paths))
	for _, p := range paths {
		info := inspect(sys, p)
		if errors.Is(info.Err, camera.ErrNotBuiltIn) {
			return nil, info.Err
		}
		info.Links = links[p]
		infos = append(infos, info)
	}
	return infos, nil
}

// inspect opens a device to read its name.
func inspect(sys system, path string) Info {
	n, err := sys.open(path)
	if err != nil {
		return Info{Path: path, Err: err}
	}
	c, err := n.capability()
	if cerr := n.close(); err == nil {
		err = cerr
	}
	return Info{Path: path, Driver: c.driver, Card: c.card, Bus: c.bus, Capture: err == nil && c.captures(), Err: err}
}

func find(sys system, name string) (Info, error) {
	if strings.HasPrefix(name, "/") {
		return findPath(sys, name)
	}
	all, err := list(sys)
	if err != nil {
		return Info{}, err
	}
	for _, fits := range rules(name) {
		if i := slices.IndexFunc(all, func(d Info) bool { return d.Capture && fits(d) }); i >= 0 {
			return all[i], nil
		}
	}
	return Info{}, &noDeviceError{Want: name, Have: all}
}

// rules returns the criteria of a name, best first.
func rules(name string) []func(Info) bool {
	uvc := func(d Info) bool { return d.Driver == driverUVC }
	card := func(part string) func(Info) bool {
		part = strings.ToLower(part)
		return func(d Info) bool { return strings.Contains(strings.ToLower(d.Card), part) }
	}
	if name == "" || name == auto {
		return []func(Info) bool{
			func(d Info) bool { return uvc(d) && card(pipuckCard)(d) },
			uvc,
		}
	}
	return []func(Info) bool{
		func(d Info) bool { return slices.Contains(d.Links, name) },
		func(d Info) bool { return d.Driver == name },
		func(d Info) bool { return strings.EqualFold(d.Card, name) },
		card(name),
	}
}

// findPath checks that a device file is a camera.
func findPath(sys system, path string) (Info, error) {
	info := inspect(sys, path)
	if errors.Is(info.Err, camera.ErrNotBuiltIn) {
		return Info{}, info.Err
	}
	if info.Err == nil && info.Capture {
		return info, nil
	}
	cause := info.Err
	switch {
	case cause == nil:
		cause = errors.New("not a camera")
	case errors.Is(cause, syscall.ENOTTY):
		cause = fmt.Errorf("not a video device: %w", cause)
	}
	all, err := list(sys)
	if err != nil {
		return Info{}, err
	}
	return Info{}, &noDeviceError{Want: path, Have: all, Err: cause}
}
