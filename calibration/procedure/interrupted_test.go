// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// interrupted runs a procedure that is ended a second after a person read some words, as by Ctrl-C: it says so, the
// wheels are stopped, and what it had measured is in the journal, which it gives back as the next program reads it.
func (r *rig) interrupted(path, kind, words string, do func(ctx context.Context, j *Journal) error) *Journal {
	r.Helper()
	j, err := OpenJournal(path, kind, "r")
	if errors.Is(err, os.ErrNotExist) {
		j, err = NewJournal(path, kind, "r", time.Now())
	}
	r.must(err)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	r.ui.at, r.ui.then = words, func() { time.AfterFunc(time.Second, cancel) }
	if err := do(ctx, j); !errors.Is(err, context.Canceled) {
		r.Fatalf("%s at %q: %v", kind, words, err)
	}
	r.requireStopped()
	again, err := OpenJournal(path, kind, "r")
	r.must(err)
	return again
}

// TestInterruptedAtTheQuestion: the run was driven and Ctrl-C comes where its end is asked for: it is not driven again,
// unless the answer is "again".
func TestInterruptedAtTheQuestion(t *testing.T) {
	bubble(t, varied, false, func(r *rig) {
		plan := WheelsPlan{Straights: 2, Straight: 0.2, Turns: 1, Rounds: 1, Speed: 0.1, TurnSpeed: 2}
		r.ui.act = func(q string) string {
			if strings.Contains(q, "Where is it") {
				time.Sleep(time.Minute)
			}
			return ""
		}
		path := filepath.Join(t.TempDir(), "j")
		j := r.interrupted(path, "wheels", "Where is it", func(ctx context.Context, j *Journal) error {
			j.Plan = plan
			return r.robot.DriveRuns(ctx, r.ui, Typed{r.ui}, j)
		})
		r.ui.act = nil
		if len(j.Runs) != 0 || j.Pending == nil || len(j.Pending.Turns) < 10 {
			t.Fatalf("%d runs, pending %+v", len(j.Runs), j.Pending)
		}
		driven := *j.Pending
		r.ui.answers = []string{"201 3", "", "again", "", "202 4", "", "0", "", "0"}
		r.must(r.robot.DriveRuns(r.Context(), r.ui, Typed{r.ui}, j))
		if len(j.Runs) != 4 || len(j.Runs[0].Turns) != len(driven.Turns) || j.Runs[0].End.X != 0.201 || j.Runs[1].End.X != 0.202 || j.Pending != nil {
			t.Errorf("%d runs, %+v", len(j.Runs), j.Runs[0].End)
		}
		// What the next one has is one run, also of the one that was driven twice.
		for _, run := range j.Runs[:2] {
			if d := wheels.Nominal().End(run.Turns).X; math.Abs(d-0.2) > 0.005 {
				t.Errorf("%s: %v m", run.Name, d)
			}
		}
	})
}

// TestInterruptedSpin: continued from where it stopped, the result is as good; a robot whose wheels turned meanwhile is
// refused.
func TestInterruptedSpin(t *testing.T) {
	world := "boxes:\n  - {position: [0.062, 0], size: [0.01, 0.4]}\n" + varied
	bubble(t, world, false, func(r *rig) {
		plan := SpinPlan{Rounds: 4, TurnSpeed: 1, Sensor: -1}
		spin := func(ctx context.Context, j *Journal) error {
			_, _, err := r.robot.Spin(ctx, r.ui, plan, j)
			return err
		}
		j := r.interrupted(filepath.Join(t.TempDir(), "j"), "spin", "turned 1.5 of 4", spin)
		seen := len(j.Spin.Samples[0])
		res, g, err := r.robot.Spin(r.Context(), r.ui, plan, j)
		r.must(err)
		near(t, "distance over radius", res.DistanceOverRadius, 0.0555/0.02, 0.0015)
		if seen < 200 || len(j.Spin.Samples[0]) < seen+200 || math.Abs(res.Turns-4.3) > 0.2 {
			t.Errorf("%d samples before, %d in all, %.2f turns", seen, len(j.Spin.Samples[0]), res.Turns)
		}
		r.must(r.robot.drive(r.Context(), g, turn(g, 1.5, 1), nil))
		if _, _, err := r.robot.Spin(r.Context(), r.ui, plan, j); !errors.Is(err, errJournal) {
			t.Errorf("%v", err)
		}
	})
}

