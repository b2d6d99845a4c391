// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera/internal/videodev"
)

// linux is the operating system.
type linux struct {
	dev string // folder of the device files, "/dev"
}

func machine() system { return linux{dev: "/dev"} }

func (l linux) nodes() ([]string, error) {
	if err := builtIn(); err != nil {
		return nil, err
	}
	return videodev.Nodes(l.dev), nil
}

func (l linux) links() map[string][]string {
	all := map[string][]string{}
	names, err := filepath.Glob(filepath.Join(l.dev, "v4l", "by-id", "*"))
	if err != nil {
		return all
	}
	for _, name := range names {
		if path, err := filepath.EvalSymlinks(name); err == nil {
			all[path] = append(all[path], filepath.Base(name))
		}
	}
	return all
}

func (linux) open(path string) (node, error) { return openNode(path) }

// clocks reads the system clock between two readings of the monotonic one. It retries after an interruption, so both
// are read within some microseconds.
func (linux) clocks() (time.Duration, time.Time) {
	var mono time.Duration
	var now time.Time
	for range 3 {
		before := monotonic()
		now = time.Now().Round(0) // without Go's monotonic reading, which a stamp can't have
		mono = monotonic()
		if mono-before < 50*time.Microsecond {
			break
		}
	}
	return mono, now
}

func monotonic() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
