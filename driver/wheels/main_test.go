// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var errBroken = errors.New("broken")

// robot is the main processor as far as these tests need it: it keeps the last speeds. Its wheels' counters do not
// change.
type robot struct {
	mu     sync.Mutex
	speeds Speeds
	err    error
	fails  time.Duration // how long it takes to fail
	tries  int
	sent   int
}

func (r *robot) take(w, reply []byte) error {
	if err := r.try(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := mcu.DecodeCommand(w)
	if err != nil {
		return err
	}
	r.sent++
	r.speeds = Speeds{c.Left, c.Right}
	var p [mcu.SensorsSize]byte
	s := mcu.Sensors{Selector: mcu.SelectorPi, Ambient: [8]uint16{4000, 4000, 4000, 4000, 4000, 4000, 4000, 4000}}
	s.Put(&p)
	copy(reply, p[:])
	return nil
}

// try counts a transfer, and gives what it fails with, after the time that takes.
func (r *robot) try() error {
	r.mu.Lock()
	r.tries++
	err, fails := r.err, r.fails
	r.mu.Unlock()
	if err != nil && fails > 0 {
		time.Sleep(fails)
	}
	return err
}

func (r *robot) turn() Speeds {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.speeds
}

// slow sets how long a transfer takes that fails.
func (r *robot) slow(fails time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fails = fails
}

// tried returns the number of transfers.
func (r *robot) tried() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tries
}

func (r *robot) breaks(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

// line is one way to the robot. A transfer on it hangs, before it reaches the robot, while the line is held.
type line struct {
	*robot
	mu   sync.Mutex
	held chan struct{}
}

func (l *line) hang() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = make(chan struct{})
}

func (l *line) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held != nil {
		close(l.held)
		l.held = nil
	}
}

func (l *line) String() string                  { return "line" }
func (l *line) SetSpeed(physic.Frequency) error { return nil }

func (l *line) Tx(_ uint16, w, r []byte) error {
	l.mu.Lock()
	held := l.held
	l.mu.Unlock()
	if held != nil {
		<-held
	}
	return l.take(w, r)
}

// rig is a loop that runs on a robot, with a guard on a line of its own.
type rig struct {
	*Loop
	robot       *robot
	own, second *line
	stop        func()
}

type timer struct{ *time.Timer }

func (t timer) C() <-chan time.Time { return t.Timer.C }

func newLoop(t testing.TB, own, second *line) *Loop {
	guard, err := mcu.New(second, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(Config{
		NewProcessor: processorOn(own), Guard: guard, Period: 50 * time.Millisecond, StopTime: 450 * time.Millisecond,
		Now: time.Now, NewTimer: func(d time.Duration) Timer { return timer{time.NewTimer(d)} },
	})
	if err != nil {
		t.Fatal(err)
	}
	l.SetTimeout(500 * time.Millisecond)
	return l
}

// processorOn returns what makes the main processor on a line.
func processorOn(l *line) func(func(mcu.Event)) (hardware.Processor, error) {
	return func(events func(mcu.Event)) (hardware.Processor, error) {
		return mcu.New(l, &mcu.Opts{OnEvent: events})
	}
}

// start runs the loop; in a synctest bubble.
func start(t testing.TB) *rig {
	robot := &robot{}
	r := &rig{robot: robot, own: &line{robot: robot}, second: &line{robot: robot}}
	r.Loop = newLoop(t, r.own, r.second)
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { r.Run(ctx) })
	group.Go(func() { r.Watch(ctx) })
	var once sync.Once
	r.stop = func() {
		once.Do(func() {
			cancel()
			group.Wait()
		})
	}
	t.Cleanup(func() {
		r.own.release()
		r.second.release()
		r.stop()
	})
	return r
}

// events returns the kinds of the queued events.
func (r *rig) events() (kinds []EventKind) {
	for {
		select {
		case w := <-r.Events():
			kinds = append(kinds, w.Kind)
		default:
			return kinds
		}
	}
}
