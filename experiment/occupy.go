// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// occupy keeps a folder for one who makes all runs, or with others who make some. It ends by itself with the program,
// however that ends. Where the file system can't lock it does nothing: results are whole there, too, only some are made
// twice.
func occupy(folder string, alone bool) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(folder, ".lock"), os.O_RDWR|os.O_CREATE|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(fmt.Errorf("%w: %s", errBusy, folder), f.Close())
	}
	if alone {
		err = sweep(folder)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // only locked
}

// sweep removes what programs that were killed have left half written. The folder is occupied alone.
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
