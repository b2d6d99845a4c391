// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package outfile

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

func TestFullDiskIsNoticedBeforeTheWork(t *testing.T) {
	smalldisk.Run(t, 4<<20, func(t *testing.T, disk string) {
		if err := errors.Join(File(filepath.Join(disk, "x")), Folder(filepath.Join(disk, "a", "b"))); err != nil {
			t.Error(err)
		}
		smalldisk.Fill(t, disk, 64<<10)
		for _, err := range []error{File(filepath.Join(disk, "x")), Folder(filepath.Join(disk, "a", "b"))} {
			if !errors.Is(err, ErrSpace) {
				t.Errorf("%v, want %v", err, ErrSpace)
			}
		}
	})
}
