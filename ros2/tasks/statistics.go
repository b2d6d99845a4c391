// SPDX-License-Identifier: Apache-2.0

package tasks

import "time"

// Durations summarizes measured times.
type Durations struct {
	Count                int64
	Last, Min, Mean, Max time.Duration
	sum                  time.Duration
}

func (d *Durations) add(v time.Duration) {
	d.Count++
	d.Last = v
	if d.Count == 1 {
		d.Min, d.Max = v, v
	}
	d.Min, d.Max = min(d.Min, v), max(d.Max, v)
	d.sum += v
	d.Mean = d.sum / time.Duration(d.Count)
}

// Statistics are the measurements of one item since the executor was created.
type Statistics struct {
	Task, Item string
	// Latency is from the trigger of the task to the start of the item, Execution from its start to its end, and Period
	// from one start to the next.
	Latency, Execution, Period Durations
	// Jitter is the greatest deviation of a period from Item.Period; 0 without it.
	Jitter time.Duration
	// Errors and Missed count executions that returned an error or missed the deadline.
	Errors, Missed int64
}

// record collects the statistics of an item.
type record struct {
	Statistics
	began time.Time // of the latest execution
}

func (r *record) add(n *node, triggered, began, ended time.Time, failed, missed bool) {
	r.Latency.add(began.Sub(triggered))
	r.Execution.add(ended.Sub(began))
	if !r.began.IsZero() {
		period := began.Sub(r.began)
		r.Period.add(period)
		if n.Period > 0 {
			r.Jitter = max(r.Jitter, (period - n.Period).Abs())
		}
	}
	r.began = began
	if failed {
		r.Errors++
	}
	if missed {
		r.Missed++
	}
}

// Statistics appends the statistics of all items to into, in the order of the tasks and items.
func (e *Executor) Statistics(into []Statistics) []Statistics {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.tasks {
		for _, n := range t.nodes {
			s := n.record.Statistics
			s.Task, s.Item = t.Name, n.Name
			into = append(into, s)
		}
	}
	return into
}
