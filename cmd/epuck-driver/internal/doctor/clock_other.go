// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package doctor

import "github.com/epuck-ros2/epuck-driver/internal/system"

// clock returns an error: it is implemented for Linux only.
func clock() (Clock, error) {
	return Clock{}, system.NeedsLinux("asking for the clock's synchronisation", "the settings of this system show it")
}
