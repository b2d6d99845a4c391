// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package mapping

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/memorylimit"
)

// TestHostileMapsStayWithinTheLimit: they take no more memory than their files.
func TestHostileMapsStayWithinTheLimit(t *testing.T) {
	memorylimit.Run(t, 400<<20, func(t *testing.T) { loadHostileMaps(t, 60<<20) })
}
