// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/imu"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// InertialPlan selects the sensors to calibrate and how they are measured.
type InertialPlan struct {
	Gyro, Accel, Mag bool
	// Tilted prompts the user to turn the robot about all axes for the magnetometer; else the robot turns on the
	// floor only.
	Tilted bool
	// Turns is the number of turns in each direction, Rounds the number of revolutions per turn.
	Turns, Rounds int
}

// inertialData holds the measurements of an inertial calibration so far, uncorrected.
type inertialData struct {
	Turns []imu.Turn               `json:"turns"` // of the gyroscope
	Faces map[imu.Face]imu.Mean    `json:"faces"` // of the accelerometer
	Field map[string]*fieldSamples `json:"field"` // of the magnetometer; keys: "floor" and "hands"
}

// DefaultInertialPlan returns a plan for all three sensors.
func DefaultInertialPlan() InertialPlan {
	return InertialPlan{Gyro: true, Accel: true, Mag: true, Turns: 3, Rounds: 2}
}

// InertialResult is the result of [Robot.Inertial]; the result of a sensor that was left out is nil.
type InertialResult struct {
	Gyro  *imu.GyroResult
	Accel *imu.AccelResult
	Mag   *imu.MagResult
	// Field holds the magnetometer's readings, T, uncorrected.
	Field []imu.Vec
}

