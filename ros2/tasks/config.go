// SPDX-License-Identifier: Apache-2.0

package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/thread"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// ErrConfig means that tasks do not fit together.
var ErrConfig = errors.New("tasks: invalid configuration")

// Item is an executable item.
type Item struct {
	// Name is unique within the task.
	Name string
	// Execute runs to completion. ctx ends when the executor stops. After an error the items that come after this one
	// do not run until the task is triggered again.
	Execute func(ctx context.Context) error
	// Period is how often the item is expected to start; 0 if that is not known. It determines the jitter of the
	// statistics only.
	Period time.Duration
	// Deadline is how long after the trigger of the task the item must have ended; 0 for none.
	Deadline time.Duration
	// OnMissed is called after each missed deadline, on the thread of the item; nil for nothing. took is the time since
	// the trigger.
	OnMissed func(took time.Duration)
}

// Task is executable items that run because of the same conditions. It is triggered again only after all items have
// ended.
type Task struct {
	// Name is unique.
	Name string
	// Triggers are the conditions, which must belong to no wait set or other task.
	Triggers []waitset.Condition
	// All requires all triggers to be ready; by default one is enough.
	All bool
	// Items run one after another, unless After is set.
	Items []Item
	// After makes the task a graph: the items, by name, that must have ended before an item starts. Items that are not
	// ordered by it may run at the same time on an executor of several threads, and start in their order here.
	After map[string][]string
}

// Config configures an [Executor].
type Config struct {
	Tasks []Task
	// Threads is how many items may run at a time; it defaults to 1.
	Threads int
	// Thread is the policy, priority and processors of each thread.
	Thread thread.Config
	// OnError is called with the error of an item, on its thread; nil to count it only.
	OnError func(task, item string, err error)
}

// validate checks what build does not.
func (c *Config) validate() error {
	if c.Threads < 0 {
		return fmt.Errorf("%w: %d threads", ErrConfig, c.Threads)
	}
	if err := c.Thread.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	names := map[string]bool{}
	for i := range c.Tasks {
		t := &c.Tasks[i]
		if names[t.Name] {
			return fmt.Errorf("%w: two tasks are called %q", ErrConfig, t.Name)
		}
		names[t.Name] = true
		if err := t.validate(); err != nil {
			return fmt.Errorf("%w: task %q: %w", ErrConfig, t.Name, err)
		}
	}
	return nil
}

func (t *Task) validate() error {
	switch {
	case len(t.Triggers) == 0:
		return errors.New("no trigger")
	case len(t.Items) == 0:
		return errors.New("no item")
	}
	names := map[string]bool{}
	for _, item := range t.Items {
		switch {
		case names[item.Name]:
			return fmt.Errorf("two items are called %q", item.Name)
		case item.Execute == nil:
			return fmt.Errorf("item %q: no Execute", item.Name)
		case item.Period < 0 || item.Deadline < 0:
			return fmt.Errorf("item %q: period %v, deadline %v: must not be negative", item.Name, item.Period, item.Deadline)
		}
		names[item.Name] = true
	}
	for name, before := range t.After {
		for _, other := range append(slices.Clone(before), name) {
			if !names[other] {
				return fmt.Errorf("the graph names an item %q that does not exist", other)
			}
		}
	}
	return nil
}
