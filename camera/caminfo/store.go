// SPDX-License-Identifier: Apache-2.0

package caminfo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Load reads a calibration file. An error of the file matches those of package os, os.ErrNotExist for a missing one; an
// error of its text names the field, as in [Parse].
func Load(path string) (*Calibration, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("caminfo: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("caminfo: %w", err)
	}
	c, err := Parse(data)
	if err != nil {
		return nil, filekind.ExplainData(path, data, fmt.Errorf("%s: %w", path, err), filekind.CameraYAML)
	}
	return c, nil
}

// Save writes a calibration file atomically, creating its folder if necessary: a program that reads the file meanwhile,
// or after a power failure, finds the old or the new one. An invalid calibration is not written, and the error names
// the field; other errors match those of package os.
func Save(path string, c *Calibration) error {
	if err := c.Check(); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("caminfo: %w", err)
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("caminfo: %w", err)
	}
	_, werr := f.Write(c.Append(nil))
	err = errors.Join(werr, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = system.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("caminfo: %w", errors.Join(err, os.Remove(f.Name())))
	}
	if err := system.SyncDir(folder); err != nil {
		return fmt.Errorf("caminfo: %w", err)
	}
	return nil
}
