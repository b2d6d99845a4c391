// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
)

// errPlan is matched by errors about an invalid plan.
var errPlan = errors.New("calibrate: bad plan")

// WheelsPlan determines the runs. Lengths are in m, speeds in m/s and rad/s.
type WheelsPlan struct {
	// Squares is the number of squares in each direction, Side the length of their sides.
	Squares int     `json:"squares"`
	Side    float64 `json:"side"`
	// Straights is the number of straight runs, Straight their length.
	Straights int     `json:"straights"`
	Straight  float64 `json:"straight"`
	// Turns is the number of runs of turning on the spot in each direction, Rounds the number of revolutions per run.
	Turns  int `json:"turns"`
	Rounds int `json:"rounds"`
	// Speed is the linear speed, TurnSpeed the angular speed.
	Speed     float64 `json:"speed"`
	TurnSpeed float64 `json:"turn_speed"`
}

// SquaresPlan returns UMBmark's plan: five squares of 0.3 m in each direction and two straight runs of 0.5 m, which
// fits a desk.
func SquaresPlan() WheelsPlan {
	return WheelsPlan{Squares: 5, Side: 0.3, Straights: 2, Straight: 0.5, Speed: 0.08, TurnSpeed: 1.2}
}

// TurnsPlan returns the simple protocol: straight runs, and turns on the spot.
func TurnsPlan() WheelsPlan {
	return WheelsPlan{Straights: 4, Straight: 0.5, Turns: 4, Rounds: 4, Speed: 0.08, TurnSpeed: 1.2}
}

func (p WheelsPlan) check() error {
	switch {
	case p.Squares < 0 || p.Straights < 0 || p.Turns < 0 || p.Squares+p.Straights+p.Turns > 200:
		return fmt.Errorf("%w: %d squares, %d straight runs, %d turns", errPlan, p.Squares, p.Straights, p.Turns)
	case p.Squares > 0 && !(p.Side >= 0.1 && p.Side <= 5):
		return fmt.Errorf("%w: squares of %v m, want 0.1 to 5", errPlan, p.Side)
	case p.Straights > 0 && !(p.Straight >= 0.1 && p.Straight <= 20):
		return fmt.Errorf("%w: straight runs of %v m, want 0.1 to 20", errPlan, p.Straight)
	case p.Turns > 0 && !(p.Rounds >= 1 && p.Rounds <= 50):
		return fmt.Errorf("%w: %d rounds, want 1 to 50", errPlan, p.Rounds)
	case !(p.Speed >= 0.01 && p.Speed <= 0.12) || !(p.TurnSpeed >= 0.2 && p.TurnSpeed <= 4):
		return fmt.Errorf("%w: %v m/s and %v rad/s, want 0.01 to 0.12 and 0.2 to 4", errPlan, p.Speed, p.TurnSpeed)
	case p.Straights == 0 || p.Squares+p.Turns == 0:
		return fmt.Errorf("%w: squares or turns are needed, and straight runs: nothing else determines the radius", errPlan)
	}
	return nil
}

// planned is a run of a plan.
type planned struct {
	name     string
	kind     wheels.Kind
	segments []segment
}

// runs returns the runs of the plan for a geometry; directions alternate.
func (p WheelsPlan) runs(g wheels.Geometry) (out []planned) {
	square := func(sign float64) (segments []segment) {
		for range 4 {
			segments = append(segments, forward(g, p.Side, p.Speed), turn(g, sign*math.Pi/2, p.TurnSpeed))
		}
		return segments
	}
	for i := range p.Squares {
		out = append(out, planned{fmt.Sprintf("ccw %d", i+1), wheels.CCW, square(1)}, planned{fmt.Sprintf("cw %d", i+1), wheels.CW, square(-1)})
	}
	for i := range p.Straights {
		out = append(out, planned{fmt.Sprintf("straight %d", i+1), wheels.Straight, []segment{forward(g, p.Straight, p.Speed)}})
	}
	for i := range p.Turns {
		round := 2 * math.Pi * float64(p.Rounds)
		out = append(out, planned{fmt.Sprintf("turn-ccw %d", i+1), wheels.TurnCCW, []segment{turn(g, round, p.TurnSpeed)}},
			planned{fmt.Sprintf("turn-cw %d", i+1), wheels.TurnCW, []segment{turn(g, -round, p.TurnSpeed)}})
	}
	return out
}

// DriveRuns drives the runs of the journal's plan that are missing in the journal and stores each of them there.
func (r *Robot) DriveRuns(ctx context.Context, ui UI, ends Ends, j *Journal) error {
	if err := j.Plan.check(); err != nil {
		return err
	}
	g, err := r.geometry(ctx)
	if err != nil {
		return err
	}
	switch {
	case j.Geometry == wheels.Geometry{}:
		j.Geometry = g
	case j.Geometry != g && len(j.Runs) > 0:
		ui.Say("The robot's geometry has changed since the journal was started; the runs are used nevertheless.")
	}
	all := j.Plan.runs(g)
	var left remaining
	for i, p := range all {
		if slices.ContainsFunc(j.Runs, func(d wheels.Run) bool { return d.Name == p.name }) {
			continue
		}
		ui.Progress("run %d of %d: %s%s", i+1, len(all), p.name, left.after(float64(i), float64(len(all)), time.Now()))
		run, err := r.driveRun(ctx, g, p, ends, j)
		if err != nil {
			return err
		}
		if run.Kind == wheels.TurnCCW || run.Kind == wheels.TurnCW {
			run.Position = false // only the heading counts for a turn on the spot
		}
		if err := j.add(*run); err != nil {
			return err
		}
		ui.Say("%2d of %d  %-12s ended at %+7.1f %+7.1f mm", i+1, len(all), p.name, 1000*run.End.X, 1000*run.End.Y)
	}
	return nil
}

