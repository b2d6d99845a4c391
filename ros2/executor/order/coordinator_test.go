// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// Messages sent at (t, n) arrive at (t, n+1); callbacks of a tag run in the order of their creation, timers first.
func TestMessagesArriveAtNextMicrostep(t *testing.T) {
	a := newApplication(t, order.Config{}, nil)
	defer a.close()
	first, second, third := a.node("first"), a.node("second"), a.node("third")
	out := a.says(second, "out")
	var ran []string
	a.hears(third, "in", func(s string) { ran = append(ran, "third "+s) })
	a.hears(second, "in", func(s string) {
		ran = append(ran, "second "+s)
		out(s)
		ran = append(ran, "sent") // before it arrives
	})
	a.hears(first, "out", func(s string) { ran = append(ran, "first "+s) })
	in := a.says(first, "in")
	a.every(first, "tick", 100*time.Millisecond, func(at time.Time) { in(fmt.Sprint(at.Sub(time.Time{}))) })
	a.advance(250 * time.Millisecond)
	want := []string{"third 100ms", "second 100ms", "sent", "first 100ms", "third 200ms", "second 200ms", "sent", "first 200ms"}
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
	a.expect(
		`0.100000000+0 /first timer "tick" > /in`,
		`0.100000000+1 /third subscription "/in"`,
		`0.100000000+1 /second subscription "/in" > /out`,
		`0.100000000+2 /first subscription "/out"`,
		`0.200000000+0 /first timer "tick" > /in`,
		`0.200000000+1 /third subscription "/in"`,
		`0.200000000+1 /second subscription "/in" > /out`,
		`0.200000000+2 /first subscription "/out"`,
	)
	if now := a.c.Now(); now != (order.Tag{Time: 250 * time.Millisecond}) {
		t.Errorf("now %v", now)
	}
}

// A sleeping callback continues at exactly its time, and others run meanwhile.
func TestSleepEndsAtItsTime(t *testing.T) {
	a := newApplication(t, order.Config{}, nil)
	defer a.close()
	n := a.node("n")
	var woke []time.Duration
	a.every(n, "sleeping", time.Second, func(time.Time) {
		if err := n.Sleep(context.Background(), 10*time.Millisecond); err != nil {
			t.Error(err)
		}
		woke = append(woke, n.Now().Sub(time.Time{}))
	})
	a.every(a.node("other"), "tick", 1005*time.Millisecond, func(time.Time) {})
	a.advance(1005 * time.Millisecond)
	a.advance(1050 * time.Millisecond)
	a.expect(
		`1.000000000+0 /n timer "sleeping"`,
		`1.005000000+0 /other timer "tick"`,
		`1.010000000+0 /n timer "sleep of sleeping"`,
	)
	if !slices.Equal(woke, []time.Duration{1010 * time.Millisecond}) {
		t.Errorf("woke at %v", woke)
	}
}

// chain offers a service whose handler calls another one, on separate nodes.
func chain(a *application) func(ctx context.Context) (string, error) {
	type request = std_srvs.TriggerRequest
	type response = std_srvs.TriggerResponse
	outer, inner, caller := a.node("outer"), a.node("inner"), a.node("caller")
	must := func(err error) {
		if err != nil {
			a.t.Fatal(err)
		}
	}
	_, err := ros2.NewService(inner, std_srvs.Trigger{}, "inner", func(context.Context, *request) (*response, error) {
		return &response{Message: "inner"}, inner.Sleep(context.Background(), time.Millisecond)
	})
	must(err)
	ask, err := ros2.NewClient(outer, std_srvs.Trigger{}, "inner")
	must(err)
	_, err = ros2.NewService(outer, std_srvs.Trigger{}, "outer", func(ctx context.Context, q *request) (*response, error) {
		r, err := ask.Call(ctx, q)
		if err != nil {
			return nil, err
		}
		return &response{Message: "outer " + r.Message}, nil
	})
	must(err)
	call, err := ros2.NewClient(caller, std_srvs.Trigger{}, "outer")
	must(err)
	return func(ctx context.Context) (string, error) {
		r, err := call.Call(ctx, &request{})
		if err != nil {
			return "", err
		}
		return r.Message, nil
	}
}

