// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// fakeTopics are offered or not, as a test says.
type fakeTopics struct {
	err   error
	taken bool // by another part
	open  bool
	opens int
}

func (f *fakeTopics) Open() (bool, error) {
	f.opens++
	if f.err != nil || f.taken {
		return false, f.err
	}
	f.open = true
	return true, nil
}
func (f *fakeTopics) Close() error { f.open = false; return nil }
func (f *fakeTopics) Wanted() bool { return f.open }

// diary is a watcher that records its calls.
type diary struct{ lines []string }

func (d *diary) Measured(s *Slot, _ time.Time) {
	d.lines = append(d.lines, "measured "+string(s.Name()))
}
func (d *diary) Found(s Status)         { d.lines = append(d.lines, fmt.Sprint("came ", s.Found)) }
func (d *diary) Lost(s Status, _ error) { d.lines = append(d.lines, fmt.Sprint("gone ", s.Lost)) }
func (d *diary) NotOffered(_ Status, _ time.Time, e error) {
	d.lines = append(d.lines, "not offered: "+e.Error())
}

// rig is a part that a test brings and takes away, polled every 100 ms.
type rig struct {
	clock     *handClock
	part      *fakePart
	topics    *fakeTopics
	slot      *Slot
	diary     diary
	scheduler *Scheduler
}

func newRig() *rig {
	r := &rig{clock: &handClock{now: epoch}, part: &fakePart{}, topics: &fakeTopics{}}
	r.scheduler = NewScheduler(r.clock.Now, &r.diary)
	r.slot = NewSlot(ToF, r.part, nil, 10, r.topics, r.clock.now)
	r.scheduler.Add(r.slot)
	return r
}

func (r *rig) run(d time.Duration) {
	for end := r.clock.now.Add(d); r.clock.now.Before(end); r.clock.pass(100 * time.Millisecond) {
		r.scheduler.PollAll(r.clock.now, 100*time.Millisecond)
	}
}

func (r *rig) want(t *testing.T, lines string, open bool) {
	t.Helper()
	if got := strings.Join(r.diary.lines, ", "); got != lines || r.topics.open != open || r.slot.Offered() != open || r.slot.Wanted() != open {
		t.Errorf("%q, open %v, offered %v; want %q, %v", got, r.topics.open, r.slot.Offered(), lines, open)
	}
	r.diary.lines = nil
}

// TestTopicsFollowTheirPart: topics are offered when the part is found, stay over a reset, and are withdrawn some
// time after it is lost.
func TestTopicsFollowTheirPart(t *testing.T) {
	r := newRig()
	r.run(time.Second)
	r.want(t, "", false)
	r.part.is = device.Running
	r.run(time.Second)
	r.want(t, "came 1", true)
	r.part.is = device.Starting
	r.run(GoneAfter / 2)
	r.part.is = device.Running
	r.run(time.Second)
	r.want(t, "", true)
	r.part.is = device.Absent
	r.run(GoneAfter + time.Second)
	r.want(t, "gone 1", false)
	r.part.is = device.Running
	r.run(time.Second)
	r.want(t, "came 2", true)
	r.part.err = errBroken
	r.run(3 * GoneAfter)
	r.want(t, "gone 2", false)
	if s := r.scheduler.Statuses(nil); len(s) != 1 || s[0].Found != 2 || s[0].Lost != 2 || s[0].Name != "tof" {
		t.Errorf("%+v", s)
	}
}

// TestTopicsOfASlowPartStay: a slow part is present, and usually the machine is busy.
func TestTopicsOfASlowPartStay(t *testing.T) {
	r := newRig()
	r.part.is = device.Running
	r.run(time.Second)
	r.want(t, "came 1", true)
	guard := &Guard{strict: true, spent: PollBudget}
	r.part.err = guard.Tx(0x29, nil, nil)
	r.run(3 * GoneAfter)
	r.want(t, "", true)
	if s := r.slot.status; s.Failures == 0 || !errors.Is(s.LastErr, ErrSlow) {
		t.Errorf("%+v", s)
	}
}

// TestTopicsAreOfferedAgainAfterAFailure: after a pause, and the part does not count as found before.
func TestTopicsAreOfferedAgainAfterAFailure(t *testing.T) {
	r := newRig()
	r.part.is, r.topics.err = device.Running, errBroken
	r.run(longestPause)
	r.want(t, "not offered: broken", false)
	r.topics.err = nil
	r.run(time.Second)
	r.want(t, "came 1", true)
	if err := r.slot.Withdraw(); err != nil || r.topics.open || r.slot.Withdraw() != nil {
		t.Error(err)
	}
}

