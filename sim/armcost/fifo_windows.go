// SPDX-License-Identifier: Apache-2.0

package armcost

import "github.com/epuck-ros2/epuck-driver/internal/system"

// makeFIFO returns an error: QEMU runs programs for ARMv6 only on Linux.
func makeFIFO(string) error {
	return system.NeedsLinux("running programs for ARMv6", "a virtual machine or WSL with Debian can")
}
