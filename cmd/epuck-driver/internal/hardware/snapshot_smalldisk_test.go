// SPDX-License-Identifier: Apache-2.0

//go:build system

package hardware

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestFullDiskLeavesTheOldSnapshot(t *testing.T) {
	smalldisk.Run(t, 1<<20, func(t *testing.T, disk string) {
		world, err := sim.LoadWorld("camera")
		if err != nil {
			t.Fatal(err)
		}
		s, err := sim.New(world, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(disk, "camera.png")
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		smalldisk.Fill(t, disk, 0)
		if err := Snapshot(sim.RobotsOf[*sim.Firmware](s)[0], path); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v, want a full disk", err)
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, []byte("old")) {
			t.Errorf("%d bytes, %v; want the old picture", len(data), err)
		}
	})
}
