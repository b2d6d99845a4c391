// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

const varied = "robots:\n  - {name: r, wheel_distance: 0.0555, variation: {wheel_radii: [0.0202, 0.0198]}}\n"

// TestWheels: squares and straight runs on the simulated robot, over topics alone; the result is set on the running
// driver, whose pose does not jump, and its odometry is then right.
func TestWheels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.json")
	bubble(t, varied, false, func(r *rig) {
		j, err := NewJournal(path, "wheels", "r", time.Now())
		r.must(err)
		j.Plan = SquaresPlan()
		j.Plan.Squares = 2
		r.must(r.robot.DriveRuns(r.Context(), r.ui, r.truth(), j))
		res, err := j.Estimate(r.truth().Reading())
		r.must(err)
		near(t, "left radius", res.Geometry.Left, 0.0202, 0.001)
		near(t, "right radius", res.Geometry.Right, 0.0198, 0.001)
		near(t, "distance", res.Geometry.Distance, 0.0555, 0.001)
		ReportWheels(r.ui, res, j.Geometry)
		t.Log(r.ui.text())

		before := r.driver.Status()
		r.must(r.robot.Set(r.Context(), WheelSettings(res, "r", time.Now())))
		time.Sleep(200 * time.Millisecond)
		after := r.driver.Status()
		if d := math.Hypot(after.X-before.X, after.Y-before.Y); d > 1e-6 || after.Theta != before.Theta {
			t.Errorf("the pose jumped by %v m", d)
		}
		g, err := r.robot.geometry(r.Context())
		r.must(err)
		r.must(r.sim.Place(sim.Pose{}))
		r.must(r.driver.ResetOdometry(r.Context()))
		for _, w := range (WheelsPlan{Squares: 1, Side: 0.4, Speed: 0.08, TurnSpeed: 1.5}).runs(g)[0].segments {
			r.must(r.robot.drive(r.Context(), g, w, nil))
		}
		s, p := r.driver.Status(), r.sim.Pose()
		if d := math.Hypot(s.X-p.X, s.Y-p.Y); d > 0.001 {
			t.Errorf("odometry is %.2f mm off after 1.6 m", 1000*d)
		}
		v, err := r.robot.get(r.Context(), "calibration.wheels", "nothing")
		r.must(err)
		n, err := calibration.ParseNote(v["calibration.wheels"].(string))
		if err != nil || n.Robot != "r" || n.Values[0].Interval <= 0 {
			t.Errorf("%+v, %v", n, err)
		}
		r.requireStopped()
	})
}

// TestInterruptedWheelsResume: the context ends in the middle of a run: the wheels stop, what was measured is kept, and
// a journal that is opened again continues with what is missing.
func TestInterruptedWheelsResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.json")
	bubble(t, varied, false, func(r *rig) {
		j, err := NewJournal(path, "wheels", "r", time.Now())
		r.must(err)
		j.Plan = WheelsPlan{Squares: 1, Side: 0.15, Straights: 1, Straight: 0.2, Speed: 0.1, TurnSpeed: 2}
		ctx, cancel := context.WithTimeout(r.Context(), 25*time.Second) // in the second square
		defer cancel()
		if err := r.robot.DriveRuns(ctx, r.ui, r.truth(), j); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		r.requireStopped()
		again, err := OpenJournal(path, "wheels", "r")
		r.must(err)
		if n := len(again.Runs); n != 1 {
			t.Fatalf("%d runs are kept", n)
		}
		r.must(r.robot.DriveRuns(r.Context(), r.ui, r.truth(), again))
		if len(again.Runs) != 3 || strings.Count(r.ui.text(), "ccw 1 ") != 1 {
			t.Errorf("%d runs in the end:\n%s", len(again.Runs), r.ui.text())
		}
		for _, other := range [][2]string{{"camera", "r"}, {"wheels", "another"}} {
			if _, err := OpenJournal(path, other[0], other[1]); !errors.Is(err, errJournal) {
				t.Errorf("%v: %v", other, err)
			}
		}
	})
}

