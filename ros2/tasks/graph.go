// SPDX-License-Identifier: Apache-2.0

package tasks

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// task is the state of a [Task]. The executor's lock guards it.
type task struct {
	Task
	nodes     []*node
	active    bool
	pending   int // items that run or wait for a thread
	triggered time.Time
}

// node is an item in the graph of its task. The executor's lock guards all but the item.
type node struct {
	Item
	task         *task
	predecessors int
	successors   []*node
	missing      int // predecessors that have not ended since the trigger
	record       record
}

// newTask builds the graph. The error names the items of a cycle.
func newTask(cfg Task) (*task, error) {
	t := &task{Task: cfg}
	byName := map[string]*node{}
	for _, item := range cfg.Items {
		n := &node{Item: item, task: t}
		byName[item.Name] = n
		t.nodes = append(t.nodes, n)
	}
	link := func(before, after *node) {
		if !slices.Contains(before.successors, after) {
			before.successors = append(before.successors, after)
			after.predecessors++
		}
	}
	if cfg.After == nil {
		for i := 1; i < len(t.nodes); i++ {
			link(t.nodes[i-1], t.nodes[i])
		}
	}
	for _, n := range t.nodes { // not over the map: successors start in the order of the items
		for _, m := range t.nodes {
			if slices.Contains(cfg.After[m.Name], n.Name) {
				link(n, m)
			}
		}
	}
	return t, t.checkCycle()
}

// checkCycle removes items without predecessors until none is left.
func (t *task) checkCycle() error {
	missing := map[*node]int{}
	var free []*node
	for _, n := range t.nodes {
		if missing[n] = n.predecessors; n.predecessors == 0 {
			free = append(free, n)
		}
	}
	for len(free) > 0 {
		n := free[0]
		free = free[1:]
		delete(missing, n)
		for _, s := range n.successors {
			if missing[s]--; missing[s] == 0 {
				free = append(free, s)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	var names []string
	for n := range missing {
		names = append(names, n.Name)
	}
	slices.Sort(names)
	return fmt.Errorf("%w: task %q: the items %s wait for each other", ErrConfig, t.Name, strings.Join(names, ", "))
}

// ready reports whether the conditions trigger the task.
func (t *task) ready() bool {
	for _, c := range t.Triggers {
		if c.Ready() != t.All {
			return !t.All
		}
	}
	return t.All
}
