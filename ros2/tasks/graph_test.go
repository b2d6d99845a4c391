// SPDX-License-Identifier: Apache-2.0

package tasks_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// In a graph each item starts after those it comes after and as early as the threads allow: here each takes a second.
func TestGraphStartsItemsAsEarlyAsPossible(t *testing.T) {
	for _, c := range []struct {
		threads int
		want    string
	}{{3, "camera@0 imu@0 lidar@0 objects@1 fusion@2 plan@3"}, {1, "camera@0 lidar@1 imu@2 objects@3 fusion@4 plan@5"}} {
		synctest.Test(t, func(t *testing.T) {
			g, r := new(waitset.Guard), &trace{}
			began := time.Now()
			timed := func(name string) tasks.Item {
				return tasks.Item{Name: name, Execute: func(context.Context) error {
					g.Take()
					r.add(fmt.Sprintf("%s@%.0f", name, time.Since(began).Seconds()))
					time.Sleep(time.Second)
					return nil
				}}
			}
			start(t, tasks.Config{Threads: c.threads, Tasks: []tasks.Task{{
				Name: "perception", Triggers: []waitset.Condition{g},
				Items: []tasks.Item{timed("camera"), timed("lidar"), timed("imu"), timed("objects"), timed("fusion"), timed("plan")},
				After: map[string][]string{"objects": {"camera"}, "fusion": {"objects", "lidar", "imu"}, "plan": {"fusion", "fusion"}},
			}}})
			g.Trigger()
			time.Sleep(10 * time.Second)
			got := strings.Fields(r.String())
			if c.threads > 1 {
				slices.Sort(got[:3]) // they start at the same time
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%d threads: %v, want %v", c.threads, got, c.want)
			}
		})
	}
}

// counted is a task of random items that checks its own order: by how often each item has run.
type counted struct {
	rounds int
	after  map[string][]string
	done   chan struct{}

	mu    sync.Mutex
	runs  []int
	wrong []string
}

// item returns item i, which takes a value if it is the first of its round.
func (c *counted) item(i int, q *waitset.Queue[int]) tasks.Item {
	return tasks.Item{Name: strconv.Itoa(i), Execute: func(context.Context) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if slices.Max(c.runs) == slices.Min(c.runs) {
			q.Take()
		}
		for _, name := range c.after[strconv.Itoa(i)] {
			before, err := strconv.Atoi(name)
			if err != nil || c.runs[before] != c.runs[i]+1 {
				c.wrong = append(c.wrong, fmt.Sprintf("%d ran the %dth time after %d had run %d times", i, c.runs[i]+1, before, c.runs[before]))
			}
		}
		if c.runs[i]++; slices.Min(c.runs) == c.rounds {
			close(c.done)
		}
		return nil
	}}
}

// drawGraph draws edges from lower to higher numbers, and an order of the items.
func drawGraph(t *rapid.T) (after map[string][]string, order []int) {
	after = map[string][]string{}
	for i := range rapid.IntRange(1, 8).Draw(t, "items") {
		order = append(order, i)
		for j := range i {
			if rapid.Bool().Draw(t, "edge") {
				after[strconv.Itoa(i)] = append(after[strconv.Itoa(i)], strconv.Itoa(j))
			}
		}
	}
	return after, rapid.Permutation(order).Draw(t, "order")
}

// In random graphs, on one to four threads, no item starts before those it comes after have ended, each runs once per
// trigger, and the task does not overlap itself.
func TestRandomGraphsKeepTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		after, order := drawGraph(t)
		c := &counted{rounds: 5, after: after, runs: make([]int, len(order)), done: make(chan struct{})}
		q := waitset.NewQueue[int](c.rounds)
		var items []tasks.Item
		for _, i := range order {
			items = append(items, c.item(i, q))
		}
		e, err := tasks.New(tasks.Config{Threads: rapid.IntRange(1, 4).Draw(t, "threads"), Tasks: []tasks.Task{{
			Name: "t", Triggers: []waitset.Condition{q}, Items: items, After: after,
		}}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		ctx, cancel := context.WithCancel(context.Background())
		var ended sync.WaitGroup
		ended.Go(func() { _ = e.Run(ctx) })
		for i := range c.rounds {
			q.Put(i)
		}
		<-c.done
		cancel()
		ended.Wait()
		if len(c.wrong) > 0 || slices.Max(c.runs) != c.rounds {
			t.Errorf("executions %v: %v", c.runs, c.wrong)
		}
	})
}
