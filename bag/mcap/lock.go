// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrBusy is matched when another process is writing the file.
var ErrBusy = errors.New("mcap: the file is being written")

// Lock marks the file as being written, until it is closed or the process ends. It fails with [ErrBusy] if another
// process has locked it. Readers need no lock: written data do not change.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOLCK) { // a file system without locks
		return nil
	}
	if err != nil {
		return fmt.Errorf("mcap: lock: %w", err)
	}
	return nil
}
