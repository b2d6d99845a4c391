// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// reportOf returns what a ClockPublisher reports of processors once.
func reportOf(t *testing.T, cores []core.Report) (status string, health *diagnostic_msgs.DiagnosticArray) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: 1})
		if err != nil {
			t.Fatal(err)
		}
		w, err := sim.LoadWorld("plane")
		if err != nil {
			t.Fatal(err)
		}
		s, err := sim.New(w, sim.Options{Now: p.Now})
		if err != nil {
			t.Fatal(err)
		}
		transport := ros2test.NewTransport()
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "simulation", Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		clockPub, err := fleet.NewClockPublisher(node, p, s)
		if err != nil {
			t.Fatal(err)
		}
		clockPub.ReportCores(func() []core.Report { return cores })
		if _, err := ros2.NewSubscription(node, "/diagnostics", ros2.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros2.MessageInfo) { health = m }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		clockPub.Tick()
		status = clockPub.Status()
		for _, c := range []interface{ Close() error }{clockPub, node, transport} {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return status, health
}

// TestProcessorsAreReported: each robot's processor has a status with its share and its cycles, a warning where it does
// not have the time, and the line names the fullest.
func TestProcessorsAreReported(t *testing.T) {
	share := func(v float64) armcost.Interval { return armcost.Interval{Low: v / 2, Likely: v, High: 2 * v} }
	status, health := reportOf(t, []core.Report{
		{Robot: "idle", How: "the table", Share: share(0.011), Control: core.Cycles{Made: 100, Gap: 50 * time.Millisecond}, Callbacks: 3},
		{Robot: "lost", How: "0.1 s a callback", Share: share(0.97), Control: core.Cycles{Made: 50, Lost: 48, Late: 49, Gap: 100 * time.Millisecond}, Dropped: 7},
		{Robot: "full", Share: share(0.96), Control: core.Cycles{Made: 100}},
	})
	if !strings.Contains(status, " | core of lost 97.0 %, 48 cycles lost | ") {
		t.Errorf("status %q", status)
	}
	if len(health.Status) != 4 {
		t.Fatalf("%+v", health)
	}
	values := func(i int) string {
		var b strings.Builder
		for _, v := range health.Status[i].Values {
			b.WriteString(v.Key + "=" + v.Value + ";")
		}
		return b.String()
	}
	for i, want := range []struct {
		level   uint8
		message string
		values  []string
	}{
		{diagnostic_msgs.DiagnosticStatusOK, "it has time", []string{"share of the core (%)=1.10;", "lowest (%)=0.55;", "highest (%)=2.20;", "callbacks=3;", "what is charged=the table;", "(ms)=50.0;"}},
		{diagnostic_msgs.DiagnosticStatusWarn, "control cycles are lost", []string{"control cycles lost=48;", "control cycles late=49;", "control cycles=50;", "callbacks dropped=7;"}},
		{diagnostic_msgs.DiagnosticStatusWarn, "busy all the time", []string{"control cycles lost=0;"}},
	} {
		s := health.Status[i+1]
		if s.Level != want.level || !strings.Contains(s.Message, want.message) || s.Name != "simulation: processor of "+s.HardwareID {
			t.Errorf("%+v", s)
		}
		for _, v := range want.values {
			if !strings.Contains(values(i+1), v) {
				t.Errorf("%s: %q is not in %s", s.Name, v, values(i+1))
			}
		}
	}
	if status, health := reportOf(t, nil); strings.Contains(status, "core") || len(health.Status) != 1 {
		t.Errorf("without processors: %q, %+v", status, health)
	}
}
