// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/bag"
)

var errExist = os.ErrExist

// enoughSpace checks that the disk is not full: bags without messages would fill the rest of it.
func enoughSpace(cfg *Config, dir string) error {
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		free, total, err := cfg.disk.space(parent)
		switch {
		case errors.Is(err, os.ErrNotExist) && parent != filepath.Dir(parent):
			continue // it is created with the bag
		case err != nil:
			return fmt.Errorf("record: %w", err)
		case free < min(cfg.Reserve, total/10):
			return fullError(free, min(cfg.Reserve, total/10), 0)
		}
		return nil
	}
}

// fullError returns the error of a disk with free bytes to which need bytes are to be written, and of which reserve
// bytes must stay free.
func fullError(free, reserve, need int64) error {
	return fmt.Errorf("%w: %s free, %s needed, of which %s stay free", errDiskFull, bytesText(free), bytesText(need+reserve), bytesText(reserve))
}

// freeSpace ensures that a chunk of so many bytes fits on the disk in addition to the reserve, which also covers the
// files' ends. With a share of the disk, the oldest files of this recording are removed first.
func (s *sink) freeSpace(chunk int64) error {
	for {
		free, total, err := s.cfg.disk.space(s.dir)
		if err != nil {
			return fmt.Errorf("record: %w", err)
		}
		reserve := min(s.cfg.Reserve, total/10)
		if s.full { // hysteresis
			reserve += min(reserve, 4<<20)
		}
		enough := free-chunk*2 >= reserve
		within := s.cfg.DiskShare == 0 || s.size()+chunk <= int64(float64(total)*s.cfg.DiskShare)
		if enough && within {
			return nil
		}
		if s.cfg.DiskShare == 0 || len(s.files) < 2 && s.w == nil {
			if enough {
				return fmt.Errorf("%w: %s of recording are the share %v of the disk", errDiskFull, bytesText(s.size()+chunk), s.cfg.DiskShare)
			}
			return fullError(free, reserve, chunk*2)
		}
		if err := s.removeOldest(); err != nil {
			return err
		}
	}
}

// removeOldest removes the oldest file; if it is the current one, that is completed first.
func (s *sink) removeOldest() error {
	if len(s.files) == 1 && s.w != nil {
		if err := s.closeFile(); err != nil {
			return err
		}
	}
	old := s.files[0]
	if err := s.cfg.disk.remove(filepath.Join(s.dir, old.Path)); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	s.files, s.counts = s.files[1:], s.counts[1:]
	s.cfg.Logger.Info("the oldest file of the recording was removed to free space", "file", old.Path, "size", bytesText(old.Size))
	return s.writeMetadata()
}

func bytesText(n int64) string { return bag.SizeText(n) }
