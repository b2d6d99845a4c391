// SPDX-License-Identifier: Apache-2.0

package mcap

import (
	"errors"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// ErrBusy is matched when another process is writing the file.
var ErrBusy = errors.New("mcap: the file is being written")

// Lock marks the file as being written, until it is closed or the process ends. It fails with [ErrBusy] if another
// process has locked it. Readers need no lock: written data do not change.
func Lock(f *os.File) error {
	err := system.TryLock(f, true)
	if errors.Is(err, system.ErrLocked) {
		return ErrBusy
	}
	if err != nil {
		return fmt.Errorf("mcap: lock: %w", err)
	}
	return nil
}
