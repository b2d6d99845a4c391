// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Names of the parameters that `epuck-driver calibrate` finds.
const (
	paramRadiusRatio     = "wheel_radius_ratio"
	paramWheelSlip       = "wheel_slip_std"
	paramWheelTurn       = "wheel_turn_std"
	paramWheelCovariance = "wheel_covariance"
	paramIRDistances     = "infrared_distances"
	paramIRCounts        = "infrared_counts"
	paramGyroMatrix      = "imu_gyro_matrix"
	paramAccelBias       = "imu_accel_bias"
	paramAccelMatrix     = "imu_accel_matrix"
	paramMagBias         = "mag_bias"
	paramMagMatrix       = "mag_matrix"
	paramCalibrated      = "calibration." // and what was calibrated
)

// calibrationParameters are the rows that a calibration of the single robot fills in.
func calibrationParameters() []Parameter {
	dynamic := func(p Parameter) Parameter {
		p.Dynamic = true
		return p
	}
	unit := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	curve := epuck2.DefaultInfraredCurve()
	distances, counts := curve.Points()
	rows := []Parameter{
		number(paramRadiusRatio, 1, 0.8, 1.25, "", true, "radius of the right wheel over that of the left one"),
		number(paramWheelSlip, 0.002, 1e-6, 0.1, "m", true, "standard deviation of a wheel's way after 1 m, for the covariance of `odom`"),
		number(paramWheelTurn, 0.02, 1e-6, 1, "rad", true, "the same of a turn after 1 rad, beyond what the slip makes: of wheels that were not calibrated"),
		dynamic(list(paramWheelCovariance, make([]float64, 9), "covariance of the relative errors of left radius, right radius and wheel distance, row by row")),
		dynamic(list(paramIRDistances, distances, "distances, m, of the infrared sensors' response, rising")),
		dynamic(list(paramIRCounts, counts, "readings at these distances, falling: once for all sensors or for `ps0` to `ps7` one after the other")),
		dynamic(list(paramGyroMatrix, unit, "what the IMU's rotation rate is multiplied by, row by row, in the robot's axes; its bias the driver finds itself")),
		dynamic(list(paramAccelBias, make([]float64, 3), "taken off the acceleration, m/s², in the robot's axes, before it is multiplied by the matrix below")),
		dynamic(list(paramAccelMatrix, unit, "scale and axes of the accelerometer, row by row")),
		dynamic(list(paramMagBias, make([]float64, 3), "taken off the magnetic field, T: the robot's own (hard iron)")),
		dynamic(list(paramMagMatrix, unit, "what it is then multiplied by, row by row (soft iron)")),
	}
	for _, what := range []string{"wheels", "infrared", "imu", "camera"} {
		rows = append(rows, text(paramCalibrated+what, "", true, "when, how and how surely `epuck-driver calibrate` found it; empty: not yet"))
	}
	return rows
}

// corrections are what a calibration found beside the wheels.
type corrections struct {
	infrared         [8]epuck2.InfraredCurve
	accel, gyro, mag epuck2.Linear
}

// readCorrections takes the corrections from the parameters. An error matches [ErrParameter] and names one.
func readCorrections(value func(string) ros2.ParameterValue) (corrections, error) {
	var c corrections
	var errs []error
	vector := func(name string, to []float64) {
		if err := fill(to, value(name).DoubleArray()); err != nil {
			errs = append(errs, fmt.Errorf("%w: parameter %q: %w", ErrParameter, name, err))
		}
	}
	vector(paramGyroMatrix, c.gyro.Matrix[:])
	vector(paramAccelMatrix, c.accel.Matrix[:])
	vector(paramMagMatrix, c.mag.Matrix[:])
	vector(paramAccelBias, c.accel.Bias[:])
	vector(paramMagBias, c.mag.Bias[:])
	errs = append(errs, readCurves(&c.infrared, value(paramIRDistances).DoubleArray(), value(paramIRCounts).DoubleArray()))
	return c, errors.Join(errs...)
}

var errNumbers = errors.New("bad numbers")

// fill copies numbers, which must be finite and as many as there are places.
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

// readCurves makes the response curves of the two parameters: rising distances, falling readings.
func readCurves(curves *[8]epuck2.InfraredCurve, distances, counts []float64) error {
	n := len(distances)
	if n < 2 || n > epuck2.MaxCurvePoints {
		return fmt.Errorf("%w: parameter %q: %d distances, want 2 to %d", ErrParameter, paramIRDistances, n, epuck2.MaxCurvePoints)
	}
	if len(counts) != n && len(counts) != 8*n {
		return fmt.Errorf("%w: parameter %q: %d readings for %d distances, want %d or %d",
			ErrParameter, paramIRCounts, len(counts), n, n, 8*n)
	}
	for i := range curves {
		c, err := epuck2.NewInfraredCurve(distances, counts[i*n%len(counts):][:n])
		if err != nil {
			return fmt.Errorf("%w: parameters %q, %q: sensor %d: %w", ErrParameter, paramIRDistances, paramIRCounts, i, err)
		}
		curves[i] = c
	}
	return nil
}

// checkCorrections refuses parameters that ranges can't describe.
func checkCorrections(get func(string) (ros2.ParameterValue, error)) error {
	var errs []error
	value := func(name string) ros2.ParameterValue {
		v, err := get(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("driver: %w", err))
		}
		return v
	}
	_, err := readCorrections(value)
	var covariance [9]float64
	wrong := fill(covariance[:], value(paramWheelCovariance).DoubleArray())
	if wrong == nil {
		_, wrong = odometry.New(odometry.Config{Covariance: covariance})
	}
	if wrong != nil {
		wrong = fmt.Errorf("%w: parameter %q: %w", ErrParameter, paramWheelCovariance, wrong)
	}
	return errors.Join(append(errs, err, wrong)...)
}

// refuseBadCorrections is asked before parameters change together: what it refuses leaves all of them as they were.
func (d *Driver) refuseBadCorrections(changes []ros2.Parameter) error {
	return checkCorrections(func(name string) (ros2.ParameterValue, error) {
		for _, c := range changes {
			if c.Name == name {
				return c.Value, nil
			}
		}
		return d.node.Parameter(name)
	})
}
