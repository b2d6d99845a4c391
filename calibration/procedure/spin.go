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

// SpinPlan determines the turns on the spot near a wall: their number, the speed in rad/s, and the infrared sensor,
// or −1 for the one with the largest range of readings.
type SpinPlan struct {
	Rounds    int
	TurnSpeed float64
	Sensor    int
}

// spinData holds the readings of the wall so far.
type spinData struct {
	// Samples of each sensor.
	Samples [8][]wheels.SpinReading `json:"samples"`
	// Angle is the angle of the newest samples, Wheels the right joint's angle less the left one's at that time, rad.
	Angle  float64 `json:"angle"`
	Wheels float64 `json:"wheels"`
}

// maxCoast is the largest change of the wheels' angles since a spin was interrupted, rad: they stop shortly after the
// command.
const maxCoast = 2.0

// Spin turns the robot near a wall and determines the wheel distance over the mean radius; the radius is not changed.
// The readings in the journal are used if the wheels have not turned since.
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

// spin drives the turns that the journal lacks and stores the readings.
func (r *Robot) spin(ctx context.Context, ui UI, p SpinPlan, g wheels.Geometry, counts *Stream[countsMessage], j *Journal) (err error) {
	at, _, err := r.angles(ctx, 0)
	if err != nil {
		return err
	}
	now := at.Right - at.Left
	if j.Spin == nil {
		j.Spin = &spinData{Wheels: now}
	}
	s := j.Spin
	if math.Abs(now-s.Wheels) > maxCoast {
		return fmt.Errorf("%w: the wheels turned by %.1f rad since; start again without --resume", errJournal, now-s.Wheels)
	}
	s.Angle, s.Wheels = s.Angle+now-s.Wheels, now
	defer func() { err = errors.Join(err, j.save()) }()
	// The difference of the wheels' angles per radian of the robot's rotation.
	gear := g.Distance / g.Radius()
	// A little more than the rounds, so that the last one overlaps with another.
	w := turn(g, 2*math.Pi*(float64(p.Rounds)+0.3)-s.Angle/gear, p.TurnSpeed)
	if w.right <= 0 {
		return nil // all rounds are in the journal
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

// widest returns the sensor with the largest range of readings.
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

// SpinSettings returns the driver's parameters for a result: the distance that belongs to the driver's radius.
func SpinSettings(res *wheels.SpinResult, g wheels.Geometry, robot string, at time.Time) []Setting {
	d := res.DistanceOverRadius * g.Radius()
	share := res.Interval / res.DistanceOverRadius
	return []Setting{{"wheel_distance", d}, {"calibration.wheels", calibration.Note{Time: at, Robot: robot, Values: []calibration.Value{
		{Name: "distance", Value: d, Interval: d * share, Unit: "m"}, {Name: "rounds", Value: math.Floor(res.Turns)},
	}}.String()}}
}
