// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

// Host is what the chips ask of the robot they are on. All of it is for the goroutine that polls.
type Host struct {
	// Now tells the time, and Stamp makes the stamp of what was measured then.
	Now   func() time.Time
	Stamp func(t time.Time) builtin_interfaces.Time
	// Corrections gives those in force.
	Corrections func() *table.Corrections
	// Standing reports whether the wheels are known to stand.
	Standing func() bool
	Log      *slog.Logger
}