// A callback calls a service whose handler calls another, which sleeps: there is no deadlock, and the order is
// deterministic.
func TestCallbackCallsServices(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		a := newApplication(t, order.Config{Parallel: parallel}, nil)
		call := chain(a)
		var got string
		var err error
		a.every(a.nodes[2], "tick", time.Second, func(time.Time) { got, err = call(context.Background()) })
		a.advance(1500 * time.Millisecond)
		if err != nil || got != "outer inner" {
			t.Errorf("got %q: %v", got, err)
		}
		a.expect(
			`1.000000000+0 /caller timer "tick"`,
			`1.000000000+1 /outer service "/outer"`,
			`1.000000000+2 /inner service "/inner"`,
			`1.001000000+0 /inner service "sleep of /inner"`,
			`1.001000000+1 /outer reply "/inner"`,
			`1.001000000+2 /caller reply "/outer"`,
		)
		a.close()
	}
}

// A call by a goroutine outside of the order is recorded as from outside.
func TestCallFromOutside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApplication(t, order.Config{}, nil)
		defer a.close()
		call := chain(a)
		done := make(chan error, 1)
		go func() {
			_, err := call(context.Background())
			done <- err
		}()
		synctest.Wait()
		for i := range 3 {
			a.advance(time.Duration(i) * time.Second)
			synctest.Wait()
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if lines := a.record(); len(lines) == 0 || !strings.Contains(lines[0], " outside") {
			t.Errorf("ran %q", lines)
		}
	})
}

// A callback continues when its call's context ends, and all waiting ones when the coordinator is closed.
func TestWaitsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApplication(t, order.Config{}, nil)
		n := a.node("n")
		absent, err := ros2.NewClient(n, std_srvs.Trigger{}, "absent")
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 2)
		a.every(n, "caller", time.Second, func(time.Time) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			_, err := absent.Call(ctx, &std_srvs.TriggerRequest{})
			errs <- err
		})
		a.advance(time.Second)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		a.advance(time.Second)
		if err := <-errs; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the call: %v", err)
		}
		m := a.node("m")
		a.every(m, "sleeping", time.Millisecond, func(time.Time) { errs <- m.Sleep(context.Background(), time.Hour) })
		a.advance(1001 * time.Millisecond)
		a.close()
		if err := <-errs; !errors.Is(err, order.ErrClosed) {
			t.Errorf("the sleep: %v", err)
		}
		if err := a.c.Advance(time.Time{}); !errors.Is(err, order.ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
		if _, err := a.c.NewGroup().Join(ros2.CallbackSource{}); !errors.Is(err, order.ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
		a.c.Close()
	})
}

// plan is a random application: its topics, and what the callbacks do.
type plan struct {
	nodes  int
	edges  [][2]int // publishes node 0's topic to node 1
	period []int    // ms, of each node's timer; 0: none
	sleeps []int    // ms
}

// build creates the nodes of a plan: each sums up what it receives and publishes the sum, at most a few times per
// message.
func (p *plan) build(a *application, delay func()) {
	var says []func(string)
	var nodes []*ros2.Node
	for i := range p.nodes {
		n := a.node(fmt.Sprint("n", i))
		nodes = append(nodes, n)
		says = append(says, a.says(n, fmt.Sprint("from", i)))
	}
	for i, n := range nodes {
		sum := 0
		for _, e := range p.edges {
			if e[1] != i {
				continue
			}
			a.hears(n, fmt.Sprint("from", e[0]), func(s string) {
				delay()
				var hops, value int
				fmt.Sscan(s, &hops, &value)
				sum = sum*31 + value + e[0]
				if p.sleeps[i] > 0 {
					if err := n.Sleep(context.Background(), time.Duration(p.sleeps[i])*time.Millisecond); err != nil {
						return // the run has ended
					}
				}
				if hops < 2 {
					says[i](fmt.Sprint(hops+1, " ", sum))
				}
			})
		}
		if p.period[i] > 0 {
			a.every(n, "tick", time.Duration(p.period[i])*time.Millisecond, func(at time.Time) {
				delay()
				sum++
				says[i](fmt.Sprint("0 ", sum+at.Nanosecond()))
			})
		}
	}
}

func drawPlan(t *rapid.T) *plan {
	p := &plan{nodes: rapid.IntRange(1, 5).Draw(t, "nodes")}
	node := rapid.IntRange(0, p.nodes-1)
	for range rapid.IntRange(0, 4).Draw(t, "edges") {
		p.edges = append(p.edges, [2]int{node.Draw(t, "from"), node.Draw(t, "to")})
	}
	for range p.nodes {
		p.period = append(p.period, rapid.SampledFrom([]int{0, 10, 20, 35}).Draw(t, "period"))
		p.sleeps = append(p.sleeps, rapid.SampledFrom([]int{0, 0, 5}).Draw(t, "sleep"))
	}
	return p
}

