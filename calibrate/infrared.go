// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/ir"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// eyes are the places (m) and headings (degrees) of ps0 to ps7 in the robot's frame, those of /tf_static (Webots' model).
var eyes = [8]struct{ x, y, heading float64 }{
	{0.030, -0.010, -17.2}, {0.022, -0.025, -45.9}, {0.000, -0.031, -90.0}, {-0.030, -0.015, -151.5},
	{-0.030, 0.015, 151.2}, {0.000, 0.031, 90.0}, {0.022, 0.025, 45.8}, {0.030, 0.010, 17.1},
}

const (
	bodyRadius = 0.037  // m, from the middle to what touches a wall
	reach      = 0.0315 // m, about as far as the sensors are from the middle
	facing     = 5 * math.Pi / 180
)

// InfraredPlan is how the sensors are shown a wall.
type InfraredPlan struct {
	// Distances of the sensors from the wall, m, rising from 8.5 mm; at each the robot turns round once.
	Distances []float64
	TurnSpeed float64 // rad/s
	// NoOffsets leaves the firmware's own calibration out.
	NoOffsets bool
}

// DefaultInfraredPlan takes three minutes.
func DefaultInfraredPlan() InfraredPlan {
	return InfraredPlan{TurnSpeed: 0.7, Distances: []float64{0.009, 0.011, 0.013, 0.016, 0.020, 0.025, 0.030, 0.035, 0.040, 0.050, 0.060}}
}

func (p InfraredPlan) check() error {
	if len(p.Distances) < 4 || len(p.Distances) > 40 || !(p.TurnSpeed >= 0.2 && p.TurnSpeed <= 2) {
		return fmt.Errorf("%w: %d distances, want 4 to 40; %v rad/s, want 0.2 to 2", ErrPlan, len(p.Distances), p.TurnSpeed)
	}
	for i, d := range p.Distances {
		if !(d >= 0.0085 && d <= 0.1) || i > 0 && !(d > p.Distances[i-1]) {
			return fmt.Errorf("%w: distance %v m, want rising ones from 0.0085 to 0.1", ErrPlan, d)
		}
	}
	return nil
}

// glance is a reading of all sensors while the robot turns at a place.
type glance struct {
	distance float64 // of the robot's middle from the wall, m
	heading  float64 // rad, 0 when it looks at the wall as it was put down
	counts   [8]float64
}

// InfraredResult is what [Robot.Infrared] found.
type InfraredResult struct {
	// OffsetsBefore and OffsetsAfter are the mean readings with nothing near, counts; NaN if that was left out.
	OffsetsBefore, OffsetsAfter [8]float64
	Sensors                     [8]*ir.Result
	// Failed says why a sensor has no curve of its own.
	Failed [8]error
	// Ranger is how much the time-of-flight sensor saw the robot move for each metre that the wheels did; 0: not seen.
	Ranger float64
}

