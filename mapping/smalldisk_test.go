// SPDX-License-Identifier: Apache-2.0

//go:build system

package mapping

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

// TestFullDiskLeavesTheOldMap: also when only the second of its two files does not fit.
func TestFullDiskLeavesTheOldMap(t *testing.T) {
	smalldisk.Run(t, 1<<20, func(t *testing.T, disk string) {
		save := func(width int, cell int8) (*Map, error) {
			m, err := NewMap(Frame{Resolution: 0.05, Width: width, Height: 100})
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Cells {
				m.Cells[i] = cell
			}
			return m, m.Save(filepath.Join(disk, "map"), FileOptions{})
		}
		old, err := save(80, Occupied)
		if err != nil {
			t.Fatal(err)
		}
		for _, free := range []int64{0, 4 << 10, 8 << 10} { // the pictures take two pages, or three
			smalldisk.Fill(t, disk, free)
			for _, width := range []int{80, 120} {
				if _, err := save(width, Free); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Join(disk, "map.")) {
					t.Errorf("%d bytes free: %v, want a full disk", free, err)
				}
				m, err := Load(filepath.Join(disk, "map.yaml"))
				if err != nil || m.Frame != old.Frame || !slices.Equal(m.Cells, old.Cells) {
					t.Errorf("%d bytes free: the old map is not there: %v", free, err)
				}
			}
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				t.Fatal(err)
			}
		}
		if files, err := os.ReadDir(disk); err != nil || len(files) != 2 {
			t.Errorf("%v %v, want map.pgm and map.yaml alone", files, err)
		}
	})
}
