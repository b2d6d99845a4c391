// SPDX-License-Identifier: Apache-2.0

//go:build system && !arm

package studies

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

func TestFullDiskLeavesTheOldParameters(t *testing.T) {
	smalldisk.Run(t, 1<<20, func(t *testing.T, disk string) {
		o := calibrateTarget{out: filepath.Join(disk, "pi.json")}
		if err := o.write(frame.Streams{}, []byte("old")); err != nil {
			t.Fatal(err)
		}
		smalldisk.Fill(t, disk, 0)
		if err := o.write(frame.Streams{}, []byte("new")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v, want a full disk", err)
		}
		if data, err := os.ReadFile(o.out); err != nil || string(data) != "old" {
			t.Errorf("%q, %v; want the old parameters", data, err)
		}
	})
}