// Infrared calibrates the infrared sensors: the offsets by the firmware, the curves against a wall.
func (r *Robot) Infrared(ctx context.Context, ui UI, p InfraredPlan) (*InfraredResult, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	g, err := r.Geometry(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := Listen[countsMessage](r.node, "ps_raw")
	if err != nil {
		return nil, err
	}
	defer func() { _ = counts.Close() }()
	res := &InfraredResult{}
	for i := range 8 {
		res.OffsetsBefore[i], res.OffsetsAfter[i] = math.NaN(), math.NaN()
	}
	if !p.NoOffsets {
		if err := r.offsets(ctx, ui, counts, res); err != nil {
			return nil, err
		}
	}
	if _, err := ui.Ask(ctx, "Put the robot with its front against a straight white wall, looking at it squarely; then press Enter:"); err != nil {
		return nil, err
	}
	glances, err := r.lookAtWall(ctx, ui, p, g, counts, res)
	if err != nil {
		return nil, err
	}
	return res, fitCurves(glances, res)
}

// offsets has the firmware calibrate itself, and compares.
func (r *Robot) offsets(ctx context.Context, ui UI, counts *Stream[countsMessage], res *InfraredResult) (err error) {
	if _, err := ui.Ask(ctx, "Put the robot where nothing is within 10 cm of it; then press Enter:"); err != nil {
		return err
	}
	if res.OffsetsBefore, err = meanCounts(ctx, counts); err != nil {
		return err
	}
	if err := r.Trigger(ctx, "calibrate_ir"); err != nil {
		return err
	}
	res.OffsetsAfter, err = meanCounts(ctx, counts)
	return err
}

// meanCounts is the mean of 20 readings.
func meanCounts(ctx context.Context, s *Stream[countsMessage]) (mean [8]float64, err error) {
	const times = 20
	n := s.now()
	for range times {
		var m countsMessage
		if m, n, err = s.Next(ctx, n); err != nil {
			return mean, err
		}
		for i := range min(len(m.Data), 8) {
			mean[i] += float64(m.Data[i]) / times
		}
	}
	return mean, nil
}

// lookAtWall drives away from the wall step by step and turns round at each.
func (r *Robot) lookAtWall(ctx context.Context, ui UI, p InfraredPlan, g wheels.Geometry, counts *Stream[countsMessage], res *InfraredResult) ([]glance, error) {
	tof, err := Listen[jazzy.Range](r.node, "tof")
	if err != nil {
		return nil, err
	}
	defer func() { _ = tof.Close() }()
	at, heading := bodyRadius, 0.0
	var all []glance
	var ruler [][2]float64 // distance by the wheels, by the time-of-flight sensor
	for i, d := range p.Distances {
		ui.Progress("%d of %d: %.0f mm from the wall", i+1, len(p.Distances), 1000*d)
		back := d + reach - at
		if err := r.Drive(ctx, g, forward(g, -back, 0.03), func(t wheels.Turn) { at -= (t.Left*g.Left + t.Right*g.Right) / 2 }); err != nil {
			return nil, err
		}
		if m, _, err := tof.within(ctx, tof.now(), time.Second); err == nil && m.Range > 0 && m.Range < 1 {
			ruler = append(ruler, [2]float64{at, float64(m.Range)})
		} else if !errors.Is(err, ErrSilent) && err != nil {
			return nil, err
		}
		w := turn(g, 2*math.Pi, p.TurnSpeed)
		err := r.Drive(ctx, g, w, func(t wheels.Turn) {
			heading += (t.Right*g.Right - t.Left*g.Left) / g.Distance
			one := glance{distance: at, heading: heading}
			m := counts.last()
			for k := range min(len(m.Data), 8) {
				one.counts[k] = float64(m.Data[k])
			}
			all = append(all, one)
		})
		if err != nil {
			return nil, err
		}
	}
	res.Ranger = slope(ruler)
	return all, nil
}

// slope is that of the line through points; 0 of fewer than four.
func slope(points [][2]float64) float64 {
	if len(points) < 4 {
		return 0
	}
	var mx, my, xy, xx float64
	n := float64(len(points))
	for _, p := range points {
		mx, my = mx+p[0]/n, my+p[1]/n
	}
	for _, p := range points {
		xy, xx = xy+(p[0]-mx)*(p[1]-my), xx+(p[0]-mx)*(p[0]-mx)
	}
	return xy / xx
}

// wallAt finds the heading at which the robot really looked at the wall: the mean of where each sensor saw most less where
// it should have.
func wallAt(glances []glance) float64 {
	var sin, cos float64
	for i, e := range eyes {
		var s, c float64
		for _, g := range glances {
			a := g.heading + e.heading*math.Pi/180
			w := g.counts[i] * g.counts[i]
			s, c = s+w*math.Sin(a), c+w*math.Cos(a)
		}
		if n := math.Hypot(s, c); n > 0 {
			sin, cos = sin+s/n, cos+c/n
		}
	}
	return math.Atan2(sin, cos)
}

// usualCurve is the driver's default (Webots' model).
func usualCurve() ir.Curve {
	return ir.Curve{
		{Distance: 0, Counts: 4095}, {Distance: 0.005, Counts: 2133.33}, {Distance: 0.01, Counts: 1465.73}, {Distance: 0.015, Counts: 601.46},
		{Distance: 0.02, Counts: 383.84}, {Distance: 0.03, Counts: 234.93}, {Distance: 0.04, Counts: 158.03}, {Distance: 0.05, Counts: 120},
		{Distance: 0.06, Counts: 104.09}, {Distance: 0.07, Counts: 67.19},
	}
}

// fitCurves takes the readings in which a sensor looked at the wall, and fits each one's curve.
func fitCurves(glances []glance, res *InfraredResult) error {
	wall := wallAt(glances)
	if math.Abs(wall) > 0.5 {
		return fmt.Errorf("%w: the wall is %.0f° off where the robot looked at first", ir.ErrData, wall*180/math.Pi)
	}
	good := 0
	for i, e := range eyes {
		var samples []ir.Point
		for _, g := range glances {
			heading := g.heading - wall
			off := math.Remainder(heading+e.heading*math.Pi/180, 2*math.Pi)
			if math.Abs(off) > facing {
				continue
			}
			sin, cos := math.Sincos(heading)
			ahead := e.x*cos - e.y*sin // of the sensor, towards the wall
			samples = append(samples, ir.Point{Distance: (bodyRadius + (g.distance-bodyRadius)*math.Cos(wall) - ahead) / math.Cos(off), Counts: g.counts[i]})
		}
		res.Sensors[i], res.Failed[i] = ir.Fit(samples, usualCurve())
		if res.Failed[i] == nil {
			good++
		}
	}
	if good == 0 {
		return fmt.Errorf("no sensor saw the wall: %w", res.Failed[0])
	}
	return nil
}

// InfraredSettings are the driver's parameters of a result; a sensor without a curve of its own has the usual one.
func InfraredSettings(res *InfraredResult, robot string, at time.Time) []Setting {
	usual := usualCurve()
	var distances, counts []float64
	for _, p := range usual {
		distances = append(distances, p.Distance)
	}
	note := calibration.Note{Time: at, Robot: robot}
	for i, s := range res.Sensors {
		curve := usual
		if s != nil {
			curve = s.Curve
			note.Values = append(note.Values,
				calibration.Value{Name: fmt.Sprintf("ps%d_gain", i), Value: s.Gain, Interval: 2 * s.GainSigma},
				calibration.Value{Name: fmt.Sprintf("ps%d_error", i), Value: 1000 * s.After, Unit: "mm"})
		}
		for _, p := range curve {
			counts = append(counts, p.Counts)
		}
	}
	return []Setting{{"infrared_distances", distances}, {"infrared_counts", counts}, {"calibration.infrared", note.String()}}
}

// ReportInfrared tells what was found.
func ReportInfrared(ui UI, res *InfraredResult) {
	for i, s := range res.Sensors {
		offset := ""
		if !math.IsNaN(res.OffsetsBefore[i]) {
			offset = fmt.Sprintf("  offset %5.1f -> %4.1f counts", res.OffsetsBefore[i], res.OffsetsAfter[i])
		}
		if s == nil {
			ui.Say("ps%d%s  keeps the usual curve: %v", i, offset, res.Failed[i])
			continue
		}
		ui.Say("ps%d%s  gain %.2f ± %.2f, reach %.2f ± %.2f; error within 40 mm %.1f -> %.1f mm (%d readings)",
			i, offset, s.Gain, 2*s.GainSigma, s.Reach, 2*s.ReachSigma, 1000*s.Before, 1000*s.After, s.Samples)
	}
	if res.Ranger != 0 && math.Abs(res.Ranger-1) > 0.4 {
		ui.Say("The time-of-flight sensor saw the robot move %.0f %% of what the wheels did: did they slip? calibrate the wheels first.", 100*res.Ranger)
	}
}