// TestTakenTopics: a part whose topics another part has waits without reporting anything.
func TestTakenTopics(t *testing.T) {
	r := newRig()
	r.part.is, r.topics.taken = device.Running, true
	r.run(time.Second)
	r.want(t, "", false)
	r.topics.taken = false
	r.run(200 * time.Millisecond)
	r.want(t, "came 1", true)
}

// TestNews: a measurement is reported to the watcher when it is made, and News reports it once.
func TestNews(t *testing.T) {
	r := newRig()
	r.part.is, r.part.news = device.Running, true
	r.run(100 * time.Millisecond)
	if !r.slot.News() || r.slot.News() {
		t.Error("News")
	}
	r.want(t, "came 1, measured tof", true)
}

// TestPlans: a part that is not wanted is polled once a second, a planned one at its planned time.
func TestPlans(t *testing.T) {
	r := newRig()
	r.part.is = device.Running
	wanted := false
	r.slot.PlanWhenWanted(func() bool { return wanted })
	r.run(10 * time.Second)
	if n := r.scheduler.Statuses(nil)[0].Polls; n < 9 || n > 12 {
		t.Errorf("%d polls in 10 s of a part that is not wanted", n)
	}
	wanted = true
	r.scheduler.Replan()
	before := r.scheduler.Statuses(nil)[0].Polls
	r.run(time.Second)
	if n := r.scheduler.Statuses(nil)[0].Polls - before; n < 9 {
		t.Errorf("%d polls in a second of one that is", n)
	}
	r.slot.Plan(func() time.Time { return r.clock.now.Add(longestPause) })
	before = r.scheduler.Statuses(nil)[0].Polls
	r.run(time.Second)
	if n := r.scheduler.Statuses(nil)[0].Polls - before; n > 0 {
		t.Errorf("%d polls before their time", n)
	}
}

// TestPlansAreAskedSeldom: while no part is due, a control cycle asks none, until Replan is called, as when a plan may have
// changed, or the clock is set back.
func TestPlansAreAskedSeldom(t *testing.T) {
	r := newRig()
	r.part.is = device.Running
	asked, wanted := 0, false
	r.slot.PlanWhenWanted(func() bool { asked++; return wanted })
	r.run(10 * time.Second)
	if asked > 30 {
		t.Errorf("asked %d times in 10 s with 10 polls", asked)
	}
	r.clock.pass(quietPeriod / 4)
	r.scheduler.PollAll(r.clock.now, 100*time.Millisecond)
	wanted = true
	before := r.scheduler.Statuses(nil)[0].Polls
	r.scheduler.Replan()
	if !r.scheduler.PollAll(r.clock.now, 100*time.Millisecond) || r.scheduler.Statuses(nil)[0].Polls != before+1 {
		t.Error("a part that is wanted is not polled with the next cycle")
	}
	wanted = false
	r.run(500 * time.Millisecond)
	r.clock.now = r.clock.now.Add(-time.Hour)
	if !r.scheduler.PollAll(r.clock.now, 100*time.Millisecond) {
		t.Error("not polled after the clock was set back")
	}
}

func TestTopicsOfNames(t *testing.T) {
	if IMUField.Topics() != Mag || Mag.Topics() != Mag || ToF.Topics() != ToF {
		t.Error("the IMU's magnetometer has the topic of the other")
	}
}

// TestPollFirst: a starting part is polled between two cycles; a running one waits for the cycle unless the cycle is
// longer than any period.
func TestPollFirst(t *testing.T) {
	r := newRig()
	const cycle = 50 * time.Millisecond
	limit := func() time.Time { return r.clock.now.Add(40 * time.Millisecond) }
	r.part.is = device.Starting
	r.scheduler.PollAll(r.clock.now, cycle)
	r.clock.pass(startingPause)
	if !r.scheduler.PollFirst(r.clock.now, limit(), cycle) {
		t.Error("a part that is being brought up is not polled")
	}
	if at := r.scheduler.Due(r.clock.now, limit(), cycle); at.Sub(r.clock.now) != startingPause {
		t.Errorf("next step in %v", at.Sub(r.clock.now))
	}
	r.part.is = device.Running
	r.run(time.Second)
	r.clock.pass(100 * time.Millisecond)
	if r.scheduler.PollFirst(r.clock.now, limit(), cycle) {
		t.Error("a part that runs does not wait for the cycle")
	}
	if !r.scheduler.PollFirst(r.clock.now, limit(), time.Minute) {
		t.Error("a part that is due is not polled with all")
	}
	if len(r.scheduler.Slots()) != 1 || r.slot.Topics() != r.topics || r.slot.Name() != ToF {
		t.Error("slots")
	}
}
