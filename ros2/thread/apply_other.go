// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package thread

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Apply returns nil if the configuration changes nothing, else an error that matches [ErrConfig]: the scheduling that
// it describes is Linux'.
func (c Config) Apply() error {
	if err := c.Validate(); err != nil || c.IsZero() {
		return err
	}
	return fmt.Errorf("%w: %w", ErrConfig, system.NeedsLinux("scheduling of threads", "leave the configuration empty"))
}