// Inertial calibrates the gyroscope, the accelerometer and the magnetometer as the plan selects. A missing
// magnetometer is skipped. Measurements in the journal are not repeated.
func (r *Robot) Inertial(ctx context.Context, ui UI, p InertialPlan, j *Journal) (*InertialResult, error) {
	if p.Turns < 2 || p.Turns > 20 || p.Rounds < 1 || p.Rounds > 20 {
		return nil, fmt.Errorf("%w: %d turns of %d rounds, want 2 to 20 and 1 to 20", errPlan, p.Turns, p.Rounds)
	}
	old, err := r.corrections(ctx)
	if err != nil {
		return nil, err
	}
	if j.Inertial == nil {
		j.Inertial = &inertialData{Faces: map[imu.Face]imu.Mean{}, Field: map[string]*fieldSamples{}}
	}
	res := &InertialResult{}
	if p.Gyro || p.Accel {
		s, err := listen[sensor_msgs.Imu](r.node, "imu")
		if err != nil {
			return nil, err
		}
		defer func() { _ = s.Close() }()
		if _, _, err := s.next(ctx, 0); err != nil {
			return nil, err
		}
		if p.Gyro {
			if res.Gyro, err = r.gyroscope(ctx, ui, p, s, old["gyro"], j); err != nil {
				return nil, err
			}
		}
		if p.Accel {
			if res.Accel, err = r.accelerometer(ctx, ui, s, old["accel"], j); err != nil {
				return nil, err
			}
		}
	}
	if p.Mag {
		if res.Mag, res.Field, err = r.magnetometer(ctx, ui, p, old["mag"], j); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// corrections reads the driver's present corrections, from which raw values are computed.
func (r *Robot) corrections(ctx context.Context) (map[string]imu.Correction, error) {
	v, err := r.get(ctx, "imu_gyro_matrix", "imu_accel_bias", "imu_accel_matrix", "mag_bias", "mag_matrix")
	if err != nil {
		return nil, err
	}
	one := func(bias, matrix string) imu.Correction {
		c := imu.None()
		if b, ok := v[bias].([]float64); ok && len(b) == 3 {
			copy(c.Bias[:], b)
		}
		if m, ok := v[matrix].([]float64); ok && len(m) == 9 {
			copy(c.Matrix[:], m)
		}
		return c
	}
	return map[string]imu.Correction{
		"gyro": one("", "imu_gyro_matrix"), "accel": one("imu_accel_bias", "imu_accel_matrix"), "mag": one("mag_bias", "mag_matrix"),
	}, nil
}

// seconds returns a message's stamp in seconds.
func seconds(sec int32, nanosec uint32) float64 { return float64(sec) + float64(nanosec)*1e-9 }

// gyroscope turns the robot in both directions and compares the integrated rate with wheel odometry.
func (r *Robot) gyroscope(ctx context.Context, ui UI, p InertialPlan, s *Stream[sensor_msgs.Imu], old imu.Correction, j *Journal) (*imu.GyroResult, error) {
	g, err := r.geometry(ctx)
	if err != nil {
		return nil, err
	}
	if len(j.Inertial.Turns) >= 2*p.Turns {
		return imu.Gyroscope(j.Inertial.Turns)
	}
	if _, err := ui.Ask(ctx, "Put the robot on a level floor with space to turn, and do not touch it; then press Enter:"); err != nil {
		return nil, err
	}
	ui.Progress("gyroscope: at rest")
	if err := r.trigger(ctx, "calibrate_imu"); err != nil {
		return nil, err
	}
	known := j.Inertial
	var left remaining
	for i := len(known.Turns); i < 2*p.Turns; i++ {
		ui.Progress("gyroscope: turn %d of %d%s", i+1, 2*p.Turns, left.after(float64(i), float64(2*p.Turns), time.Now()))
		angle := 2 * math.Pi * float64(p.Rounds) * float64(1-2*(i%2))
		one, err := r.turnOnce(ctx, s, old, g, turn(g, angle, 1+0.8*float64(i/2)))
		if err != nil {
			return nil, err
		}
		known.Turns = append(known.Turns, one)
		if err := j.save(); err != nil {
			return nil, err
		}
	}
	return imu.Gyroscope(known.Turns)
}

// turnOnce drives a turn and integrates the gyroscope's raw rate by the trapezoidal rule; the robot is at rest before
// and after it.
func (r *Robot) turnOnce(ctx context.Context, s *Stream[sensor_msgs.Imu], old imu.Correction, g wheels.Geometry, w segment) (imu.Turn, error) {
	var out imu.Turn
	var last imu.Vec
	at, failed := math.NaN(), error(nil)
	s.Keep(func(m sensor_msgs.Imu) {
		v, err := old.Undo(imu.Vec{m.AngularVelocity.X, m.AngularVelocity.Y, m.AngularVelocity.Z})
		failed = errors.Join(failed, err)
		t := seconds(m.Header.Stamp.Sec, m.Header.Stamp.Nanosec)
		if !math.IsNaN(at) {
			for i := range v {
				out.Integral[i] += (v[i] + last[i]) / 2 * (t - at)
			}
			out.Duration += t - at
		}
		at, last = t, v
	})
	angle := 0.0
	err := r.drive(ctx, g, w, func(t wheels.Turn) { angle += (t.Right*g.Right - t.Left*g.Left) / g.Distance })
	s.Keep(nil) // from here on only this goroutine writes to out
	out.Angle = angle
	return out, errors.Join(err, failed)
}

const (
	restSamples = 40
	restSigma   = 0.25 // m/s² along an axis: with a larger one the robot is being moved
)

// accelerometer prompts for the six positions and measures in each.
func (r *Robot) accelerometer(ctx context.Context, ui UI, s *Stream[sensor_msgs.Imu], old imu.Correction, j *Journal) (*imu.AccelResult, error) {
	positions := j.Inertial.Faces
	var left remaining
	for i, f := range imu.Faces() {
		for {
			if _, known := positions[f]; known {
				break
			}
			ui.Progress("accelerometer: position %d of %d%s", i+1, len(imu.Faces()), left.after(float64(i), float64(len(imu.Faces())), time.Now()))
			if _, err := ui.Ask(ctx, fmt.Sprintf("Place the robot %s on something level, against something square, and release it; then press Enter:", f)); err != nil {
				return nil, err
			}
			switch mean, err := measureFace(ctx, s, old, f); {
			case errors.Is(err, imu.ErrData):
				ui.Say("%v; try again.", err)
			case err != nil:
				return nil, err
			default:
				positions[f] = mean
				if err := j.save(); err != nil {
					return nil, err
				}
			}
		}
	}
	return imu.Accelerometer(positions)
}

// measureFace returns the mean acceleration at rest. The error matches [imu.ErrData] if the robot moves, or if
// another face is up.
func measureFace(ctx context.Context, s *Stream[sensor_msgs.Imu], old imu.Correction, f imu.Face) (imu.Mean, error) {
	mean, err := restMean(ctx, s, old)
	if err != nil {
		return mean, err
	}
	switch at, ok := imu.FaceOf(mean.Value); {
	case !ok:
		return mean, fmt.Errorf("%w: it is not %s", imu.ErrData, f)
	case at != f:
		return mean, fmt.Errorf("%w: it is %s, not %s", imu.ErrData, at, f)
	}
	return mean, nil
}

// restMean returns the mean raw acceleration. The error matches [imu.ErrData] if the robot moves.
func restMean(ctx context.Context, s *Stream[sensor_msgs.Imu], old imu.Correction) (imu.Mean, error) {
	var samples []imu.Vec
	n := s.now()
	for len(samples) < restSamples {
		m, k, err := s.next(ctx, n)
		if err != nil {
			return imu.Mean{}, err
		}
		n = k
		v, err := old.Undo(imu.Vec{m.LinearAcceleration.X, m.LinearAcceleration.Y, m.LinearAcceleration.Z})
		if err != nil {
			return imu.Mean{}, err
		}
		samples = append(samples, v)
	}
	mean := imu.Average(samples)
	for i := range 3 {
		if sigma := mean.Sigma[i] * math.Sqrt(restSamples); sigma > restSigma {
			return mean, fmt.Errorf("%w: the robot moves: the acceleration varies by %.2f m/s²", imu.ErrData, sigma)
		}
	}
	return mean, nil
}

// InertialSettings returns the driver's parameters for a result; those of sensors that were left out are not changed.
func InertialSettings(res *InertialResult, robot string, at time.Time) []Setting {
	var out []Setting
	note := calibration.Note{Time: at, Robot: robot}
	add := func(name string, v, interval float64, unit string) {
		note.Values = append(note.Values, calibration.Value{Name: name, Value: v, Interval: interval, Unit: unit})
	}
	if g := res.Gyro; g != nil {
		out = append(out, Setting{"imu_gyro_matrix", g.Correction.Matrix[:]})
		add("gyro_scale", g.Correction.Matrix[8], 2*g.ScaleSigma, "")
	}
	if a := res.Accel; a != nil {
		out = append(out, Setting{"imu_accel_bias", a.Correction.Bias[:]}, Setting{"imu_accel_matrix", a.Correction.Matrix[:]})
		add("accel_bias", a.Correction.Bias.Norm(), 2*a.BiasSigma.Norm(), "m/s2")
		add("accel_error", a.After, 0, "m/s2")
	}
	if m := res.Mag; m != nil {
		out = append(out, Setting{"mag_bias", m.Correction.Bias[:]}, Setting{"mag_matrix", m.Correction.Matrix[:]})
		add("mag_bias", 1e6*m.Correction.Bias.Norm(), 2e6*m.BiasSigma.Norm(), "uT")
		add("mag_field", 1e6*m.Field, 2e6*m.After, "uT")
	}
	return append(out, Setting{"calibration.imu", note.String()})
}

// ReportInertial prints the result.
func ReportInertial(ui UI, res *InertialResult) {
	if g := res.Gyro; g != nil {
		ui.Say("gyroscope      scale %.4f ± %.4f (95 %%); error of turns %.2f -> %.2f %%; residual bias %.4f rad/s",
			g.Correction.Matrix[8], 2*g.ScaleSigma, 100*g.Before, 100*g.After, g.Correction.Bias[2])
	}
	if a := res.Accel; a != nil {
		ui.Say("accelerometer  bias %+.3f %+.3f %+.3f m/s² ± %.3f (95 %%); error over six positions %.3f -> %.3f m/s²",
			a.Correction.Bias[0], a.Correction.Bias[1], a.Correction.Bias[2], 2*a.BiasSigma.Norm(), a.Before, a.After)
	}
	if m := res.Mag; m != nil {
		ui.Say("magnetometer   hard iron %+.1f %+.1f %+.1f µT ± %.1f (95 %%); the field's length varies by %.2f -> %.2f µT",
			1e6*m.Correction.Bias[0], 1e6*m.Correction.Bias[1], 1e6*m.Correction.Bias[2], 2e6*m.BiasSigma.Norm(), 1e6*m.Before, 1e6*m.After)
		if m.Flat {
			ui.Say("               turned on the floor only: the vertical axis is not calibrated (--tilt calibrates all three)")
		}
	}
}

// Plot returns the field's horizontal components before and after the correction, µT.
func (res *InertialResult) Plot() (before, after [][2]float64) {
	for _, v := range res.Field {
		c := res.Mag.Correction.Apply(v)
		before, after = append(before, [2]float64{1e6 * v[0], 1e6 * v[1]}), append(after, [2]float64{1e6 * c[0], 1e6 * c[1]})
	}
	return before, after
}