// TestInterruptedInfrared: after the offsets, and again at the wall; put before it anew, only what is missing is
// measured, and all of it counts.
func TestInterruptedInfrared(t *testing.T) {
	world := "boxes:\n  - {position: [0.5, 0], size: [0.5, 1]}\nrobots:\n  - {name: r, variation: {infrared: 0.2}}\n"
	bubble(t, world, true, func(r *rig) {
		slant, offsets := 0.03, 0
		r.ui.act = func(q string) string {
			switch {
			case strings.Contains(q, "against"):
				r.must(r.sim.Place(sim.Pose{X: 0.25 - bodyRadius - 1e-5, Theta: slant}))
				slant = -0.05 // the next time it is put otherwise
			case strings.Contains(q, "nothing is within"):
				offsets++
				r.must(r.sim.Place(sim.Pose{X: -0.5}))
			}
			return ""
		}
		plan := DefaultInfraredPlan()
		plan.Distances, plan.TurnSpeed = []float64{0.010, 0.014, 0.02, 0.03, 0.04, 0.055}, 1.5
		run := func(ctx context.Context, j *Journal) error {
			_, err := r.robot.Infrared(ctx, r.ui, plan, j)
			return err
		}
		j := r.interrupted(filepath.Join(t.TempDir(), "j"), "ir", "4 of 6: 30 mm", run)
		if offsets != 1 || j.Infrared.After == nil || len(j.Infrared.Walls) != 1 || len(j.Infrared.Walls[0].Done) != 3 {
			t.Fatalf("%d times offsets, %+v", offsets, j.Infrared)
		}
		done := len(j.Infrared.Walls[0].Done)
		res, err := r.robot.Infrared(r.Context(), r.ui, plan, j)
		r.must(err)
		if offsets != 1 || len(j.Infrared.Walls) != 2 || len(j.Infrared.Walls[1].Done) != len(plan.Distances)-done {
			t.Errorf("%d times offsets, %d walls, %d + %d of %d distances", offsets, len(j.Infrared.Walls), done, len(j.Infrared.Walls[1].Done), len(plan.Distances))
		}
		for i, s := range res.Sensors {
			if s == nil || s.After > 0.002 || s.After > s.Before {
				t.Errorf("ps%d: %+v, %v", i, s, res.Failed[i])
			}
		}
		if _, err := r.robot.Infrared(r.Context(), &person{}, plan, j); err != nil { // who is asked nothing
			t.Errorf("nothing is missing: %v", err)
		}
	})
}

// TestInterruptedInertial: in the gyroscope's turns, between the accelerometer's positions, and while the magnetometer
// turns.
func TestInterruptedInertial(t *testing.T) {
	world := "robots:\n  - {name: r, variation: {inertial: 0.02}}\n"
	bubble(t, world, true, func(r *rig) {
		asked := 0
		r.ui.act = func(q string) string {
			if strings.Contains(q, "level floor, away from iron") {
				r.must(r.sim.Place(sim.Pose{}))
			}
			for name, a := range attitudes {
				if strings.Contains(q, "Place the robot "+name+" ") {
					asked++
					if asked == 3 {
						time.Sleep(time.Hour)
					}
					r.must(r.sim.Tilt(a[0], a[1]))
				}
			}
			return ""
		}
		plan := DefaultInertialPlan()
		run := func(ctx context.Context, j *Journal) error {
			_, err := r.robot.Inertial(ctx, r.ui, plan, j)
			return err
		}
		path := filepath.Join(t.TempDir(), "j")
		j := r.interrupted(path, "imu", "turn 3 of 6", run)
		if len(j.Inertial.Turns) != 2 || len(j.Inertial.Faces) != 0 {
			t.Fatalf("%d turns, %d positions", len(j.Inertial.Turns), len(j.Inertial.Faces))
		}
		j = r.interrupted(path, "imu", "nose up", run)
		if len(j.Inertial.Turns) != 6 || len(j.Inertial.Faces) != 2 {
			t.Fatalf("%d turns, %d positions", len(j.Inertial.Turns), len(j.Inertial.Faces))
		}
		r.ui.said = nil
		j = r.interrupted(path, "imu", "turned 1.0 of 3 rounds", run)
		field := j.Inertial.Field["floor"]
		if len(j.Inertial.Faces) != 6 || field == nil || !(field.Done > 0.1 && field.Done < 0.9) || len(field.Field) < 20 {
			t.Fatalf("%d positions, field %+v", len(j.Inertial.Faces), field)
		}
		begun := len(field.Field)
		res, err := r.robot.Inertial(r.Context(), r.ui, plan, j)
		r.must(err)
		if asked != 7 || strings.Contains(r.ui.text(), "level floor with space") || len(res.Field) < begun+20 {
			t.Errorf("asked %d times, %d + %d fields:\n%s", asked, begun, len(res.Field)-begun, r.ui.text())
		}
		if res.Gyro.After > 0.003 || res.Accel.After > res.Accel.Before/5 || res.Mag.After > 0.9e-6 {
			t.Errorf("%+v, %+v, %+v", res.Gyro, res.Accel, res.Mag)
		}
	})
}

// TestBadJournals: what is no journal, or lacks what it should hold, is refused.
func TestBadJournals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	for _, text := range []string{"", "{", `{"kind":"imu","robot":"r","inertial":{}}`, `{"kind":"imu","robot":"r","infrared":{"walls":[null]}}`,
		`{"kind":"imu","robot":"r","inertial":{"faces":{},"field":{"floor":null}}}`, `{"kind":"imu","robot":"r","inertial":{"faces":{"ten":{}},"field":{}}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenJournal(path, "imu", "r"); !errors.Is(err, errJournal) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := OpenJournal(path+"none", "imu", "r"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
