// SPDX-License-Identifier: Apache-2.0

package tasks_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// trace lists what ran, in order.
type trace struct {
	mu   sync.Mutex
	list []string
}

func (r *trace) add(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, s)
}

func (r *trace) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.list, " ")
}

// item returns an item that adds its name to the trace.
func (r *trace) item(name string) tasks.Item {
	return tasks.Item{Name: name, Execute: func(context.Context) error {
		r.add(name)
		return nil
	}}
}

// taking returns an item that takes one value of a queue, too.
func (r *trace) taking(name string, q *waitset.Queue[int]) tasks.Item {
	return tasks.Item{Name: name, Execute: func(context.Context) error {
		v, _ := q.Take()
		r.add(fmt.Sprint(name, v))
		return nil
	}}
}

// start runs an executor until the test ends or stop is called.
func start(t testing.TB, cfg tasks.Config) (e *tasks.Executor, stop func()) {
	t.Helper()
	e, err := tasks.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := e.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = func() {
		cancel()
		ended.Wait()
	}
	t.Cleanup(func() {
		stop()
		e.Close()
	})
	return e, stop
}
