// SPDX-License-Identifier: Apache-2.0

package twin_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/acceptance/twin"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// described is a robot of a world file's text.
func described(t *testing.T, fields string) world.Robot {
	t.Helper()
	w, err := sim.ParseWorld([]byte("robots: [{name: other, ground: standard" + fields + "}]"))
	if err != nil {
		t.Fatal(err)
	}
	return w.Robots[0]
}

// test is the report of a robot.
func test(t *testing.T, r world.Robot, seed uint64, faults ...misbuilt.Fault) *report.Report {
	t.Helper()
	robot, err := simulated.Make(r, seed, faults...)
	if err != nil {
		t.Fatal(err)
	}
	results, err := checks.Run(context.Background(), robot.Tested, robot, checks.Options{})
	if err != nil && !errors.Is(err, checks.ErrNotStopped) {
		t.Fatal(err)
	}
	return &report.Report{Results: results}
}

// tolerance is how far a measurement of a twin may be from that of the report: some standard deviations of both tests'
// means. The proximity sensors have a noise of 10 % and the check has 20 samples; shaking is the noise of the
// accelerometer, m/s², of which it has 100 samples and more.
func tolerance(m checks.Measurement, shaking float64) float64 {
	if strings.HasPrefix(m.Name, "noise") {
		return 0.35*m.Value + 0.01
	}
	switch m.Unit {
	case "counts":
		return 25 + 0.12*m.Value
	case "m/s²":
		if strings.Contains(m.Name, "up") { // the chip's scale, which one position does not show
			return 0.15 + 0.5*shaking
		}
		return 0.03 + 0.3*shaking
	case "rad/s":
		return 0.01
	case "steps/s":
		return 7
	case "steps":
		return 20
	case "m":
		return 0.004
	case "V":
		return 0.03
	case "s":
		return 0.051
	}
	return 0.02
}

// untwinned are measurements that are not those of the robot alone, or that a twin does not take over.
func untwinned(name string) bool {
	return strings.HasPrefix(name, "ls") || strings.HasPrefix(name, "sensor that sees") || name == "drop with the wheels turning"
}

// compare checks that a twin's report is like the original.
func compare(t *testing.T, want, got *report.Report) {
	t.Helper()
	shaking := 0.0
	for _, c := range want.Results {
		if v, ok := c.Value("noise of acceleration z"); ok {
			shaking = v
		}
	}
	for i, c := range want.Results {
		for _, m := range c.Measurements {
			v, ok := got.Results[i].Value(m.Name)
			if !untwinned(m.Name) && !(ok && math.Abs(v-m.Value) <= tolerance(m, shaking)) {
				t.Errorf("%s: %s: %.4g %s, the report has %.4g", c.Name, m.Name, v, m.Unit, m.Value)
			}
		}
		if a, b := names(c.Faults), names(got.Results[i].Faults); !slices.Equal(a, b) {
			t.Errorf("%s: faults %q, the report has %q", c.Name, b, a)
		}
	}
}

func names(faults []checks.Fault) (list []string) {
	for _, f := range faults {
		list = append(list, f.Name)
	}
	return list
}

// TestTwinsMeasureWhatTheReportSays: robots that differ from each other, each tested, made again from its report with
// another seed and another name, and tested again.
func TestTwinsMeasureWhatTheReportSays(t *testing.T) {
	for i, c := range []struct {
		fields string
		faults []string
	}{
		{"", nil},
		{", variation: {wheel_radii: [0.0193, 0.0208], infrared: 0.2, inertial: 0.02}, battery: {charge: 0.35}", nil},
		{", battery: {charge: 0.6}", []string{"left-motor-reversed", "gyroscope-biased", "infrared-3-saturated", "tof-offset"}},
		{", variation: {wheel_radii: [0.0205, 0.0196]}", []string{"imu-upside-down", "infrared-order-reversed", "bus-noisy"}},
		{", variation: {wheel_radii: [0.0205, 0.0196]}", []string{"motors-swapped", "steps-doubled", "bus-missing-acknowledge", "microphone-2-dead"}},
		{"", []string{"imu-turned", "imu-noisy", "infrared-6-dead", "ground-dead", "selector-wrong", "button-stuck"}},
		{"", []string{"imu-missing", "tof-short", "counters-swapped", "light-4-dead"}},
	} {
		if !suite.Long && i%3 != 2 {
			continue
		}
		faults, err := misbuilt.FindAll(c.faults...)
		if err != nil {
			t.Fatal(err)
		}
		want := test(t, described(t, c.fields), uint64(10+i), faults...)
		tw, err := twin.Of(want)
		if err != nil {
			t.Fatal(err)
		}
		r := described(t, "")
		r.Name = "epuck"
		tw.Fit(&r)
		faults, err = tw.Faults(r, 3)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.Join(append(c.faults, "of", c.fields), " "), func(t *testing.T) { compare(t, want, test(t, r, 3, faults...)) })
	}
}

func TestReportsWithoutARobotAreRefused(t *testing.T) {
	measured := func(check, name string, v float64) []checks.Result {
		return []checks.Result{{Name: check, Measurements: []checks.Measurement{{Name: name, Value: v}}}}
	}
	for want, results := range map[string][]checks.Result{
		"no measurements": nil,
		"idle: ps0 idle":  measured("idle", "ps0 idle", 1e300),
		"idle: selector":  measured("idle", "selector", 17),
		"timed out":       measured("packets", "share timed out", 0.9),
	} {
		tw, err := twin.Of(&report.Report{Results: results})
		if err == nil {
			_, err = tw.Faults(described(t, ""), 1)
		}
		if !errors.Is(err, twin.ErrReport) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
