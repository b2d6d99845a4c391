// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package targetlevel

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
)

// resting is a robot's computer without programs, and its world's clock.
func resting(t *testing.T, cfg Config) (*computer, *time.Time) {
	t.Helper()
	at := time.Unix(1_000_000_000, 0)
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: func() time.Time { return at }, MaxCatchUp: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := machine.NewRack(at, 1)
	m, err := r.Add(machine.Config{Parameters: cfg.Parameters})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return &computer{robot: sim.RobotsOf[*sim.Firmware](s)[0], machine: m, control: &meter{}}, &at
}

// TestDrainOfRadioAndCamera: they leave the battery what the parameters say; a board that only rests leaves it nothing
// more than the robot's own current.
func TestDrainOfRadioAndCamera(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	const seconds = 600
	charge := func(l armcost.Load, drains bool) float64 {
		cfg := Config{Parameters: p, Load: l}
		own, at := resting(t, cfg)
		begun := *at
		for i := range seconds {
			if drains {
				own.drain(cfg, time.Duration(i+1)*time.Second)
				own.drain(cfg, time.Duration(i+1)*time.Second) // no time passed: it changes nothing
			}
			*at = begun.Add(time.Duration(i+1) * time.Second)
		}
		return own.robot.GroundTruth().Charge * w.Robots[0].Battery.Capacity * core.CellVoltage
	}
	alone := charge(armcost.Load{}, false)
	if rest := charge(armcost.Load{}, true); rest != alone {
		t.Errorf("a board at rest takes %g J more", alone-rest)
	}
	for _, row := range []struct {
		load  armcost.Load
		watts float64
	}{
		{armcost.Load{Radio: true}, p.Parameters["power_radio"].Likely},
		{armcost.Load{Camera: true}, p.Parameters["power_camera"].Likely},
		{armcost.Load{Radio: true, Camera: true}, p.Parameters["power_radio"].Likely + p.Parameters["power_camera"].Likely},
	} {
		if got, want := alone-charge(row.load, true), row.watts*seconds; math.Abs(got-want) > 0.02*want {
			t.Errorf("%+v takes %.2f J, want %.2f", row.load, got, want)
		}
	}
}

// TestReportOfRest: a computer without programs has a report of what its board takes, from when it was switched on.
func TestReportOfRest(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Parameters: p, Load: armcost.Load{Radio: true}}
	own, _ := resting(t, cfg)
	own.begun = 5 * time.Second
	r := own.report(cfg, 15*time.Second)
	want := p.Parameters["power_idle"].Plus(p.Parameters["power_radio"].Interval).Times(10)
	if r.For != 10*time.Second || math.Abs(r.Board.Likely-want.Likely) > 1e-9 || math.Abs(r.Board.High-want.High) > 1e-9 {
		t.Errorf("%+v, want %+v", r, want)
	}
	if r.Share != (armcost.Interval{}) || r.Processor != (armcost.Interval{}) || r.Widest != "" || len(r.Programs) != 0 {
		t.Errorf("%+v", r)
	}
	if now := own.report(cfg, own.begun); math.IsNaN(now.Share.Likely) || now.Board.Likely > 1e-6 {
		t.Errorf("at once: %+v", now)
	}
}

// TestReportForPeople: its numbers are scaled as their units say.
func TestReportForPeople(t *testing.T) {
	r := Report{
		Robot: "r1", For: 2500 * time.Millisecond, Share: armcost.Interval{Low: 0.1, Likely: 0.25, High: 0.5}, Widest: "load_miss", Costliest: "power_core", Sent: 12345,
		Board: armcost.Interval{Low: 1, Likely: 2, High: 3}, Processor: armcost.Interval{Low: 0.25, Likely: 0.5, High: 0.75},
		Control: core.Cycles{Made: 30, Lost: 10, Late: 4, Gap: 61234567},
		Programs: []ProgramReport{{
			machine.Status{Name: "driver", Late: 3, Worst: 1234567},
			armcost.Estimate{Instructions: 5e6, Cycles: armcost.Interval{Low: 6e6, Likely: 7e6, High: 8e6}},
			armcost.Interval{Low: 0.01, Likely: 0.02, High: 0.03},
		}},
	}
	want := `Robot "r1", 2.5 s: 25 (10 to 50) % of the core; widest by load_miss
  driver: 5 M instructions, 7 (6 to 8) M cycles, 2 (1 to 3) %; 3 waits ended more than 1 ms late, the latest by 1.235ms
  control cycles: 30 made, 10 lost (25.0 %), 4 late; longest gap 61.235ms
  energy: 2 (1 to 3) J, of it 0.5 (0.25 to 0.75) J for the programs; 12.35 kB sent; widest by power_core
`
	var text bytes.Buffer
	n, err := r.WriteTo(&text)
	if err != nil || text.String() != want || n != int64(len(want)) {
		t.Errorf("%d, %v:\n%s\nwant:\n%s", n, err, &text, want)
	}
	if _, err := r.WriteTo(full{}); !errors.Is(err, errFull) {
		t.Errorf("to a full disk: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestConfigLacks: what is missing is named before anything is made.
func TestConfigLacks(t *testing.T) {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	programs := func(string) []machine.Program { return nil }
	for what, cfg := range map[string]Config{
		"no world":      {Parameters: p, Programs: programs},
		"no programs":   {World: w, Parameters: p},
		"no parameters": {World: w, Programs: programs},
	} {
		if c, err := New(t.Context(), cfg); !errors.Is(err, errConfig) || c != nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
