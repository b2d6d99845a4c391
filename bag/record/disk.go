// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
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
	if err := errors.Join(mcap.Lock(f), syncDir(filepath.Dir(path))); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// syncDir syncs a folder: otherwise a synced file can be missing after a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) { // some file systems do not support it
		err = nil
	}
	return errors.Join(err, d.Close())
}

func (realDisk) space(dir string) (free, total int64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	size := int64(s.Bsize) //nolint:unconvert // it is an int32 on ARM
	return int64(s.Bavail) * size, int64(s.Blocks) * size, nil
}

func (realDisk) remove(path string) error { return os.Remove(path) }

// diskFull reports whether an error means that the disk is full.
func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) || errors.Is(err, errDiskFull)
}
