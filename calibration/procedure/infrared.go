// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/ir"
	"github.com/epuck-ros2/epuck-driver/robot"
)

const (
	bodyRadius = robot.ContactRadius
	reach      = 0.0315            // m, approximate distance of the sensors from the robot's centre
	facing     = 5 * math.Pi / 180 // rad: largest angle between a sensor's axis and the wall's normal
)

// InfraredPlan determines the positions and turns in front of a wall.
type InfraredPlan struct {
	// Distances of the sensors from the wall, m, increasing from 8.5 mm; at each the robot makes one full turn.
	Distances []float64
	TurnSpeed float64 // rad/s
	// NoOffsets skips the firmware's own calibration of the offsets.
	NoOffsets bool
}

// DefaultInfraredPlan returns a plan of eleven distances, which takes about three minutes.
func DefaultInfraredPlan() InfraredPlan {
	return InfraredPlan{TurnSpeed: 0.7, Distances: []float64{0.009, 0.011, 0.013, 0.016, 0.020, 0.025, 0.030, 0.035, 0.040, 0.050, 0.060}}
}

func (p InfraredPlan) check() error {
	if len(p.Distances) < 4 || len(p.Distances) > 40 || !(p.TurnSpeed >= 0.2 && p.TurnSpeed <= 2) {
		return fmt.Errorf("%w: %d distances, want 4 to 40; %v rad/s, want 0.2 to 2", errPlan, len(p.Distances), p.TurnSpeed)
	}
	for i, d := range p.Distances {
		if !(d >= 0.0085 && d <= 0.1) || i > 0 && !(d > p.Distances[i-1]) {
			return fmt.Errorf("%w: distance %v m, want increasing ones from 0.0085 to 0.1", errPlan, d)
		}
	}
	return nil
}

// InfraredResult is the result of [Robot.Infrared].
type InfraredResult struct {
	// OffsetsBefore and OffsetsAfter are the mean readings with no object near, counts; NaN if the offsets were
	// skipped.
	OffsetsBefore, OffsetsAfter [8]float64
	Sensors                     [8]*ir.Result
	// Failed is the reason why a sensor has no curve of its own.
	Failed [8]error
	// Ranger is the distance that the time-of-flight sensor measured per distance that the wheels drove; 0 if it
	// measured none.
	Ranger float64
}

// Infrared calibrates the infrared sensors: the offsets by the firmware, the curves in front of a wall. Measurements
// in the journal are not repeated.
func (r *Robot) Infrared(ctx context.Context, ui UI, p InfraredPlan, j *Journal) (*InfraredResult, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	g, err := r.geometry(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := listen[countsMessage](r.node, "ps_raw")
	if err != nil {
		return nil, err
	}
	defer func() { _ = counts.Close() }()
	if j.Infrared == nil {
		j.Infrared = &wallScans{}
	}
	if !p.NoOffsets {
		if err := r.offsets(ctx, ui, counts, j); err != nil {
			return nil, err
		}
	}
	if len(j.Infrared.missing(p)) > 0 {
		if _, err := ui.Ask(ctx, "Put the robot with its front against a straight white wall, looking at it squarely; then press Enter:"); err != nil {
			return nil, err
		}
		if err := r.scanWall(ctx, ui, p, g, counts, j); err != nil {
			return nil, err
		}
	}
	res := &InfraredResult{OffsetsBefore: orUnknown(j.Infrared.Before), OffsetsAfter: orUnknown(j.Infrared.After)}
	return res, fitCurves(j.Infrared, res)
}

// orUnknown returns the offsets, NaN if v is nil.
func orUnknown(v *[8]float64) [8]float64 {
	if v != nil {
		return *v
	}
	n := math.NaN()
	return [8]float64{n, n, n, n, n, n, n, n}
}

// offsets has the firmware calibrate the offsets, and measures them before and after.
func (r *Robot) offsets(ctx context.Context, ui UI, counts *Stream[countsMessage], j *Journal) error {
	known := j.Infrared
	if known.After != nil {
		return nil
	}
	if _, err := ui.Ask(ctx, "Put the robot where nothing is within 10 cm of it; then press Enter:"); err != nil {
		return err
	}
	if known.Before == nil { // after an interruption the first measurement counts
		before, err := meanCounts(ctx, counts)
		if err != nil {
			return err
		}
		known.Before = &before
		if err := j.save(); err != nil {
			return err
		}
	}
	if err := r.trigger(ctx, "calibrate_ir"); err != nil {
		return err
	}
	after, err := meanCounts(ctx, counts)
	if err != nil {
		return err
	}
	known.After = &after
	return j.save()
}

// meanCounts returns the mean of 20 readings.
func meanCounts(ctx context.Context, s *Stream[countsMessage]) (mean [8]float64, err error) {
	const times = 20
	n := s.now()
	for range times {
		var m countsMessage
		if m, n, err = s.next(ctx, n); err != nil {
			return mean, err
		}
		for i := range min(len(m.Data), 8) {
			mean[i] += float64(m.Data[i]) / times
		}
	}
	return mean, nil
}

// nominalCurve returns the driver's default curve.
func nominalCurve() (c ir.Curve) {
	for _, p := range robot.InfraredResponse() {
		c = append(c, ir.Point{Distance: p.Distance, Counts: p.Reading})
	}
	return c
}

// InfraredSettings returns the driver's parameters for a result; a sensor without a curve of its own gets the nominal
// one.
func InfraredSettings(res *InfraredResult, robot string, at time.Time) []Setting {
	nominal := nominalCurve()
	var distances, counts []float64
	for _, p := range nominal {
		distances = append(distances, p.Distance)
	}
	note := calibration.Note{Time: at, Robot: robot}
	for i, s := range res.Sensors {
		curve := nominal
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

// ReportInfrared prints the result.
func ReportInfrared(ui UI, res *InfraredResult) {
	for i, s := range res.Sensors {
		offset := ""
		if !math.IsNaN(res.OffsetsBefore[i]) {
			offset = fmt.Sprintf("  offset %5.1f -> %4.1f counts", res.OffsetsBefore[i], res.OffsetsAfter[i])
		}
		if s == nil {
			ui.Say("ps%d%s  keeps the nominal curve: %v", i, offset, res.Failed[i])
			continue
		}
		ui.Say("ps%d%s  gain %.2f ± %.2f, reach %.2f ± %.2f; error within 40 mm %.1f -> %.1f mm (%d readings)",
			i, offset, s.Gain, 2*s.GainSigma, s.Reach, 2*s.ReachSigma, 1000*s.Before, 1000*s.After, s.Samples)
	}
	if res.Ranger != 0 && math.Abs(res.Ranger-1) > 0.4 {
		ui.Say("The time-of-flight sensor measured %.0f %% of the distance that the wheels drove: if they did not slip, calibrate them first.", 100*res.Ranger)
	}
}