// driveRun drives a run and measures its end. The journal's pending run is not driven again: the robot is still at
// its end. A run that went wrong is driven again.
func (r *Robot) driveRun(ctx context.Context, g wheels.Geometry, p planned, ends Ends, j *Journal) (*wheels.Run, error) {
	run := j.Pending
	if run == nil || run.Name != p.name || !ends.Returns() {
		run = nil
	}
	for {
		if run == nil {
			run = &wheels.Run{Name: p.name, Kind: p.kind}
			if err := ends.Begin(ctx, p.name); err != nil {
				return nil, err
			}
			for _, w := range p.segments {
				if err := r.drive(ctx, g, w, func(t wheels.Turn) { run.Turns = append(run.Turns, t) }); err != nil {
					return nil, fmt.Errorf("run %q: %w", p.name, err)
				}
			}
			j.Pending = run
			if err := j.save(); err != nil {
				return nil, err
			}
		}
		switch err := ends.End(ctx, run); {
		case errors.Is(err, errAgain):
			run = nil
		case err != nil:
			return nil, fmt.Errorf("run %q: %w", p.name, err)
		default:
			return run, nil
		}
	}
}

// Estimate computes the geometry from a journal's runs.
func (j *Journal) Estimate(read wheels.Reading) (*wheels.Result, error) {
	side := j.Plan.Side
	if side == 0 {
		side = 0.3
	}
	return wheels.Estimate(j.Runs, wheels.Options{Start: j.Geometry, Side: side, Reading: read})
}

// errUnlikely is matched by a result that is impossible for an e-puck2.
var errUnlikely = errors.New("calibrate: not the wheels of an e-puck2")

// maxDeviation is the largest relative deviation from the nominal geometry: measured wheels differed by 3 %, with
// tyres of other makers by more.
const maxDeviation = 0.12

// CheckWheels returns an error that matches errUnlikely if the result is impossible, as after runs in which the robot
// was obstructed.
func CheckWheels(r *wheels.Result) error {
	g, n := r.Geometry, wheels.Nominal()
	for _, v := range []struct {
		name       string
		is, should float64
	}{{"left radius", g.Left, n.Left}, {"right radius", g.Right, n.Right}, {"wheel distance", g.Distance, n.Distance}} {
		if !(math.Abs(v.is/v.should-1) <= maxDeviation) {
			return fmt.Errorf("%w: %s of %.2f mm instead of about %.2f mm: was the robot obstructed, or an end misread? Nothing is set or stored",
				errUnlikely, v.name, 1000*v.is, 1000*v.should)
		}
	}
	return nil
}

// wheelsNote returns the note of a result.
func wheelsNote(r *wheels.Result, robot string, at time.Time) calibration.Note {
	g := r.Geometry
	value := func(name string, v float64, unit string, by ...float64) calibration.Value {
		return calibration.Value{Name: name, Value: v, Interval: v * r.Interval([3]float64(by)), Unit: unit}
	}
	return calibration.Note{Time: at, Robot: robot, Values: []calibration.Value{
		value("left_radius", g.Left, "m", 1, 0, 0), value("right_radius", g.Right, "m", 0, 1, 0),
		value("ratio", g.Ratio(), "", -1, 1, 0), value("distance", g.Distance, "m", 0, 0, 1),
		{Name: "runs", Value: float64(len(r.Used))},
	}}
}

// minSlip is the lower bound of the slip's standard deviation that is set, m after 1 m, even if the runs show less.
const minSlip = 0.0003

// WheelSettings returns the driver's parameters for a result.
func WheelSettings(r *wheels.Result, robot string, at time.Time) []Setting {
	return []Setting{
		{"wheel_radius", r.Geometry.Radius()}, {"wheel_radius_ratio", r.Geometry.Ratio()}, {"wheel_distance", r.Geometry.Distance},
		{"wheel_covariance", slices.Clone(r.Covariance[:])}, {"wheel_slip_std", max(r.Slip, minSlip)}, {"wheel_turn_std", 1e-6},
		{"calibration.wheels", wheelsNote(r, robot, at).String()},
	}
}

// ReportWheels prints the result.
func ReportWheels(ui UI, r *wheels.Result, before wheels.Geometry) {
	g := r.Geometry
	line := func(name string, old, v, scale float64, unit string, by ...float64) {
		ui.Say("%-16s %10.4f -> %10.4f %-2s ± %.4f (95 %%)", name, old*scale, v*scale, unit, v*scale*r.Interval([3]float64(by)))
	}
	line("left radius", before.Left, g.Left, 1000, "mm", 1, 0, 0)
	line("right radius", before.Right, g.Right, 1000, "mm", 0, 1, 0)
	line("right over left", before.Ratio(), g.Ratio(), 1, "", -1, 1, 0)
	line("wheel distance", before.Distance, g.Distance, 1000, "mm", 0, 0, 1)
	ui.Say("slip             %10.2f mm after 1 m", 1000*r.Slip)
	ui.Say("end-point error  %10.1f -> %10.1f mm (root mean square of %d runs)", 1000*r.Before, 1000*r.After, len(r.Used))
	if r.QualityBefore > 0 {
		ui.Say("UMBmark          %10.1f -> %10.1f mm (largest mean error of both directions)", 1000*r.QualityBefore, 1000*r.QualityAfter)
	}
	for _, o := range r.Outliers {
		why := "it slipped, was bumped, or its end was misread"
		if o.OtherWay {
			why = "it turned in the other direction"
		}
		ui.Say("left out: run %q, %.1f mm (%.0f standard deviations) from where its wheels lead: %s", o.Run, 1000*o.Off, o.Sigmas, why)
	}
}
