// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

// Host is what the chips need of their robot. It is used by the polling goroutine only.
type Host struct {
	// Now returns the time, and Stamp the stamp of a measurement at a time.
	Now   func() time.Time
	Stamp func(t time.Time) builtin_interfaces.Time
	// Corrections returns the current ones.
	Corrections func() *table.Corrections
	// Standing reports whether the wheels are known to stand still.
	Standing func() bool
	Log      *slog.Logger
}
