// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/imu"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// fieldSamples holds the samples of the magnetic field so far, T, uncorrected, and the completed share of the
// rotation.
type fieldSamples struct {
	Field []imu.Vec `json:"field"`
	Done  float64   `json:"done"`
}

const (
	fieldTime   = 30 * time.Second // while a person turns the robot
	fieldRounds = 3                // on the floor
	fieldSpeed  = 1.2              // rad/s
)

// magnetometer turns the robot on the floor, or asks the user to turn it by hand.
func (r *Robot) magnetometer(ctx context.Context, ui UI, p InertialPlan, old imu.Correction, j *Journal) (*imu.MagResult, []imu.Vec, error) {
	s, err := listen[sensor_msgs.MagneticField](r.node, "mag")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = s.Close() }()
	if _, _, err := s.next(ctx, 0); err != nil {
		if errors.Is(err, ErrSilent) {
			ui.Say("This robot has no magnetometer; it is left out.")
			return nil, nil, nil
		}
		return nil, nil, err
	}
	method, turning := "floor", r.turnOnFloor // keys of the journal
	if p.Tilted {
		method, turning = "hands", turnByHand
	}
	known := j.Inertial.Field[method]
	if known == nil {
		known = &fieldSamples{}
		j.Inertial.Field[method] = known
	}
	if known.Done < 1 {
		var samples []imu.Vec
		begin := func() {
			s.Keep(func(m sensor_msgs.MagneticField) {
				if v, err := old.Undo(imu.Vec{m.MagneticField.X, m.MagneticField.Y, m.MagneticField.Z}); err == nil {
					samples = append(samples, v)
				}
			})
		}
		err := turning(ctx, ui, known, begin)
		s.Keep(nil) // from here on only this goroutine accesses the samples
		known.Field = append(known.Field, samples...)
		if err := errors.Join(err, j.save()); err != nil {
			return nil, nil, err
		}
	}
	res, err := imu.Magnetometer(known.Field)
	return res, known.Field, err
}

// turnOnFloor drives the remaining turns.
func (r *Robot) turnOnFloor(ctx context.Context, ui UI, known *fieldSamples, begin func()) error {
	g, err := r.geometry(ctx)
	if err != nil {
		return err
	}
	if _, err := ui.Ask(ctx, "Put the robot on its wheels on a level floor, away from iron, with space to turn; then press Enter:"); err != nil {
		return err
	}
	begin()
	const all = 2 * math.Pi * fieldRounds
	before, angle := known.Done, 0.0
	err = r.drive(ctx, g, turn(g, all*(1-before), fieldSpeed), func(t wheels.Turn) {
		angle += (t.Right*g.Right - t.Left*g.Left) / g.Distance
		known.Done = before + angle/all
		ui.Progress("magnetometer: turned %.1f of %d rounds on the floor", known.Done*fieldRounds, fieldRounds)
	})
	if err == nil {
		known.Done = 1
	}
	return err
}

// turnByHand prompts the user to turn the robot and waits for the remaining time.
func turnByHand(ctx context.Context, ui UI, known *fieldSamples, begin func()) error {
	if _, err := ui.Ask(ctx, "Away from iron, hold the robot and turn it slowly, each side up once, for 30 s; press Enter to begin:"); err != nil {
		return err
	}
	begin()
	const step = 500 * time.Millisecond
	for known.Done < 1 {
		ui.Progress("magnetometer: keep turning it, %.0f s", math.Ceil((1-known.Done)*fieldTime.Seconds()))
		if err := sleep(ctx, step); err != nil {
			return err
		}
		known.Done += float64(step) / float64(fieldTime)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
