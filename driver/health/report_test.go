// SPDX-License-Identifier: Apache-2.0

package health

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

var update = flag.Bool("update", false, "write the golden files anew")

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// patient is a robot whose state is given by hand.
type patient struct {
	state Snapshot
	asked int
}

// snapshot copies the state as the driver does: into memory that is used again.
func (p *patient) snapshot(s *Snapshot) {
	p.asked++
	network, all := s.Network[:0], s.Robot.Parts[:0]
	*s = p.state
	s.Network, s.Robot.Parts = append(network, p.state.Network...), append(all, p.state.Robot.Parts...)
}

// report returns a report with a first snapshot of the state at the start.
func (p *patient) report() *Report {
	r := New(Config{Node: "/robot1/epuck_driver", Transport: "memory", Sample: p.snapshot}, start)
	r.Sample(start)
	return r
}

// after returns the message at a time after the start.
func after(r *Report, d time.Duration) (m diagnostic_msgs.DiagnosticArray, whole bool) {
	whole = r.Sample(start.Add(d))
	r.Write(&m)
	return m, whole
}

// whole is a robot that has everything, as it is after n seconds.
func whole(n uint64) Snapshot {
	s := Snapshot{Processor: "I2C 0x1F", HasBus: true, HasBoard: true, HasCamera: true, Level: battery.LevelOK}
	s.Robot = Status{
		Readings: true, WheelsListen: true, Exchange: 6 * time.Millisecond, Cycle: 8 * time.Millisecond,
		Longest: 21 * time.Millisecond, Period: 50 * time.Millisecond, Overruns: 1, Unpublished: 2,
		Bus:    mcu.Stats{Exchanges: 20 * n, Transactions: 21 * n, Retries: 3, Checksum: 1, LastErr: mcu.ErrChecksum},
		Topics: []TopicStatus{{Name: "odom", Subscribers: 1, Messages: 20 * n}, {Name: "scan", Messages: 7}},
		Parts: []PartStatus{
			{Name: "imu", Device: "LSM6DSM at 0x6B", State: device.Running, Readings: 20 * n, Polls: 25 * n, Found: 1, Busy: time.Duration(n) * 10 * time.Millisecond},
			{Name: "tof", State: device.Absent, Polls: n, Failures: n, LastErr: errors.New("no answer")},
			{Name: "battery", Device: "files", State: device.Running, Readings: n, Polls: 2 * n, Found: 1},
		},
	}
	s.Bus = i2c.Stats{Transactions: 40 * n, Busy: time.Duration(n) * 150 * time.Millisecond, Longest: 7 * time.Millisecond}
	s.Bus.Errors[i2c.KindNone+1] = 4
	s.Board = i2c.Stats{Transactions: 2 * n}
	s.Battery = battery.Reading{Robot: battery.Cell{Voltage: 3.9, Charge: 0.75, Connected: true}, Charging: battery.Discharging}
	s.Camera = camera.Status{Device: "/dev/video0", Wanted: true, Open: true, Encoder: "GPU", Frames: 15 * n, Pictures: 30 * n, FrameRate: 15,
		FirstImage: 120 * time.Millisecond, Sinks: []camera.SinkStatus{{Dropped: 2}, {Dropped: 3}}}
	s.Security = ros2.SecurityStatus{Requested: true, Active: true, Enclave: "/epuck1", Authenticated: 2, Programs: 1, Endpoints: 4, Messages: 5}
	s.Network = []ros2.Counter{{Name: "datagrams sent", Value: 100 * n}, {Name: "refused: malformed", Kind: ros2.CountRefused, Value: 3}}
	return s
}

// text writes a message as lines.
func text(m *diagnostic_msgs.DiagnosticArray) string {
	var b strings.Builder
	for _, s := range m.Status {
		fmt.Fprintf(&b, "%d %s: %s [%s]\n", s.Level, s.Name, s.Message, s.HardwareID)
		for _, v := range s.Values {
			fmt.Fprintf(&b, "    %s = %s\n", v.Key, v.Value)
		}
	}
	return b.String()
}

