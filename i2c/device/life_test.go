// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

var errSilent = errors.New("silence")

// fickle is a chip without a bus that answers or fails.
type fickle struct {
	*Chip
	answer error
	asked  int
	step   Step
}

func newFickle(t interface{ Fatal(...any) }, o Opts) *fickle {
	f := &fickle{}
	f.step = Step{Do: func() error { f.asked++; return f.answer }, Tries: 1}
	c, err := NewWithoutBus("fickle", Found(f.step), o)
	if err != nil {
		t.Fatal(err)
	}
	f.Chip = c
	return f
}

// poll polls the chip and returns "found" or "lost" if it appeared or disappeared.
func (f *fickle) poll(now time.Time) (event string, err error) {
	was := f.state == Running
	running, err := f.Poll(now)
	if running && was {
		_, err = f.Do(now, &f.step)
	}
	switch is := f.state == Running; {
	case is && !was:
		return "found", err
	case was && !is:
		return "lost", err
	}
	return "", err
}

// TestPostponed: a postponed transaction is not a failure of the chip, during its bring-up and later.
func TestPostponed(t *testing.T) {
	b := &registers{}
	c := newChip(t, b, &plan{lists: [][]Step{writes(6)}}, Opts{Budget: 4})
	b.broken = fmt.Errorf("busy: %w", ErrPostponed)
	for i := range 20 {
		if running, err := c.Poll(at(i)); running || !errors.Is(err, ErrPostponed) {
			t.Fatalf("running %v, %v", running, err)
		}
	}
	b.broken = nil
	for i := 20; c.State() != Running; i++ {
		if i > 30 {
			t.Fatal("not running")
		}
		if _, err := c.Poll(at(i)); err != nil {
			t.Fatal(err)
		}
	}
	b.broken = fmt.Errorf("busy: %w", ErrPostponed)
	for i := range 20 {
		if running, _ := c.Poll(at(100 + i)); !running || !errors.Is(c.Tx(at(100+i), 0, []byte{1}, nil), ErrPostponed) {
			t.Fatal("it is lost")
		}
	}
	if s := c.Stats(); s.FailedStarts+s.Losses != 0 || s.LastErr != nil {
		t.Errorf("%+v", s)
	}
}

// TestFoundAndLost plays a sequence of answers (+) and failures (-), one every 100 ms, and checks the events.
func TestFoundAndLost(t *testing.T) {
	patient := Opts{}.WithDefaults(5, time.Second)
	for _, c := range []struct {
		opts Opts
		line string
		want string
	}{
		{patient, "+", "found@0"},
		{patient, "-", ""},
		{patient, "-+", "found@10"}, // the second attempt waits a second
		{patient, "+----+----", "found@0"},
		{patient, "+-----", "found@0 lost@5"},
		{patient, "+-----+", "found@0 lost@5 found@15"},
		{Opts{RetryInterval: 200 * time.Millisecond}.WithDefaults(2, time.Second), "+--+--", "found@0 lost@2 found@4 lost@6"},
		{Opts{Tries: 2}, "+--+", "found@0 lost@2 found@3"}, // without a pause
	} {
		f := newFickle(t, c.opts)
		var log []string
		for now, left := 0, c.line; left != "" && now < 100; now++ {
			f.answer = nil
			if left[0] == '-' {
				f.answer = errSilent
			}
			before := f.asked
			e, err := f.poll(at(100 * now))
			if f.asked > before {
				left = left[1:]
			}
			if !errors.Is(err, f.answer) && err != nil {
				t.Error(err)
			}
			if e != "" {
				log = append(log, fmt.Sprintf("%s@%d", e, now))
			}
		}
		if got := strings.Join(log, " "); got != c.want {
			t.Errorf("%+v %s: %q, want %q", c.opts, c.line, got, c.want)
		}
	}
}

