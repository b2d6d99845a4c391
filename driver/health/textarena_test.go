// SPDX-License-Identifier: Apache-2.0

package health

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

// The statuses contain what was added, for all texts and however often the memory is reused.
func TestTextArenaKeepsWords(t *testing.T) {
	var arena textArena
	arena.prefix = "node: "
	word := rapid.StringN(0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,4}`), rapid.SliceOfN(word, 0, 6), 0, 5).Draw(t, "statuses")
		arena.reset()
		var order []string
		for name, words := range want {
			order = append(order, name)
			arena.status(name, "m-"+name, "h-"+name)
			for i, w := range words {
				arena.word(fmt.Sprint(i), w)
			}
		}
		got := arena.statuses(nil, nil)
		if len(got) != len(order) {
			t.Fatalf("%d statuses, want %d", len(got), len(order))
		}
		for i, name := range order {
			s := got[i]
			if s.Name != "node: "+name || s.Message != "m-"+name || s.HardwareID != "h-"+name || len(s.Values) != len(want[name]) {
				t.Fatalf("%+v", s)
			}
			for k, w := range want[name] {
				if s.Values[k].Key != fmt.Sprint(k) || s.Values[k].Value != w {
					t.Errorf("%s: value %d is %+v, want %q", name, k, s.Values[k], w)
				}
			}
		}
	})
}

func TestTextArenaNumbers(t *testing.T) {
	var arena textArena
	arena.status("s", "", "")
	arena.count("count", 1<<63)
	arena.number("number", -0.12349)
	arena.millis("millis", 1500*time.Microsecond)
	arena.failure("none", nil)
	arena.failure("some", errors.New("bus gone"))
	var got []string
	for _, v := range arena.statuses(nil, nil)[0].Values {
		got = append(got, v.Key+"="+v.Value)
	}
	want := "count=9223372036854775808 number=-0.123 millis=1.500 none=none some=bus gone"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%q, want %q", s, want)
	}
}

// Conditions are added to their own status: the worst sets the level, the first replaces the message, and the
// following are appended. The values of the next status do not change.
func TestTextArenaRaises(t *testing.T) {
	var arena textArena
	arena.status("bus", "works", "")
	arena.word("key", "of bus")
	arena.status("robot", "works", "")
	arena.word("key", "of robot")
	warning := &Condition{Code: "bus.slow", Status: "bus", Severity: severityWarning, Text: "slow"}
	failure := &Condition{Code: "bus.gone", Status: "bus", Severity: severityError, Text: "gone"}
	other := &Condition{Code: "x.y", Status: "elsewhere", Severity: severityError, Text: "never"}
	all := arena.statuses(nil, []*Condition{failure, warning, other})
	bus, robot := all[0], all[1]
	if bus.Level != diagnostic_msgs.DiagnosticStatusError || bus.Message != "gone; slow" || len(bus.Values) != 3 ||
		bus.Values[1].Value != "bus.gone" || bus.Values[2].Value != "bus.slow" {
		t.Errorf("%+v", bus)
	}
	if robot.Level != diagnostic_msgs.DiagnosticStatusOK || robot.Message != "works" || len(robot.Values) != 1 || robot.Values[0].Value != "of robot" {
		t.Errorf("%+v", robot)
	}
}
