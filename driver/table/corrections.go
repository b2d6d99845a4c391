// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Corrections are the results of a calibration other than the wheels'.
type Corrections struct {
	Infrared         [8]epuck2.InfraredCurve
	Accel, Gyro, Mag epuck2.Linear
}

// readCovariance reads and validates the covariance of the wheels' errors.
func readCovariance(s *draft, v ros2.ParameterValue) error {
	if err := fill(s.Wheels.Covariance[:], v.DoubleArray()); err != nil {
		return err
	}
	_, err := odometry.New(odometry.Config{Covariance: s.Wheels.Covariance})
	return err
}

var errNumbers = errors.New("invalid numbers")

// fill copies finite numbers between slices of equal length.
func fill(to, from []float64) error {
	if len(from) != len(to) {
		return fmt.Errorf("%w: %d, want %d", errNumbers, len(from), len(to))
	}
	for i, v := range from {
		if math.IsNaN(v) || math.Abs(v) > 1e6 {
			return fmt.Errorf("%w: element %d is %v", errNumbers, i, v)
		}
		to[i] = v
	}
	return nil
}

// readCurves builds the response curves from the two parameters: rising distances, falling readings.
func readCurves(curves *[8]epuck2.InfraredCurve, distances, counts []float64) error {
	n := len(distances)
	if n < 2 || n > epuck2.MaxCurvePoints {
		return fmt.Errorf("%w: parameter %q: %d distances, want 2 to %d", ErrParameter, ParamIRDistances, n, epuck2.MaxCurvePoints)
	}
	if len(counts) != n && len(counts) != 8*n {
		return fmt.Errorf("%w: parameter %q: %d readings for %d distances, want %d or %d",
			ErrParameter, ParamIRCounts, len(counts), n, n, 8*n)
	}
	for i := range curves {
		if i > 0 && len(counts) == n {
			curves[i] = curves[0]
			continue
		}
		c, err := epuck2.NewInfraredCurve(distances, counts[i*n%len(counts):][:n])
		if err != nil {
			return fmt.Errorf("%w: parameters %q, %q: sensor %d: %w", ErrParameter, ParamIRDistances, ParamIRCounts, i, err)
		}
		curves[i] = c
	}
	return nil
}
