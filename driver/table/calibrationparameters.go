// SPDX-License-Identifier: Apache-2.0

package table

import (
	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Names of the parameters that `epuck-driver calibrate` determines.
const (
	ParamRadiusRatio     = "wheel_radius_ratio"
	paramWheelSlip       = "wheel_slip_std"
	paramWheelTurn       = "wheel_turn_std"
	ParamWheelCovariance = "wheel_covariance"
	ParamIRDistances     = "infrared_distances"
	ParamIRCounts        = "infrared_counts"
	ParamGyroMatrix      = "imu_gyro_matrix"
	ParamAccelBias       = "imu_accel_bias"
	ParamAccelMatrix     = "imu_accel_matrix"
	ParamMagBias         = "mag_bias"
	paramMagMatrix       = "mag_matrix"
	paramCalibrated      = "calibration." // followed by what was calibrated
)

// calibrationParameters are the rows that the calibration of an individual robot sets.
func calibrationParameters() []Parameter {
	dynamic := func(p Parameter) Parameter {
		p.Dynamic = true
		return p
	}
	unit := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	curve := epuck2.DefaultInfraredCurve()
	distances, counts := curve.Points()
	rows := []Parameter{
		number(ParamRadiusRatio, 1, 0.8, 1.25, "", true, "radius of the right wheel over that of the left one").
			double(func(s *draft) *float64 { return &s.Wheels.Ratio }),
		number(paramWheelSlip, 0.002, 1e-6, 0.1, "m", true,
			"standard deviation of a wheel's travel after 1 m, for the covariance of `odom`").
			double(func(s *draft) *float64 { return &s.Wheels.Slip }),
		number(paramWheelTurn, 0.02, 1e-6, 1, "rad", true,
			"the same for a turn after 1 rad, in addition to the slip: for wheels that were not calibrated").
			double(func(s *draft) *float64 { return &s.Wheels.Turn }),
		dynamic(list(ParamWheelCovariance, make([]float64, 9),
			"covariance of the relative errors of left radius, right radius and wheel distance, row-major")).
			reads(readCovariance),
		dynamic(list(ParamIRDistances, distances, "distances, m, of the infrared sensors' response, rising")).
			reads(func(s *draft, v ros2.ParameterValue) error { s.distances = v.DoubleArray(); return nil }),
		dynamic(list(ParamIRCounts, counts,
			"readings at these distances, falling: once for all sensors, or for `ps0` to `ps7` in sequence")).
			reads(func(s *draft, v ros2.ParameterValue) error { s.counts = v.DoubleArray(); return nil }),
		dynamic(list(ParamGyroMatrix, unit,
			"matrix that multiplies the IMU's rotation rate, row-major, in the robot's axes; its bias is determined by the "+
				"driver itself")).
			vector(func(s *draft) []float64 { return s.Correct.Gyro.Matrix[:] }),
		dynamic(list(ParamAccelBias, make([]float64, 3),
			"subtracted from the acceleration, m/s², in the robot's axes, before the matrix below multiplies it")).
			vector(func(s *draft) []float64 { return s.Correct.Accel.Bias[:] }),
		dynamic(list(ParamAccelMatrix, unit, "scale and axes of the accelerometer, row-major")).
			vector(func(s *draft) []float64 { return s.Correct.Accel.Matrix[:] }),
		dynamic(list(ParamMagBias, make([]float64, 3), "subtracted from the magnetic field, T: the robot's own (hard iron)")).
			vector(func(s *draft) []float64 { return s.Correct.Mag.Bias[:] }),
		dynamic(list(paramMagMatrix, unit, "matrix that then multiplies it, row-major (soft iron)")).
			vector(func(s *draft) []float64 { return s.Correct.Mag.Matrix[:] }),
	}
	for _, what := range []string{"wheels", "infrared", "imu", "camera"} {
		rows = append(rows, text(paramCalibrated+what, "", true,
			"date, method and uncertainty of the result of `epuck-driver calibrate`; empty: not calibrated"))
	}
	return rows
}
