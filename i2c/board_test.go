// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"errors"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filetree"
)

// TestFindBoard searches for the other channel: the bus of the Pi-puck board.
func TestFindBoard(t *testing.T) {
	linked := append(piPuck("12"), "dev/i2c-11=",
		"sys/bus/i2c/devices/i2c-11 -> ../../../devices/platform/soc/20804000.i2c/i2c-1/i2c-11")
	for _, c := range []struct {
		name    string
		entries []string
		path    string
	}{
		{"by the multiplexer's link", linked, "/dev/i2c-11"},
		{"by its number on a new kernel", []string{"dev/i2c-11=", "dev/i2c-12="}, "/dev/i2c-11"},
		{"by its number on an old kernel", []string{"dev/i2c-3=", "dev/i2c-4="}, "/dev/i2c-3"},
		{"not the robot's", []string{"dev/i2c-12="}, ""},
		{"not a monitor", monitor("11"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			loc, err := Find(os.DirFS(filetree.Make(t, c.entries...)), Board)
			if loc.Path != c.path || (c.path == "") != errors.Is(err, ErrNoBus) {
				t.Errorf("found %q, %v; want %q", loc.Path, err, c.path)
			}
		})
	}
}
