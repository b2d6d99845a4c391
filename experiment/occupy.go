// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// occupy locks a folder, exclusively for a program that executes all runs, shared for those that execute some. The
// lock is released when the program ends. On file systems without locks it has no effect: then some runs may be
// executed twice.
func occupy(folder string, alone bool) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(folder, ".lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	if err := system.TryLock(f, alone); errors.Is(err, system.ErrLocked) {
		return nil, errors.Join(fmt.Errorf("%w: %s", errBusy, folder), f.Close())
	}
	if alone {
		err = sweep(folder)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // nothing was written
}

// sweep removes incomplete files of killed programs. The folder must be locked exclusively.
func sweep(folder string) error {
	left, err := filepath.Glob(filepath.Join(folder, ".run-*.json.*"))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	return nil
}