// The runs of a random application are identical, with one processor or many, one callback at a time or those of a tag
// in parallel, however long each takes.
func TestRunsRepeatProperty(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		var first []order.Run
		for i := range 3 {
			runtime.GOMAXPROCS(1 + i)
			a := newApplication(t, order.Config{Parallel: i%2 == 1}, nil)
			p.build(a, func() {
				for range random(3) {
					runtime.Gosched()
				}
			})
			a.advance(25 * time.Millisecond)
			a.close()
			if i == 0 {
				first = a.history()
			} else if d := order.Difference(first, a.history()); d != "" {
				t.Fatalf("parallel %v: %s", i%2 == 1, d)
			}
		}
	})
}

// In parallel callbacks of one tag and different nodes overlap; those of one node never do.
func TestParallelOverlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApplication(t, order.Config{Parallel: true}, nil)
		defer a.close()
		meet := make(chan struct{})
		for _, name := range []string{"a", "b"} {
			n := a.node(name)
			inside := 0
			for range 2 {
				a.every(n, "tick", time.Second, func(time.Time) {
					if inside++; inside != 1 {
						t.Error("two of one node at a time")
					}
					select { // blocks if they don't overlap
					case meet <- struct{}{}:
					case <-meet:
					}
					inside--
				})
			}
		}
		a.advance(time.Second)
		if got := len(a.record()); got != 4 {
			t.Errorf("%d ran", got)
		}
	})
}

// Waits names callbacks that take longer than the limit.
func TestWaitsAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApplication(t, order.Config{}, nil)
		defer a.close()
		gate := make(chan struct{})
		a.every(a.node("slow"), "control", time.Second, func(time.Time) { <-gate })
		done := make(chan struct{})
		go func() {
			a.advance(time.Second)
			close(done)
		}()
		time.Sleep(4 * time.Second)
		if w := a.c.Waits(); len(w) != 0 {
			t.Errorf("waits for %q after 4 s", w)
		}
		time.Sleep(3 * time.Second)
		if w := a.c.Waits(); !slices.Equal(w, []string{"timer control of /slow, 7s"}) {
			t.Errorf("waits for %q", w)
		}
		close(gate)
		<-done
		if w := a.c.Waits(); len(w) != 0 {
			t.Errorf("waits for %q at the end", w)
		}
	})
}

// The logical clock's timers wake goroutines outside of the order at their times.
func TestClock(t *testing.T) {
	a := newApplication(t, order.Config{Start: time.Unix(100, 0)}, nil)
	defer a.close()
	clock := a.c.Clock()
	timer := clock.NewTimer(time.Second)
	stopped := clock.NewTimer(time.Second)
	if !stopped.Stop() || stopped.Stop() {
		t.Error("a timer runs once")
	}
	if err := a.c.Advance(time.Unix(102, 0)); err != nil {
		t.Fatal(err)
	}
	if at := <-timer.C(); !at.Equal(time.Unix(101, 0)) {
		t.Errorf("fired at %v", at)
	}
	if timer.Reset(0) || !timer.Reset(time.Second) || !clock.Now().Equal(time.Unix(102, 0)) {
		t.Errorf("now %v", clock.Now())
	}
	if err := a.c.Advance(time.Unix(103, 0)); err != nil {
		t.Fatal(err)
	}
	if at := <-timer.C(); !at.Equal(time.Unix(103, 0)) {
		t.Errorf("fired at %v", at)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := a.c.NewGroup().Sleep(ctx, time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("a sleep outside: %v", err)
	}
}

// The order of the application's messages does not depend on the network: its copies of them are ignored.
func TestOutsideIsMarked(t *testing.T) {
	net := ros2test.NewNetwork()
	inner, far := net.NewTransport(), net.NewTransport()
	defer far.Close()
	a := newApplication(t, order.Config{}, inner)
	defer a.close()
	n := a.node("n")
	reply := a.says(n, "reply")
	a.hears(n, "in", reply)
	in := a.says(n, "in")
	a.every(n, "tick", time.Second, func(time.Time) { in("own") })
	stranger, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	b := &application{t: t, tr: far}
	var heard []string
	b.hears(stranger, "reply", func(s string) { heard = append(heard, s) })
	b.says(stranger, "in")("theirs")
	a.advance(time.Second)
	a.expect(
		`0.000000000+1 /n subscription "/in" outside > /reply`,
		`1.000000000+0 /n timer "tick" > /in`,
		`1.000000000+1 /n subscription "/in" > /reply`,
	)
	if !slices.Equal(heard, []string{"theirs", "own"}) {
		t.Errorf("outside received %q", heard)
	}
}
