// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Names of the Pi-puck's buses for [Find]. The empty name is Auto.
const (
	// Auto is the robot's bus, with its microcontroller and sensors.
	Auto = "auto"
	// Board is the bus of the Pi-puck board itself, with its LEDs and the battery monitor.
	Board = "board"
)

const sysDevices = "sys/bus/i2c/devices"

// channel is one of the buses behind the Pi-puck's multiplexer, a PCA9548 at address 0x70 of bus 1.
type channel struct {
	index     int
	fallbacks [2]int // adapter numbers: since Linux 5.4, and before
}

// channelOf returns the channel that a name stands for.
func channelOf(name string) (channel, bool) {
	switch name {
	case "", Auto:
		return channel{1, [...]int{12, 4}}, true
	case Board:
		return channel{0, [...]int{11, 3}}, true
	}
	return channel{}, false
}

// link is made by the kernel's i2c-mux. Its target is the channel's own adapter, whose number differs between kernels.
func (c channel) link(mux string) string {
	return fmt.Sprintf("%s/%s-0070/channel-%d", sysDevices, mux, c.index)
}

// adapterName is the suffix of the channel's adapter name.
func (c channel) adapterName() string { return fmt.Sprintf("mux (chan_id %d)", c.index) }

// Location is a bus that was found.
type Location struct {
	Path   string // device file, "/dev/i2c-12"
	Number int    // adapter number, -1 if the path has none
	// Root is the device file of the adapter that makes the transfers, such as "/dev/i2c-1"; it may be Path itself.
	Root string
	Via  string // how it was found, for the log
}

// Find searches for the robot's bus in a file system rooted at /, os.DirFS("/") on a robot. The name is "auto" or empty
// (the multiplexer's link in sysfs, then i2c-12, then i2c-4), "board" (the link of the other channel, then i2c-11, then
// i2c-3), a number ("12", "i2c-12"), or the path of a device file.
//
// The fallbacks are used only if their adapter is that channel of a multiplexer, or if sysfs has no name for it: on a
// desktop machine the same numbers belong to monitors. The error is a [*NoBusError]. Find opens nothing: [Open] does.
func Find(root fs.FS, name string) (Location, error) {
	s := search{root: root}
	var loc Location
	var ok bool
	if ch, known := channelOf(name); known {
		loc, ok = s.auto(ch)
	} else {
		loc, ok = s.named(name)
	}
	if !ok {
		return Location{}, s.fail(name)
	}
	loc.Root = s.rootAdapter(loc)
	return loc, nil
}

// search is one run of Find with a record of what was tried.
type search struct {
	root    fs.FS
	tried   []Attempt
	noFile  bool // an adapter exists without a device file
	noMux   bool // no bus was specified, and the multiplexer's link does not exist
	refused bool // something could not be read because of missing permissions
}

func (s *search) miss(what, result string) { s.tried = append(s.tried, Attempt{what, result}) }

// auto searches for a bus of the Pi-puck.
func (s *search) auto(ch channel) (Location, bool) {
	first := ch.link("1")
	links := []string{first}
	if more, err := fs.Glob(s.root, ch.link("*")); err == nil {
		for _, l := range more {
			if l != first {
				links = append(links, l)
			}
		}
	}
	for _, link := range links {
		target, err := fs.ReadLink(s.root, link)
		if err != nil {
			s.missErr("link /"+link, err)
			continue
		}
		n, ok := number(path.Base(target))
		if !ok {
			s.miss("link /"+link, fmt.Sprintf("leads to %q, which is no I2C adapter", target))
			continue
		}
		// The kernel has the channel: any other adapter would be wrong.
		loc := Location{Path: devPath(n), Number: n, Via: "link /" + link}
		return loc, s.exists(loc.Path)
	}
	s.noMux = true
	for _, n := range ch.fallbacks {
		loc := Location{Path: devPath(n), Number: n, Via: fmt.Sprintf("usual number of the Pi-puck's channel %d", ch.index)}
		if s.exists(loc.Path) && s.muxChannel(n, ch) {
			return loc, true
		}
	}
	return Location{}, false
}

// named searches for the bus that the user specified.
func (s *search) named(name string) (Location, bool) {
	loc := Location{Path: name, Number: -1, Via: "asked for"}
	if n, ok := number(name); ok {
		loc.Path = devPath(n)
	} else if !strings.HasPrefix(name, "/") || path.Clean(name) == "/" {
		s.miss(strconv.Quote(name), `is neither "auto", "board", a number, nor the path of a device file`)
		return loc, false
	}
	if n, ok := number(path.Base(loc.Path)); ok {
		loc.Number = n
	} else if target, err := fs.ReadLink(s.root, inFS(loc.Path)); err == nil {
		if n, ok := number(path.Base(target)); ok { // a name given by a udev rule
			loc.Number = n
		}
	}
	return loc, s.exists(loc.Path)
}

// exists reports whether a device file exists.
func (s *search) exists(file string) bool {
	_, err := fs.Stat(s.root, inFS(file))
	if err != nil {
		s.missErr(file, err)
		s.noFile = true
	}
	return err == nil
}

// missErr records a failed attempt, distinguishing missing files from missing permissions.
func (s *search) missErr(what string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.miss(what, "does not exist")
	case errors.Is(err, fs.ErrPermission):
		s.refused = true
		s.miss(what, "permission denied")
	default:
		s.miss(what, err.Error())
	}
}

// muxChannel reports whether adapter n is that channel of a multiplexer, or that can't be determined.
func (s *search) muxChannel(n int, ch channel) bool {
	name, err := fs.ReadFile(s.root, fmt.Sprintf("%s/i2c-%d/name", sysDevices, n))
	if err != nil || strings.HasSuffix(strings.TrimSpace(string(name)), ch.adapterName()) {
		return true
	}
	s.miss(devPath(n), fmt.Sprintf("is %q, not channel %d of a multiplexer", strings.TrimSpace(string(name)), ch.index))
	return false
}

// rootAdapter finds the root adapter of a multiplexed bus: the first i2c-N in its path in the device tree.
func (s *search) rootAdapter(loc Location) string {
	if loc.Number < 0 {
		return loc.Path
	}
	target, err := fs.ReadLink(s.root, fmt.Sprintf("%s/i2c-%d", sysDevices, loc.Number))
	if err != nil {
		return loc.Path
	}
	for _, part := range strings.Split(target, "/") {
		if n, ok := number(part); ok && strings.HasPrefix(part, "i2c-") {
			return devPath(n)
		}
	}
	return loc.Path
}

// number reads "12" or "i2c-12".
func number(name string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(name, "i2c-"), 10, 16)
	return int(n), err == nil
}

func devPath(n int) string { return "/dev/i2c-" + strconv.Itoa(n) }

// inFS converts an absolute path to one of an fs.FS rooted at /.
func inFS(p string) string { return strings.TrimPrefix(path.Clean(p), "/") }
