// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// player is a lockstep that runs, and what it did.
type player struct {
	*fleet.Lockstep
	mu    sync.Mutex
	ages  []time.Duration
	late  []string
	ended chan error
	stop  context.CancelFunc
}

func (p *player) seen() (ages []time.Duration, late []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.ages), slices.Clone(p.late)
}

// play begins a lockstep; each step calls to.
func play(t *testing.T, n *ros2.Node, cfg fleet.LockstepConfig, to func(age time.Duration) error) *player {
	t.Helper()
	p := &player{ended: make(chan error, 1)}
	cfg.Node, cfg.Step = n, 10*time.Millisecond
	cfg.OnLate = func(waits string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.late = append(p.late, waits)
	}
	var err error
	if p.Lockstep, err = fleet.NewLockstep(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	p.stop = stop
	go func() {
		p.ended <- p.Run(ctx, func(age time.Duration) error {
			p.mu.Lock()
			p.ages = append(p.ages, age)
			p.mu.Unlock()
			return to(age)
		})
	}()
	return p
}

func (p *player) end(t *testing.T) {
	t.Helper()
	p.stop()
	if err := errors.Join(<-p.ended, p.Close()); err != nil {
		t.Error(err)
	}
}

func lockstepNode(t *testing.T, tr ros2.Transport, name string) *ros2.Node {
	t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: tr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// No step before every named node is there and can answer; each next step when the answer to the one before has
// arrived, however late. What it waits for is reported.
func TestLockstepWaitsForAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := ros2test.NewNetwork()
		here, there := net.NewTransport(), net.NewTransport()
		defer here.Close()
		defer there.Close()
		n := lockstepNode(t, here, "simulation")
		p := play(t, n, fleet.LockstepConfig{WaitFor: []string{"/brain"}, Answers: []string{"cmd_vel"}}, func(time.Duration) error { return nil })
		defer p.end(t)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got := p.Status().String(); got != "time: lockstep waits for node /brain, a publisher of /cmd_vel (6s)" {
			t.Error(got)
		}
		brain := lockstepNode(t, there, "brain")
		synctest.Wait()
		if ages, late := p.seen(); len(ages) != 0 || !slices.Equal(late, []string{"node /brain, a publisher of /cmd_vel"}) {
			t.Errorf("ages %v, late %q", ages, late)
		}
		command, err := ros2.NewPublisher[std_msgs.String](brain, "cmd_vel", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		for step := range 20 {
			synctest.Wait()
			if ages, _ := p.seen(); len(ages) != step+1 || ages[step] != time.Duration(step+1)*10*time.Millisecond {
				t.Fatalf("after %d answers: ages %v", step, ages)
			}
			time.Sleep(time.Duration(step) * 500 * time.Millisecond) // ever slower: no time is lost
			if got := p.Status().Waits; got != "a message on /cmd_vel" {
				t.Fatalf("it waits for %q", got)
			}
			if err := command.Publish(&std_msgs.String{}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if _, late := p.seen(); len(late) != 1+10 {
			t.Errorf("late %q", late)
		}
	})
}

// A node that says by a service that it has taken a step lets the next one begin, and hears which one it was. A call
// before the first step is refused; two services are two that are waited for.
func TestLockstepWaitsForCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := ros2test.NewNetwork()
		here, there := net.NewTransport(), net.NewTransport()
		defer here.Close()
		defer there.Close()
		n, brain := lockstepNode(t, here, "simulation"), lockstepNode(t, there, "brain")
		p := play(t, n, fleet.LockstepConfig{WaitFor: []string{"/eyes"}, Services: []string{"/done", "seen"}}, func(time.Duration) error { return nil })
		defer p.end(t)
		clients := map[string]*ros2.Client[std_srvs.TriggerRequest, std_srvs.TriggerResponse]{}
		for _, name := range []string{"/done", "/seen"} {
			c, err := ros2.NewClient(brain, std_srvs.Trigger{}, name)
			if err != nil {
				t.Fatal(err)
			}
			clients[name] = c
		}
		call := func(name string) *std_srvs.TriggerResponse {
			t.Helper()
			r, err := clients[name].Call(t.Context(), &std_srvs.TriggerRequest{})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return r
		}
		if r := call("/done"); r.Success || r.Message != "no step has begun yet" {
			t.Errorf("%+v", r)
		}
		lockstepNode(t, there, "eyes")
		synctest.Wait()
		for step, age := range []string{"0.01", "0.02", "0.03"} {
			if got := p.Status().Waits; got != "a call of /done, a call of /seen" {
				t.Fatalf("it waits for %q", got)
			}
			if r := call("/seen"); !r.Success || r.Message != age {
				t.Errorf("%+v", r)
			}
			if got := p.Status().Waits; got != "a call of /done" {
				t.Errorf("it waits for %q", got)
			}
			if r := call("/done"); !r.Success || r.Message != age {
				t.Errorf("%+v", r)
			}
			if ages, _ := p.seen(); len(ages) != step+2 {
				t.Errorf("after step %d: %v", step, ages)
			}
		}
	})
}

// An answer that comes while the step is at work counts, one from before does not.
func TestAnswersWithinAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		n := lockstepNode(t, tr, "n")
		pub, err := ros2.NewPublisher[std_msgs.String](n, "done", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		if err := pub.Publish(&std_msgs.String{}); err != nil {
			t.Fatal(err)
		}
		p := play(t, n, fleet.LockstepConfig{Answers: []string{"/done"}}, func(age time.Duration) error {
			if age < 50*time.Millisecond {
				return pub.Publish(&std_msgs.String{})
			}
			return nil
		})
		defer p.end(t)
		synctest.Wait()
		if ages, _ := p.seen(); len(ages) != 5 {
			t.Errorf("ages %v", ages)
		}
	})
}

func TestLockstepReturnsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		n := lockstepNode(t, tr, "n")
		broken := errors.New("broken")
		p := play(t, n, fleet.LockstepConfig{}, func(age time.Duration) error {
			if age == 30*time.Millisecond {
				return broken
			}
			return nil
		})
		if err := <-p.ended; !errors.Is(err, broken) || p.Close() != nil {
			t.Errorf("error %v", err)
		}
		p.stop()
		for _, cfg := range []fleet.LockstepConfig{{Node: n}, {Step: 1}, {Node: n, Step: 1, Answers: []string{"a b"}}, {Node: n, Step: 1, Services: []string{"a b"}}} {
			if _, err := fleet.NewLockstep(cfg); err == nil {
				t.Errorf("%+v is taken", cfg)
			}
		}
	})
}
