// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
)

// SpinPlan turns on the spot near a wall: so many turns, at rad/s, with the infrared sensor of a number, or −1 for the
// one that sees most.
type SpinPlan struct {
	Rounds    int
	TurnSpeed float64
	Sensor    int
}

// spun is what was seen of the wall so far.
type spun struct {
	// Samples of each sensor.
	Samples [8][]wheels.SpinReading `json:"samples"`
	// Angle is that of the newest samples, Wheels how much more than the left joint the right one had turned then, rad.
	Angle  float64 `json:"angle"`
	Wheels float64 `json:"wheels"`
}

// coasted is how far wheels may have turned since a spin was interrupted, rad: they stop a little after the command.
const coasted = 2.0

// Spin turns the robot near a wall and finds the wheel distance over the mean radius; the radius stays. What is in
// the journal counts if the robot is where it was.
func (r *Robot) Spin(ctx context.Context, ui UI, p SpinPlan, j *Journal) (*wheels.SpinResult, wheels.Geometry, error) {
	if p.Rounds < 2 || p.Rounds > 50 || p.Sensor > 7 || !(p.TurnSpeed >= 0.2 && p.TurnSpeed <= 4) {
		return nil, wheels.Geometry{}, fmt.Errorf("%w: %d rounds at %v rad/s with sensor %d", errPlan, p.Rounds, p.TurnSpeed, p.Sensor)
	}
	g, err := r.geometry(ctx)
	if err != nil {
		return nil, g, err
	}
	counts, err := listen[countsMessage](r.node, "ps_raw")
	if err != nil {
		return nil, g, err
	}
	defer func() { _ = counts.Close() }()
	if _, _, err := counts.next(ctx, 0); err != nil {
		return nil, g, err
	}
	if err := r.spin(ctx, ui, p, g, counts, j); err != nil {
		return nil, g, err
	}
	best := p.Sensor
	if best < 0 {
		best = widest(&j.Spin.Samples)
	}
	res, err := wheels.Spin(j.Spin.Samples[best], g.Distance/g.Radius())
	return res, g, err
}

// spin turns as far as the journal lacks, and keeps what the sensors see.
func (r *Robot) spin(ctx context.Context, ui UI, p SpinPlan, g wheels.Geometry, counts *Stream[countsMessage], j *Journal) (err error) {
	at, _, err := r.angles(ctx, 0)
	if err != nil {
		return err
	}
	now := at.Right - at.Left
	if j.Spin == nil {
		j.Spin = &spun{Wheels: now}
	}
	s := j.Spin
	if math.Abs(now-s.Wheels) > coasted {
		return fmt.Errorf("%w: the wheels turned by %.1f rad since; begin anew, without --resume", errJournal, now-s.Wheels)
	}
	s.Angle, s.Wheels = s.Angle+now-s.Wheels, now
	defer func() { err = errors.Join(err, j.save()) }()
	// So much more than the left wheel the right one turns for each radian of the robot.
	gear := g.Distance / g.Radius()
	// A bit more than the rounds, so that the last one has another to be compared with.
	w := turn(g, 2*math.Pi*(float64(p.Rounds)+0.3)-s.Angle/gear, p.TurnSpeed)
	if w.right <= 0 {
		return nil // all of it was seen before
	}
	var left remaining
	return r.drive(ctx, g, w, func(t wheels.Turn) {
		d := t.Right - t.Left
		s.Angle, s.Wheels = s.Angle+d, s.Wheels+d
		m := counts.last()
		for i := range min(len(m.Data), 8) {
			s.Samples[i] = append(s.Samples[i], wheels.SpinReading{Angle: s.Angle, Value: float64(m.Data[i])})
		}
		turned := s.Angle / (2 * math.Pi * gear)
		ui.Progress("turned %.1f of %d rounds%s", turned, p.Rounds, left.after(turned, float64(p.Rounds), time.Now()))
	})
}

// widest is the sensor whose readings span most.
func widest(samples *[8][]wheels.SpinReading) int {
	best, span := 0, -1.0
	for i := range samples {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range samples[i] {
			lo, hi = min(lo, s.Value), max(hi, s.Value)
		}
		if hi-lo > span {
			best, span = i, hi-lo
		}
	}
	return best
}

// SpinSettings are the driver's parameters of a spin: the distance that fits the radius it has.
func SpinSettings(res *wheels.SpinResult, g wheels.Geometry, robot string, at time.Time) []Setting {
	d := res.DistanceOverRadius * g.Radius()
	share := res.Interval / res.DistanceOverRadius
	return []Setting{{"wheel_distance", d}, {"calibration.wheels", calibration.Note{Time: at, Robot: robot, Values: []calibration.Value{
		{Name: "distance", Value: d, Interval: d * share, Unit: "m"}, {Name: "rounds", Value: math.Floor(res.Turns)},
	}}.String()}}
}
