// SPDX-License-Identifier: Apache-2.0

package core

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// TestEnergy: the board's energy is what its parts take, each with its range, and the widest is named.
func TestEnergy(t *testing.T) {
	for _, c := range []struct {
		load    armcost.Load
		seconds float64
		sent    int
		widest  string
	}{
		{armcost.Load{}, 0.001, 0, "power_idle"},
		{armcost.Load{}, 0.05, 0, "power_core"},
		{armcost.Load{Camera: true}, 0.001, 0, "power_camera"},
		{armcost.Load{Radio: true}, 0.001, 20e6, "energy_sent"},
	} {
		b := newBench(t, constant(c.seconds), c.load)
		b.pass(t, 10*time.Second, nil)
		if c.sent > 0 {
			b.send(message{}, c.sent)
		}
		r := b.Report()
		busy := math.Min(200*c.seconds, 10)
		want := 4.25 + 0.255*busy
		if c.load.Camera {
			want += 4.4
		}
		if c.load.Radio {
			want += 1.25 + 1.6e-7*float64(c.sent+headers)
		}
		if math.Abs(r.Board.Likely-want) > 0.02*want || r.Widest != c.widest || !(r.Board.Low < r.Board.Likely && r.Board.Likely < r.Board.High) {
			t.Errorf("%+v, %g s: %+v by %s, want %.3f by %s", c.load, c.seconds, r.Board, r.Widest, want, c.widest)
		}
		if math.Abs(r.Processor.Likely-0.255*busy) > 0.02 {
			t.Errorf("processor %+v", r.Processor)
		}
	}
}

// TestSentWithoutRadio: bytes that stay inside take nothing.
func TestSentWithoutRadio(t *testing.T) {
	b := newBench(t, constant(0), armcost.Load{})
	b.send(message{}, 1e9)
	b.pass(t, time.Second, nil)
	if r := b.Report(); math.Abs(r.Board.Likely-0.425) > 1e-9 {
		t.Errorf("%+v", r.Board)
	}
}

func TestReportForPeople(t *testing.T) {
	r := Report{
		Robot: "r1", How: "hand", For: 2500 * time.Millisecond, Share: armcost.Interval{Low: 0.1, Likely: 0.25, High: 0.5}, Widest: "power_core",
		Board: armcost.Interval{Low: 1, Likely: 2, High: 3}, Processor: armcost.Interval{Low: 0.25, Likely: 0.5, High: 0.75},
		Control: Cycles{Made: 30, Lost: 10, Late: 4, Gap: 61234567}, Callbacks: 7, Dropped: 2,
	}
	want := `Robot "r1", 2.5 s: 25 (10 to 50) % of the core, by hand; 7 callbacks, 2 dropped
  control cycles: 30 made, 10 lost (25.0 %), 4 late; longest gap 61.235ms
  energy: 2 (1 to 3) J, of it 0.5 (0.25 to 0.75) J for the processor's work; widest by power_core
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

func TestBeat(t *testing.T) {
	var b CycleCounter
	if b.Cycles().Share() != 0 {
		t.Error("before the first")
	}
	at := begin
	for _, gap := range []int{0, 50, 52, 70, 80, 150, 1} {
		at = at.Add(time.Duration(gap) * time.Millisecond)
		b.Cycle(at, period)
	}
	want := Cycles{Made: 7, Lost: 1 + 2, Late: 2, Gap: 150 * time.Millisecond}
	if got := b.Cycles(); got != want || math.Abs(got.Share()-0.3) > 1e-9 {
		t.Errorf("%+v, want %+v", got, want)
	}
}
