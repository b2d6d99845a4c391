// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"time"
)

// Calibration is the time of a calibration of a part of the robot.
type Calibration struct {
	// What is the part, How the command that calibrates it.
	What, How string
	// At is the time of the last calibration; zero: never.
	At time.Time
}

// oldCalibration is the age from which a calibration should be repeated.
const oldCalibration = 180 * 24 * time.Hour

// checkCalibration warns about missing and old calibrations.
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
