// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"
	"time"
)

// chatty says something in some of its steps, and notes what it hears.
type chatty struct {
	says  func(step int) bool
	step  int
	heard []int
}

func (c *chatty) Step(r *Control) {
	if c.says(c.step) {
		_ = r.Say([]byte{byte(c.step)})
	}
	c.heard = append(c.heard, len(r.Heard()))
	c.step++
}

// An exchange of messages in which there is nothing to say is left out; what is said after a silence arrives, once.
func TestMessagesAfterSilence(t *testing.T) {
	w, err := ParseWorld([]byte("robots: [{name: a, level: functional}, {name: b, position: [0.2, 0], level: functional}]\n" +
		"range_and_bearing: {loss: 0}"))
	if err != nil {
		t.Fatal(err)
	}
	clock := NewClock()
	s, err := New(w, Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1})
	if err != nil {
		t.Fatal(err)
	}
	talks := map[int]bool{4: true, 5: true, 9: true}
	speaker, listener := &chatty{says: func(n int) bool { return talks[n] }}, &chatty{says: func(int) bool { return false }}
	for i, c := range []*chatty{speaker, listener} {
		if err := RobotsOf[*Functional](s)[i].SetController(c, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	clock.Sleep(1200 * time.Millisecond)
	s.Elapsed()
	for i, n := range listener.heard {
		want := 0
		if talks[i-1] { // said in one step, heard after the exchange before the next
			want = 1
		}
		if n != want {
			t.Errorf("step %d: %d messages heard, want %d (%v)", i, n, want, listener.heard)
		}
	}
	if len(speaker.heard) != 12 {
		t.Errorf("%d steps, want 12", len(speaker.heard))
	}
}

// TestTraceOfAWorldAtRestIsThatOfOneThatIsComputed: when the world is asked while nothing moves, and whether a
// controller is asked in each cycle, changes nothing in what is recorded, also of a robot that is put elsewhere.
func TestTraceOfAWorldAtRestIsThatOfOneThatIsComputed(t *testing.T) {
	run := func(busy bool, pause time.Duration) [32]byte {
		w, err := ParseWorld([]byte("robots: [{name: r, level: functional}]"))
		if err != nil {
			t.Fatal(err)
		}
		clock := NewClock()
		s, err := New(w, Options{Now: clock.Now, MaxCatchUp: -1, Trace: true})
		if err != nil {
			t.Fatal(err)
		}
		r := RobotsOf[*Functional](s)[0]
		if busy {
			if err := r.SetController(waiting{}, 10*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range []float64{0.1, 0.2} {
			clock.Sleep(pause)
			s.Elapsed()
			clock.Sleep(time.Second - pause)
			if err := r.Place(Pose{X: x}); err != nil {
				t.Fatal(err)
			}
		}
		clock.Sleep(pause)
		return s.TraceHash()
	}
	want := run(true, 330*time.Millisecond)
	for _, pause := range []time.Duration{330 * time.Millisecond, 335 * time.Millisecond, 500 * time.Millisecond} {
		if run(false, pause) != want {
			t.Errorf("asked after %v, the trace is another one", pause)
		}
	}
}
