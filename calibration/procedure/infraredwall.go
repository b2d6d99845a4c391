// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/ir"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// wallReading is one reading of all sensors while the robot turns in front of the wall.
type wallReading struct {
	Distance float64    `json:"distance"` // of the robot's centre from the wall, m
	Heading  float64    `json:"heading"`  // rad, 0 as the robot was placed
	Counts   [8]float64 `json:"counts"`
}

// wallScan holds the measurements since the robot was placed in front of the wall.
type wallScan struct {
	Readings []wallReading `json:"glances"`
	// Done are the planned distances at which the robot has turned.
	Done []float64 `json:"done"`
	// Ruler are pairs of the distance by wheel odometry and by the time-of-flight sensor, m.
	Ruler [][2]float64 `json:"ruler"`
}

// wallScans holds the measurements of an infrared calibration so far.
type wallScans struct {
	// Before and After are the offsets, counts.
	Before *[8]float64 `json:"before,omitempty"`
	After  *[8]float64 `json:"after,omitempty"`
	Walls  []*wallScan `json:"walls"`
}

// missing returns the distances of a plan at which the robot has not turned yet.
func (s *wallScans) missing(p InfraredPlan) (out []float64) {
	for _, d := range p.Distances {
		known := func(v float64) bool { return math.Abs(v-d) < 1e-6 }
		if !slices.ContainsFunc(s.Walls, func(w *wallScan) bool { return slices.ContainsFunc(w.Done, known) }) {
			out = append(out, d)
		}
	}
	return out
}

// scanWall drives backwards from the wall to each missing distance and makes a full turn there. The journal is saved
// after each of them and when scanWall returns.
func (r *Robot) scanWall(ctx context.Context, ui UI, p InfraredPlan, g wheels.Geometry, counts *Stream[countsMessage], j *Journal) (err error) {
	tof, err := listen[jazzy.Range](r.node, "tof")
	if err != nil {
		return err
	}
	defer func() { _ = tof.Close() }()
	seen := &wallScan{}
	j.Infrared.Walls = append(j.Infrared.Walls, seen)
	defer func() { err = errors.Join(err, j.save()) }()
	todo := j.Infrared.missing(p)
	at, heading := bodyRadius, 0.0
	var left remaining
	for i, d := range todo {
		done, all := len(p.Distances)-len(todo)+i, len(p.Distances)
		ui.Progress("%d of %d: %.0f mm from the wall%s", done+1, all, 1000*d, left.after(float64(done), float64(all), time.Now()))
		back := d + reach - at
		if err := r.drive(ctx, g, forward(g, -back, 0.03), func(t wheels.Turn) { at -= (t.Left*g.Left + t.Right*g.Right) / 2 }); err != nil {
			return err
		}
		if m, _, err := tof.within(ctx, tof.now(), time.Second); err == nil && m.Range > 0 && m.Range < 1 {
			seen.Ruler = append(seen.Ruler, [2]float64{at, float64(m.Range)})
		} else if !errors.Is(err, ErrSilent) && err != nil {
			return err
		}
		err := r.drive(ctx, g, turn(g, 2*math.Pi, p.TurnSpeed), func(t wheels.Turn) {
			heading += (t.Right*g.Right - t.Left*g.Left) / g.Distance
			one := wallReading{Distance: at, Heading: heading}
			m := counts.last()
			for k := range min(len(m.Data), 8) {
				one.Counts[k] = float64(m.Data[k])
			}
			seen.Readings = append(seen.Readings, one)
		})
		if err != nil {
			return err
		}
		seen.Done = append(seen.Done, d)
		if err := j.save(); err != nil {
			return err
		}
	}
	return nil
}

// slope returns the slope of the regression line through points; 0 for fewer than four.
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

// wallHeading returns the heading at which the robot faced the wall: the mean over the sensors of the direction of
// largest readings less the sensor's own direction.
func wallHeading(readings []wallReading) float64 {
	var sin, cos float64
	for i, e := range robot.Infrared() {
		var s, c float64
		for _, g := range readings {
			a := g.Heading + e.Heading
			w := g.Counts[i] * g.Counts[i]
			s, c = s+w*math.Sin(a), c+w*math.Cos(a)
		}
		if n := math.Hypot(s, c); n > 0 {
			sin, cos = sin+s/n, cos+c/n
		}
	}
	return math.Atan2(sin, cos)
}

// fitCurves fits the curve of each sensor to the readings in which it faced the wall.
func fitCurves(seen *wallScans, res *InfraredResult) error {
	var samples [8][]ir.Point
	var ruler [][2]float64
	for _, w := range seen.Walls {
		if len(w.Done) == 0 {
			continue // no full turn: the wall's direction can't be determined
		}
		wall := wallHeading(w.Readings)
		if math.Abs(wall) > 0.5 {
			return fmt.Errorf("%w: the wall is %.0f° from the robot's first heading", ir.ErrData, wall*180/math.Pi)
		}
		ruler = append(ruler, w.Ruler...)
		for i := range samples {
			samples[i] = append(samples[i], w.facing(i, wall)...)
		}
	}
	res.Ranger = slope(ruler)
	good := 0
	for i := range samples {
		if res.Sensors[i], res.Failed[i] = ir.Fit(samples[i], nominalCurve()); res.Failed[i] == nil {
			good++
		}
	}
	if good == 0 {
		return fmt.Errorf("no sensor saw the wall: %w", res.Failed[0])
	}
	return nil
}

// facing returns the readings in which sensor i faced the wall, which is at a heading (rad).
func (w *wallScan) facing(i int, wall float64) (out []ir.Point) {
	e := robot.Infrared()[i]
	for _, g := range w.Readings {
		heading := g.Heading - wall
		off := math.Remainder(heading+e.Heading, 2*math.Pi)
		if math.Abs(off) > facing {
			continue
		}
		sin, cos := math.Sincos(heading)
		ahead := e.X*cos - e.Y*sin // of the sensor, towards the wall
		out = append(out, ir.Point{Distance: (bodyRadius + (g.Distance-bodyRadius)*math.Cos(wall) - ahead) / math.Cos(off), Counts: g.Counts[i]})
	}
	return out
}
