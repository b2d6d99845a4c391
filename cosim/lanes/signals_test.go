// SPDX-License-Identifier: Apache-2.0

package lanes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
)

// A program with an offset begins so much later; a phase with a successor is followed by it.
func TestProgramsOfLights(t *testing.T) {
	text, _ := cross(t)
	text = strings.Replace(text, `programID="0" offset="0"`, `programID="0" offset="10"`, 1)
	text = strings.Replace(text, `<phase duration="42" state="GGgg`, `<phase duration="42" next="0" state="GGgg`, 1)
	n, err := lanes.Parse("net.xml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := lanes.NewSignals(n.Light("c"))
	at := func(seconds float64) int {
		s.Advance(time.Duration(seconds * float64(time.Second)))
		_, phase, _ := s.Program()
		return phase
	}
	for _, c := range []struct {
		seconds float64
		phase   int
	}{{0, 2}, {7, 2}, {7.01, 0}, {49, 0}, {49.01, 1}, {52.01, 2}, {94.01, 0}} {
		if got := at(c.seconds); got != c.phase {
			t.Errorf("phase %d at %g s, want %d", got, c.seconds, c.phase)
		}
	}
	for what, err := range map[string]error{
		"a short state":    s.SetState("r", 0),
		"an unknown state": s.SetState(strings.Repeat("x", 18), 0),
		"no phase":         s.Install(&lanes.Program{ID: "p"}, 0, 0),
		"a wrong next": s.Install(&lanes.Program{ID: "p", Phases: []lanes.Phase{
			{Duration: 1, State: strings.Repeat("r", 18), Next: []int{1}}}}, 0, 0),
		"no time left": s.SetRest(-1, 0),
	} {
		if !errors.Is(err, lanes.ErrSignals) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
