// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

// swarm builds four nodes: two sensors with periods that coincide at times, a filter that calls a slow service of the
// fourth node, and publishes a command that the sensors receive.
func swarm(a *application, delay func()) {
	sensors := []*ros2.Node{a.node("left"), a.node("right")}
	filter, planner := a.node("filter"), a.node("planner")
	filterOf(a, filter, delay)
	for i, n := range sensors {
		sensorOf(a, n, i, delay)
	}
	plannerOf(a, planner, delay)
}

func sensorOf(a *application, n *ros2.Node, i int, delay func()) {
	scan, heading := a.says(n, "scan"), i
	a.hears(n, "command", func(s string) {
		delay()
		heading = heading*7 + len(s)
	})
	a.every(n, "measure", time.Duration(20+10*i)*time.Millisecond, func(at time.Time) {
		delay()
		scan(fmt.Sprint(n.Name().Name, at.Nanosecond(), heading))
	})
}

func filterOf(a *application, filter *ros2.Node, delay func()) {
	ask, err := ros2.NewClient(filter, std_srvs.Trigger{}, "plan")
	if err != nil {
		a.t.Fatal(err)
	}
	command, seen := a.says(filter, "command"), 0
	a.hears(filter, "scan", func(s string) {
		delay()
		seen++
		mine := seen
		r, err := ask.Call(context.Background(), &std_srvs.TriggerRequest{})
		if err != nil {
			return // the run has ended
		}
		command(fmt.Sprint(s, mine, seen, r.Message))
	})
}

func plannerOf(a *application, planner *ros2.Node, delay func()) {
	plans := 0
	_, err := ros2.NewService(planner, std_srvs.Trigger{}, "plan", func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		delay()
		plans++
		r := &std_srvs.TriggerResponse{Message: strings.Repeat("x", plans%5)}
		return r, planner.Sleep(ctx, time.Duration(plans%3)*time.Millisecond)
	})
	if err != nil {
		a.t.Fatal(err)
	}
}

// The same nodes run a hundred times: one callback at a time or in parallel, on one processor or several, with random
// delays. The hash of the whole record, with the hashes of all messages, is the same.
func TestHundredRunsAreIdentical(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	runs := 100
	if !suite.Long {
		runs = 10
	}
	var first [sha256.Size]byte
	for i := range runs {
		runtime.GOMAXPROCS(1 + i%4)
		a := newApplication(t, order.Config{Parallel: i%3 == 1}, nil)
		swarm(a, func() {
			for range random(4) {
				runtime.Gosched()
			}
		})
		a.advance(200 * time.Millisecond)
		a.close()
		lines := a.record()
		hash := sha256.Sum256([]byte(strings.Join(lines, "\n")))
		if i == 0 {
			if first = hash; len(lines) < 80 {
				t.Fatalf("only %d callbacks ran", len(lines))
			}
		} else if hash != first {
			t.Fatalf("run %d has another record", i)
		}
	}
}

// When a server closes, clients are notified at once, and their waiting calls end.
func TestServersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApplication(t, order.Config{}, nil)
		defer a.close()
		n, m := a.node("n"), a.node("m")
		c, err := ros2.NewClient(n, std_srvs.Trigger{}, "s")
		if err != nil {
			t.Fatal(err)
		}
		if c.Available() {
			t.Error("a server is there before the first one")
		}
		s, err := ros2.NewService(m, std_srvs.Trigger{}, "s", func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			return &std_srvs.TriggerResponse{}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !c.Available() {
			t.Error("the server is not there")
		}
		other, err := ros2.NewClient(n, std_srvs.SetBool{}, "s")
		if err != nil {
			t.Fatal(err)
		}
		if other.Available() {
			t.Error("the server is one of another type")
		}
		ended := make(chan error, 1)
		a.every(n, "caller", time.Second, func(time.Time) {
			_, err := c.Call(context.Background(), &std_srvs.TriggerRequest{})
			ended <- err
		})
		if err := s.Close(); err != nil || c.Available() {
			t.Errorf("after its end: available %v, %v", c.Available(), err)
		}
		a.advance(time.Second) // the caller waits for a server
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		a.advance(time.Second)
		if err := <-ended; err == nil {
			t.Error("the call has a reply")
		}
	})
}