// TestReport: every text and number of the report of a robot with all parts, once healthy and once with faults.
func TestReport(t *testing.T) {
	sick := whole(4)
	sick.Robot.Overruns, sick.Robot.Unpublished = 9, 3
	sick.Robot.Diagnosis = mcu.Diagnosis{Health: mcu.HealthSelector, Text: "turn the selector to 10"}
	sick.Robot.Parts[0].State, sick.Robot.Parts[0].LastErr = device.Absent, errors.New("no answer")
	sick.Level = battery.LevelLow
	sick.Camera.Damaged, sick.Camera.LastError = 15, errors.New("frame cut off")
	sick.Network[1].Value = 503
	sick.Security.Programs, sick.Security.Last = 2, `participant not authenticated, name "intruder"`
	for name, now := range map[string]Snapshot{"healthy": whole(4), "sick": sick} {
		t.Run(name, func(t *testing.T) {
			p := &patient{state: whole(3)}
			r := p.report()
			p.state = now
			m, ok := after(r, time.Second)
			if !ok {
				t.Error("a second is too long")
			}
			file, got := filepath.Join("testdata", name+".txt"), text(&m)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (-update writes it anew):\n%s", file, got)
			}
		})
	}
}

// A robot without buses and camera has no status for them, and one status for each part it has.
func TestReportOfABareRobot(t *testing.T) {
	for _, c := range []struct {
		bus  bool
		want []string
	}{
		{true, []string{StatusLoop, StatusNetwork, StatusRobotBus, StatusMCU}}, {false, []string{StatusLoop, StatusNetwork, StatusMCU}},
	} {
		m, _ := after((&patient{state: Snapshot{HasBus: c.bus}}).report(), time.Second)
		var names []string
		for _, s := range m.Status {
			names = append(names, strings.TrimPrefix(s.Name, "robot1/epuck_driver: "))
			if s.Level != diagnostic_msgs.DiagnosticStatusOK {
				t.Errorf("%+v", s)
			}
		}
		if strings.Join(names, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("statuses %q, want %q", names, c.want)
		}
	}
}

// The first message follows a period after the start, with the rates since.
func TestFirstReportHasTheRatesSinceTheStart(t *testing.T) {
	p := &patient{state: whole(1)}
	r := New(Config{Node: "/r", Sample: p.snapshot}, start)
	if p.asked != 0 {
		t.Errorf("%d snapshots of a robot that has done nothing", p.asked)
	}
	m, comparable := after(r, time.Second)
	if got := m.Status[0].Values[0]; !comparable || got.Value != "20.000" {
		t.Errorf("%s = %s", got.Key, got.Value)
	}
}

// The report is due once a period, keeps its phase when a cycle is late, and skips missed periods.
func TestDue(t *testing.T) {
	r := (&patient{}).report()
	for _, c := range []struct {
		at, early time.Duration
		due       bool
	}{
		{0, 0, false}, {900 * time.Millisecond, 0, false}, {980 * time.Millisecond, 25 * time.Millisecond, true},
		{1010 * time.Millisecond, 0, false}, // the early one was that of the first second
		{2300 * time.Millisecond, 0, true}, {2900 * time.Millisecond, 0, false}, {3 * time.Second, 0, true},
		{10500 * time.Millisecond, 0, true}, {10600 * time.Millisecond, 0, false}, {11 * time.Second, 0, true},
	} {
		now := start.Add(c.at)
		if got := r.Due(now, c.early); got != c.due {
			t.Errorf("after %v: due %v", c.at, got)
		}
		if c.due {
			r.Advance(now)
		}
	}
}

// Snapshots that are not about a second apart are not compared.
func TestSamplesFarApart(t *testing.T) {
	for _, c := range []struct {
		apart time.Duration
		whole bool
	}{
		{-time.Second, false}, {0, false}, {time.Millisecond, true}, {period, true}, {2 * period, true},
		{2*period + 1, false}, {time.Hour, false},
	} {
		p := &patient{}
		if _, ok := after(p.report(), c.apart); ok != c.whole {
			t.Errorf("%v apart: %v", c.apart, ok)
		}
		if p.asked != 2 {
			t.Errorf("%d snapshots, want the first and the present one", p.asked)
		}
	}
}

