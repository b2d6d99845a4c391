// SPDX-License-Identifier: Apache-2.0

//go:build system

package calibrations

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

// drawing is a page of n bytes.
type drawing int

func (d drawing) SVG(w io.Writer) error {
	_, err := w.Write(bytes.Repeat([]byte{'a' + byte(d%26)}, int(d)))
	return err
}

func (d drawing) PDF(w io.Writer) error { return d.SVG(w) }

func TestFullDiskLeavesTheOldSheet(t *testing.T) {
	smalldisk.Run(t, 1<<20, func(t *testing.T, disk string) {
		path := filepath.Join(disk, "sheet.svg")
		if err := writePage(path, drawing(100)); err != nil {
			t.Fatal(err)
		}
		old, err := os.ReadFile(path)
		if err != nil || len(old) != 100 {
			t.Fatal(len(old), err)
		}
		smalldisk.Fill(t, disk, 8<<10)
		if err := writePage(path, drawing(64<<10)); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v, want a full disk", err)
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, old) {
			t.Errorf("%d bytes, %v; want the old sheet", len(data), err)
		}
		if files, err := os.ReadDir(disk); err != nil || len(files) != 2 {
			t.Errorf("%v, %v; want the sheet and the filler", files, err)
		}
	})
}
