// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// line is a world of bodies on a line, each of which may touch the next if near is set between them. It logs calls.
type line struct {
	k      Kernel
	now    time.Time
	near   []bool // of member i and the next
	single bool
	moves  bool
	wakes  int64 // the step before which something happens in the idle world, 0: none

	mu  sync.Mutex
	log []string
}

func (l *line) say(format string, a ...any) {
	l.mu.Lock()
	l.log = append(l.log, fmt.Sprintf(format, a...))
	l.mu.Unlock()
}

func (l *line) Sort(noted bool) {
	if !noted {
		l.k.Group()
	}
}

func (l *line) Near(i int) (list []int32) {
	if i > 0 && l.near[i-1] {
		list = append(list, int32(i-1))
	}
	if l.near[i] {
		list = append(list, int32(i+1))
	}
	return list
}

func (l *line) Meet(i int) []int32 { return l.Near(i) }
func (l *line) Idle() bool         { return !l.moves }
func (l *line) Single() bool       { return l.single }
func (l *line) EndCycle(c int64)   { l.say("world %d", c) }
func (l *line) Exchange()          { l.say("exchange %d", l.k.Cycle()) }

func (l *line) Until(target int64) int64 {
	if l.wakes > l.k.Steps() {
		return min(target, l.wakes)
	}
	return target
}

type fake struct {
	l    *line
	name string
	left int64 // Undisturbed
}

func (f *fake) EndCycle(c int64)           { f.l.say("%s cycle %d", f.name, c) }
func (f *fake) Sample(c int64)             { f.l.say("%s sample %d", f.name, c) }
func (f *fake) Think()                     { f.l.say("%s thinks %d", f.name, f.l.k.Cycle()) }
func (f *fake) Idle() bool                 { return !f.l.moves }
func (f *fake) Undisturbed() int64         { return f.left }
func (f *fake) Skip(n int64)               { f.left -= n; f.l.say("%s skips %d", f.name, n) }
func (f *fake) StepMotors(t time.Duration) { f.l.say("%s motors %d", f.name, t/time.Millisecond) }
func (f *fake) StepBody()                  { f.l.say("%s body", f.name) }
func (f *fake) StepSensors()               { f.l.say("%s motion", f.name) }
func (f *fake) SampleSensors(c int64)      { f.l.say("%s sensors %d", f.name, c) }
func (f *fake) Sense()                     {}
func (f *fake) Settled() bool              { return !f.l.moves }
func (f *fake) Waking() bool               { return false }

// newLine makes a world of members: s moves in each step, c once a cycle, l last; a dash between two that may touch.
func newLine(members string) *line {
	l := &line{now: time.Unix(0, 0), moves: true}
	l.k.Init(Config{World: l, Now: func() time.Time { return l.now }, Exchange: 10})
	for i, r := range strings.ReplaceAll(members, "-", "") {
		f := &fake{l: l, name: fmt.Sprintf("%c%d", r, i), left: math.MaxInt64}
		m := Member{Body: f, Last: r == 'l'}
		if r == 's' {
			m.Stepper = f
		}
		l.k.Add(m)
		l.near = append(l.near, false)
	}
	n := -1
	for _, r := range members {
		if r == '-' {
			l.near[n] = true
		} else {
			n++
		}
	}
	return l
}

// run runs the clock and returns what was logged.
func (l *line) run(d time.Duration) []string {
	l.log = nil
	l.now = l.now.Add(d)
	l.k.Reach()
	return l.log
}

func TestMembersOfAnIslandMoveInTheOrderOfTheirTimes(t *testing.T) {
	l := newLine("l-c-s-s")
	l.run(9 * time.Millisecond)
	got := strings.Join(l.run(time.Millisecond), ", ")
	want := "s2 motors 10, s3 motors 10, s2 body, s3 body, s2 motion, s3 motion, s2 cycle 1, s3 cycle 1, c1 cycle 1, l0 cycle 1, " +
		"world 1, s2 sensors 1, s3 sensors 1"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestOnlyIslandsWithSteppersMakePhysicsSteps(t *testing.T) {
	l := newLine("c-cc-ssl")
	l.k.Group()
	var got []string
	for i := range l.k.islands.list {
		island := &l.k.islands.list[i]
		steppers := ""
		for _, s := range l.k.islands.stepped(island) {
			steppers += s.(*fake).name
		}
		got = append(got, fmt.Sprint(l.k.islands.members(i), steppers, island.timings[eachStep]))
	}
	want := []string{"[0 1]false", "[2 3]s3true", "[4]s4true", "[5]false"}
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], "] ", "]")
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where nothing prevents long steps they are made: between two decisions a world moves once, not ten times.
func TestStepsAreLong(t *testing.T) {
	for _, c := range []struct {
		members string
		period  int64
		single  bool
		want    int64
	}{{"cl", 10, false, 100}, {"cl", 3, false, 30}, {"c", 0, false, 100}, {"c", 0, true, 10}, {"cs", 0, false, 10}} {
		l := newLine(c.members)
		l.single = c.single
		if c.period > 0 {
			l.k.AddController(c.period)
		}
		if got := l.k.nextStep(1000); got != c.want {
			t.Errorf("%+v: a step of %d ms", c, got)
		}
		for target, want := range map[int64]int64{3: 3, 10: 10, 13: 10, 29: 20} {
			if got := l.k.nextStep(target); got > want || got <= 0 {
				t.Errorf("%+v: a step of %d ms towards %d ms", c, got, target)
			}
		}
	}
}

func TestARestingWorldIsAdvancedAtOnce(t *testing.T) {
	l := newLine("cs")
	l.moves = false
	want := "s1 motors 3600000, c0 skips 3600000, s1 skips 3600000, c0 sample 1, s1 sample 1, s1 sensors 360000"
	if got := strings.Join(l.run(time.Hour), ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	l.k.bodies[0].(*fake).left, l.wakes = 700, l.k.Steps()+500
	var steps []int64
	for _, e := range l.run(time.Second) {
		var n int64
		if _, err := fmt.Sscanf(e, "c0 skips %d", &n); err == nil {
			steps = append(steps, n)
		}
	}
	if !slices.Equal(steps[:2], []int64{500, 200}) {
		t.Errorf("until something happens, and until the body is disturbed: steps of %v", steps)
	}
}

func TestAMovingWorldSleepsThroughWhatItCantCatchUpWith(t *testing.T) {
	l := newLine("c")
	l.k.cfg.MaxCatchUp = time.Second
	l.run(time.Hour)
	if l.k.Time() != time.Second || l.k.Cycle() != 100 {
		t.Errorf("the world is %v old, in cycle %d", l.k.Time(), l.k.Cycle())
	}
	l.run(time.Second)
	if l.k.Time() != 2*time.Second {
		t.Errorf("a second later %v", l.k.Time())
	}
}

// What happens to each member is the same for any number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.StringMatching("(c-?|s-?|l){40,100}c").Draw(t, "members")
		var want map[string]string
		for workers := 1; workers <= 4; workers++ {
			l := newLine(members)
			l.k.cfg.Workers = workers
			got := map[string]string{}
			for _, e := range l.run(35 * time.Millisecond) {
				name, what, _ := strings.Cut(e, " ")
				got[name] += what + ";"
			}
			if want == nil {
				want = got
			}
			for name := range want {
				if got[name] != want[name] {
					t.Fatalf("%d workers: %s: %s, one: %s", workers, name, got[name], want[name])
				}
			}
		}
	})
}
