// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// powerOff asks the system to switch off and returns without waiting for it. The service may not do so; it writes the
// file that epuck-driver-poweroff.path watches.
func powerOff() error {
	if dir, _, _ := strings.Cut(os.Getenv("RUNTIME_DIRECTORY"), ":"); dir != "" {
		return os.WriteFile(filepath.Join(dir, "poweroff"), nil, 0o640)
	}
	cmd := exec.CommandContext(context.Background(), "systemctl", "poweroff")
	if err := cmd.Start(); err != nil {
		return err
	}
	task.Go("power off", func() { _ = cmd.Wait() }) // the machine goes down whatever its status
	return nil
}
