// SPDX-License-Identifier: Apache-2.0

package presence_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/presence"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	errSilent = errors.New("silence")
	epoch     = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

// TestTracker plays a line of answers (+) and failures (-), one every 100 ms, and names the events.
func TestTracker(t *testing.T) {
	for _, c := range []struct {
		cfg  presence.Config
		line string
		want string
	}{
		{presence.Config{}, "+", "found@0"},
		{presence.Config{}, "-", ""},
		{presence.Config{}, "-+", "found@10"}, // the second attempt waits a second
		{presence.Config{}, "+----+----", "found@0"},
		{presence.Config{}, "+-----", "found@0 lost@5"},
		{presence.Config{}, "+-----+", "found@0 lost@5 found@15"},
		{presence.Config{ProbeEvery: 200 * time.Millisecond, LostAfter: 2}, "+--+--", "found@0 lost@2 found@4 lost@6"},
		{presence.Config{ProbeEvery: -1, LostAfter: -1}, "-+-----", "found@10 lost@15"},
	} {
		tr, got := presence.New(c.cfg), ""
		for now, left := 0, c.line; left != "" && now < 100; now++ {
			if !tr.Due(at(100 * now)) {
				continue
			}
			var e presence.Event
			if left[0] == '+' {
				e = tr.Seen()
			} else {
				e = tr.Missed(at(100*now), errSilent)
			}
			if left = left[1:]; e != presence.None {
				got += fmt.Sprintf(" %v@%d", e, now)
			}
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.want {
			t.Errorf("%+v %s: %q, want %q", c.cfg, c.line, got, c.want)
		}
	}
}

// TestBookkeeping: whatever happens, events alternate and the counters add up.
func TestBookkeeping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := presence.New(presence.Config{LostAfter: rapid.IntRange(0, 4).Draw(t, "after")})
		now, was, calls := epoch, false, uint64(0)
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.IntRange(0, 1500).Draw(t, "ms")) * time.Millisecond)
			if !tr.Due(now) {
				if tr.Present() || !tr.Next().After(now) {
					t.Fatalf("not due: present %v, next %v", tr.Present(), tr.Next())
				}
				continue
			}
			calls++
			var e presence.Event
			if rapid.Bool().Draw(t, "good") {
				if e = tr.Seen(); !tr.Present() {
					t.Fatal("absent after an answer")
				}
			} else {
				e = tr.Missed(now, errSilent)
			}
			want := presence.None
			switch {
			case !was && tr.Present():
				want = presence.Found
			case was && !tr.Present():
				want = presence.Lost
			}
			if e != want {
				t.Fatalf("event %v, want %v", e, want)
			}
			if was = tr.Present(); (tr.State() == device.Running) != was {
				t.Fatalf("state %v while present is %v", tr.State(), was)
			}
		}
		s := tr.Stats()
		present := uint64(0)
		if was {
			present = 1
		}
		if s.Good+s.Failed+s.Probes != calls || s.Found-s.Lost != present || (s.LastErr == nil) != (s.Failed+s.Probes == 0) {
			t.Fatalf("%+v after %d calls", s, calls)
		}
	})
}

// TestLose: at once, whatever the patience; of an absent part it is one more attempt.
func TestLose(t *testing.T) {
	tr := presence.New(presence.Config{})
	tr.Seen()
	if e := tr.Lose(epoch, errSilent); e != presence.Lost || tr.Present() || tr.Next() != at(1000) {
		t.Error(e, tr.Present(), tr.Next())
	}
	if e := tr.Lose(at(500), errSilent); e != presence.None || tr.Next() != at(1500) {
		t.Error(e, tr.Next())
	}
	if s := tr.Stats(); s.Lost != 1 || s.Failed != 1 || s.Probes != 1 {
		t.Errorf("%+v", s)
	}
}

func TestNames(t *testing.T) {
	if fmt.Sprint(presence.None, presence.Found, presence.Lost, presence.Restarted, presence.Event(9)) !=
		"none found lost restarted event 9" {
		t.Error(presence.None, presence.Found, presence.Lost, presence.Restarted, presence.Event(9))
	}
}

func TestNoAllocation(t *testing.T) {
	tr := presence.New(presence.Config{})
	if n := testing.AllocsPerRun(100, func() {
		tr.Seen()
		tr.Missed(epoch, errSilent)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A part that stops answering is missed after a few failures and asked for once a second from then on.
func ExampleTracker() {
	tr := presence.New(presence.Config{LostAfter: 2})
	fmt.Println(tr.Seen())
	fmt.Println(tr.Missed(at(50), errSilent))
	fmt.Println(tr.Missed(at(100), errSilent), tr.Due(at(150)), tr.Due(at(1100)))
	// Output:
	// found
	// none
	// lost false true
}