// TestCounters: with any sequence of answers no access is early, and the counters are consistent.
func TestCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFickle(t, Opts{Tries: rapid.IntRange(0, 4).Draw(t, "tries")}.WithDefaults(5, time.Second))
		shown, now, running := f.Shown(), at(0), 0
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.IntRange(0, 1500).Draw(t, "ms")) * time.Millisecond)
			f.answer = nil
			if rapid.Bool().Draw(t, "silent") {
				f.answer = errSilent
			}
			before, next := f.asked, shown.Next()
			e, err := f.poll(now)
			if asked := f.asked > before; asked == now.Before(next) || !asked && err != nil {
				t.Fatalf("asked %v at %v, next %v, %v", asked, now, next, err)
			}
			switch e {
			case "found":
				running++
			case "lost":
				running--
			}
			if shown.Present() != (running == 1) || (shown.State() == Running) != shown.Present() {
				t.Fatalf("%v after %q", shown.State(), e)
			}
		}
		if s := shown.Stats(); int(s.Starts-s.Losses) != running || s.LastErr != nil && !errors.Is(s.LastErr, errSilent) {
			t.Fatalf("%+v", s)
		}
	})
}

// TestSplit: the two halves of a step are two transactions; when the second one fails, the first is made again.
func TestSplit(t *testing.T) {
	b := &registers{}
	b.mem[7] = 0x77
	var got byte
	split := Step{Write: []byte{7}, Read: 1, Split: true, Pause: 30 * time.Millisecond, Check: func(r []byte) error {
		got = r[0]
		return nil
	}}
	// A bus without registers: it answers reads with the one that was written last.
	bus := &pointer{registers: b}
	c, err := NewChip("split", bus, 0x42, &plan{lists: [][]Step{{split}}}, Opts{})
	if err != nil {
		t.Fatal(err)
	}
	c.OneByOne()
	var log []string
	b.fail = map[int]error{1: system.EREMOTEIO}
	for ms := 0; c.State() != Running && ms < 200; ms += 10 {
		before := b.count
		next := c.Shown().Next()
		_, _ = c.Poll(at(ms))
		if b.count > before {
			log = append(log, fmt.Sprint(ms))
		}
		if b.count > before+1 || b.count > before && at(ms).Before(next) {
			t.Errorf("at %d ms: %d transactions, not before %v", ms, b.count-before, next)
		}
	}
	if s := strings.Join(log, " "); s != "0 10 40 50" || got != 0x77 {
		t.Errorf("%s, register 7 is %#02x", s, got)
	}
}

// pointer is a chip without a repeated start.
type pointer struct {
	*registers
	reg byte
}

func (p *pointer) Tx(addr uint16, w, r []byte) error {
	if len(w) > 0 {
		p.reg = w[0]
		return p.registers.Tx(addr, w, nil)
	}
	return p.registers.Tx(addr, []byte{p.reg}, r)
}

// TestRestart: a chip that is set up again was not lost, and does not wait.
func TestRestart(t *testing.T) {
	f := newFickle(t, Opts{})
	if e, _ := f.poll(at(0)); e != "found" {
		t.Fatal(e)
	}
	f.Rest(at(500))
	if f.Due(at(499)) || !f.Due(at(500)) || f.Shown().Next() != at(500) {
		t.Error("Rest")
	}
	f.Restart()
	if e, _ := f.poll(at(1)); e != "found" || f.Stats().Losses != 0 || f.Stats().Starts != 2 {
		t.Errorf("%q %+v", e, f.Stats())
	}
	if f.Shown().String() != "fickle" || f.Shown().Halt() != nil || f.Name() != "fickle" {
		t.Error(f.Shown())
	}
	if err := f.Readable(false); !errors.Is(err, ErrNoReading) || f.Readable(true) != nil {
		t.Error(err)
	}
	if err := f.Halt(); err != nil || !errors.Is(f.Readable(true), ErrHalted) || !f.Shown().Next().IsZero() {
		t.Error(err)
	}
}