// Each sample is the earlier one of the next: a counter that does not change any more has rate 0.
func TestRatesAreOfTheLastPeriod(t *testing.T) {
	p := &patient{state: whole(0)}
	r := p.report()
	for i, want := range []string{"20.000", "20.000", "0.000"} {
		p.state = whole(uint64(min(i+1, 2)))
		m, _ := after(r, time.Duration(i+1)*time.Second)
		if got := m.Status[0].Values[0]; got.Key != "rate (Hz)" || got.Value != want {
			t.Errorf("second %d: %s = %s, want %s", i+1, got.Key, got.Value, want)
		}
	}
}

// For all counters, a message has the same statuses and keys, and each raised condition is in its status.
func TestReportProperties(t *testing.T) {
	count := rapid.Uint64Range(0, 1<<40)
	table := map[string]Condition{}
	for _, c := range Conditions() {
		table[c.Code] = c
	}
	rapid.Check(t, func(t *rapid.T) {
		any := func() Snapshot {
			s := whole(count.Draw(t, "seconds"))
			s.Robot.Lost = rapid.Bool().Draw(t, "lost")
			s.Robot.Overruns, s.Robot.Unpublished = count.Draw(t, "overruns"), count.Draw(t, "unpublished")
			s.Robot.Bus.Refused, s.Network[1].Value = count.Draw(t, "refused"), count.Draw(t, "hostile")
			for i := range s.Robot.Parts {
				s.Robot.Parts[i].State = rapid.SampledFrom([]device.State{device.Absent, device.Starting, device.Running, device.Halted}).Draw(t, "state")
				s.Robot.Parts[i].Failures = count.Draw(t, "failures")
			}
			return s
		}
		p := &patient{state: any()}
		r := p.report()
		p.state = any()
		m, _ := after(r, time.Second)
		if len(m.Status) != 10 {
			t.Fatalf("%d statuses", len(m.Status))
		}
		for _, s := range m.Status {
			level := uint8(0)
			for _, v := range s.Values {
				if v.Key != "condition" {
					continue
				}
				c := table[v.Value]
				level = max(level, uint8(c.Severity))
				if !strings.HasSuffix(s.Name, ": "+c.Status) || !strings.Contains(s.Message, c.Text) {
					t.Errorf("%s is in %q: %q", v.Value, s.Name, s.Message)
				}
			}
			if s.Level != level {
				t.Errorf("%s has level %d, its conditions %d", s.Name, s.Level, level)
			}
		}
	})
}

// A message allocates its text only; the other memory is reused.
func TestReportAllocates(t *testing.T) {
	p := &patient{state: whole(3)}
	r := p.report()
	var m diagnostic_msgs.DiagnosticArray
	for range 3 {
		r.Sample(start.Add(time.Second))
		r.Write(&m)
	}
	if n := testing.AllocsPerRun(50, func() { r.Write(&m) }); n > 4 {
		t.Errorf("%v allocations a message", n)
	}
}

// A part's status has its rate and its share of the bus, and a missing part is no fault.
func TestPartEntries(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name string
		p    PartStatus
		want map[string]string
	}{
		{"never there", PartStatus{State: device.Absent, LastErr: boom}, map[string]string{"": "absent", "last error": "none"}},
		{"lost", PartStatus{State: device.Absent, Found: 1, LastErr: boom}, map[string]string{"last error": "boom", "found": "1"}},
		{"starting", PartStatus{State: device.Starting, Found: 1}, map[string]string{"": "starting"}},
		{"halted", PartStatus{State: device.Halted, Found: 1}, map[string]string{"": "switched off"}},
		{"of a state to come", PartStatus{State: device.Halted + 7}, map[string]string{"": "switched off"}},
		{"busy", PartStatus{State: device.Running, Found: 1, Readings: 19, Busy: 250 * time.Millisecond},
			map[string]string{"": "works", "rate (Hz)": "19.000", "bus time (%)": "25.000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &patient{}
			r := p.report()
			c.p.Name = string(parts.Ground)
			p.state.Robot.Parts = []PartStatus{c.p}
			m, _ := after(r, time.Second)
			s := m.Status[len(m.Status)-1]
			for key, want := range c.want {
				if key == "" && s.Level == diagnostic_msgs.DiagnosticStatusOK && s.Message != want {
					t.Errorf("message %q, want %q", s.Message, want)
				}
				for _, v := range s.Values {
					if v.Key == key && v.Value != want {
						t.Errorf("%s = %q, want %q", key, v.Value, want)
					}
				}
			}
		})
	}
}
