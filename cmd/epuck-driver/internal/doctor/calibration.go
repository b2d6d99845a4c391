// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"time"
)

// Calibration is when a part of the robot was calibrated.
type Calibration struct {
	// What was calibrated, and the command that does it.
	What, How string
	// At is when it was; zero: not yet.
	At time.Time
}

// oldCalibration is how long a calibration is trusted.
const oldCalibration = 180 * 24 * time.Hour

// checkCalibration warns of what is not calibrated, or too long ago.
func checkCalibration(_ context.Context, m *Machine) []Finding {
	if m.Calibrated == nil {
		return nil
	}
	all, err := m.Calibrated()
	if err != nil {
		return skipped("calibration", firstLine(err.Error()))
	}
	now := time.Now()
	if m.Clock != nil {
		if c, err := m.Clock(); err == nil {
			now = c.Now
		}
	}
	var out []Finding
	for _, c := range all {
		switch age := now.Sub(c.At); {
		case c.At.IsZero():
			out = append(out, warning("calibration", c.What+": never calibrated; the drawing's values are used", c.How)...)
		case age > oldCalibration:
			out = append(out, warning("calibration", fmt.Sprintf("%s: %.0f days old", c.What, age.Hours()/24), c.How)...)
		default:
			out = append(out, ok("calibration", fmt.Sprintf("%s: %.0f days old", c.What, max(age.Hours()/24, 0)))...)
		}
	}
	return out
}