// TestTypedEnds: a person reads the ends off the sheet, mistypes and is asked again.
func TestTypedEnds(t *testing.T) {
	bubble(t, varied, false, func(r *rig) {
		j, err := NewJournal(filepath.Join(t.TempDir(), "j"), "wheels", "r", time.Now())
		r.must(err)
		j.Plan = WheelsPlan{Straights: 1, Straight: 0.2, Turns: 1, Rounds: 1, Speed: 0.1, TurnSpeed: 2}
		r.ui.answers = []string{"", "200", "ten 5", "203.5 -12.1", "", "3 4", "-2.5", "", "2"}
		r.must(r.robot.DriveRuns(r.Context(), r.ui, Typed{r.ui}, j))
		if e := j.Runs[0].End; math.Abs(e.X-0.2035) > 1e-9 || math.Abs(e.Y+0.0121) > 1e-9 || !j.Runs[0].Position || j.Runs[0].Heading {
			t.Errorf("%+v", j.Runs[0].End)
		}
		if e := j.Runs[1].End; math.Abs(e.Theta+2.5*math.Pi/180) > 1e-9 || j.Runs[1].Position || !j.Runs[1].Heading {
			t.Errorf("%+v", e)
		}
		if !strings.Contains(r.ui.text(), `"ten" is not a number`) {
			t.Error(r.ui.text())
		}
	})
}

// TestStuck: a robot that does not follow its commands is stopped, with an error.
func TestStuck(t *testing.T) {
	bubble(t, varied, false, func(r *rig) {
		g := wheels.Nominal()
		r.must(r.sim.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		err := r.robot.drive(r.Context(), g, forward(g, 0.1, 0.1), nil)
		if !errors.Is(err, ErrSilent) && !errors.Is(err, errStuck) {
			t.Error(err)
		}
		r.must(r.sim.Faults().Hold(vbus.Fault{}))
		time.Sleep(3 * time.Second)
		r.requireStopped()
	})
}

// TestSpinNearAWall: without a ruler, the wheel distance over the radius.
func TestSpinNearAWall(t *testing.T) {
	world := "boxes:\n  - {position: [0.062, 0], size: [0.01, 0.4]}\n" + varied
	bubble(t, world, false, func(r *rig) {
		res, g, err := r.robot.Spin(r.Context(), r.ui, SpinPlan{Rounds: 4, TurnSpeed: 1, Sensor: -1}, &Journal{})
		r.must(err)
		near(t, "distance over radius", res.DistanceOverRadius, 0.0555/0.02, 0.0015)
		r.must(r.robot.Set(r.Context(), SpinSettings(res, g, "r", time.Now())))
		after, err := r.robot.geometry(r.Context())
		r.must(err)
		near(t, "distance", after.Distance, 0.0555, 0.0015)
	})
}

// TestUnlikelyWheels: a robot that was blocked by a wall while its wheels turned has no result.
func TestUnlikelyWheels(t *testing.T) {
	for _, c := range []struct {
		g    wheels.Geometry
		want string
	}{
		{wheels.Nominal(), ""},
		{wheels.Geometry{Left: 0.0203, Right: 0.0197, Distance: 0.0551}, ""},
		{wheels.Geometry{Left: 0.0154, Right: 0.0154, Distance: 0.0437}, "left radius of 15.40 mm"},
		{wheels.Geometry{Left: 0.02, Right: 0.025, Distance: 0.0568}, "right radius"},
		{wheels.Geometry{Left: 0.02, Right: 0.02, Distance: math.NaN()}, "wheel distance"},
	} {
		err := CheckWheels(&wheels.Result{Geometry: c.g})
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, errUnlikely) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.g, err, c.want)
		}
	}
}

func TestPlans(t *testing.T) {
	for _, p := range []WheelsPlan{SquaresPlan(), TurnsPlan()} {
		if err := p.check(); err != nil {
			t.Error(err)
		}
	}
	for _, p := range []WheelsPlan{{}, {Squares: 2, Side: 0.3, Speed: 0.1, TurnSpeed: 1}, {Squares: 2, Side: 0.01, Straights: 1, Straight: 1, Speed: 0.1, TurnSpeed: 1},
		{Squares: 2, Side: 0.3, Straights: 1, Straight: 1, Speed: 1, TurnSpeed: 1}, {Squares: -1}, {Straights: 1, Straight: 1, Turns: 1, Rounds: 99, Speed: 0.1, TurnSpeed: 1}} {
		if err := p.check(); !errors.Is(err, errPlan) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestReadEnds(t *testing.T) {
	f, err := ReadEnds(strings.NewReader("# read on Sunday\nccw 1: 12 -3.5\ncw 1: 1,2,3 # with heading\n"))
	if err != nil {
		t.Fatal(err)
	}
	run := wheels.Run{Name: "cw 1", Kind: wheels.CW}
	if err := f.End(t.Context(), &run); err != nil || run.End.X != 0.001 || !run.Heading {
		t.Errorf("%+v, %v", run, err)
	}
	run.Name = "cw 2"
	if err := f.End(t.Context(), &run); !errors.Is(err, errEnd) {
		t.Error(err)
	}
	if _, err := ReadEnds(strings.NewReader("nonsense\n")); !errors.Is(err, errEnd) {
		t.Error(err)
	}
}
