// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// disk is the file system of the recordings.
type disk interface {
	// mkdir creates the folder of a bag, which must not exist.
	mkdir(dir string) error
	// create creates a file, which must not exist, and marks it as being written.
	create(path string) (mcap.File, error)
	// space returns the free and the total bytes.
	space(dir string) (free, total int64, err error)
	remove(path string) error
}

// realDisk is the machine's file system.
type realDisk struct{}

func (realDisk) mkdir(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	return os.Mkdir(dir, 0o755)
}

func (realDisk) create(path string) (mcap.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(mcap.Lock(f), system.SyncDir(filepath.Dir(path))); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (realDisk) space(dir string) (free, total int64, err error) {
	f, t, err := system.DiskSpace(dir)
	return int64(f), int64(t), err
}

func (realDisk) remove(path string) error { return os.Remove(path) }

// diskFull reports whether an error means that the disk is full.
func diskFull(err error) bool {
	return system.IsDiskFull(err) || errors.Is(err, errDiskFull)
}
