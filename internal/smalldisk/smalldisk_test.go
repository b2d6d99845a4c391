// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package smalldisk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestDiskIsSmallAndCanBeFilled(t *testing.T) {
	Run(t, 1<<20, func(t *testing.T, dir string) {
		Fill(t, dir, 8<<10)
		if err := os.WriteFile(filepath.Join(dir, "fits"), make([]byte, 8<<10), 0o600); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "more"), []byte("x"), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v, want ENOSPC", err)
		}
	})
}
