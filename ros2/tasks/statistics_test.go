// SPDX-License-Identifier: Apache-2.0

package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// timedTask has an item that takes 1, 2, 3 … ms and one after it, once every 10 ms, and the second misses its
// deadline of 4 ms from the third time on.
func timedTask(n *ros2.Node, missed func(time.Duration)) (tasks.Task, error) {
	tick, err := waitset.NewTicker(n, "tick", 10*time.Millisecond)
	if err != nil {
		return tasks.Task{}, err
	}
	count := 0
	return tasks.Task{Name: "control", Triggers: []waitset.Condition{tick}, Items: []tasks.Item{
		{Name: "estimate", Period: 10 * time.Millisecond, Execute: func(context.Context) error {
			tick.Take()
			count++
			time.Sleep(time.Duration(count) * time.Millisecond)
			if count == 5 {
				return errors.New("no measurement")
			}
			return nil
		}},
		{Name: "steer", Period: 10 * time.Millisecond, Deadline: 4 * time.Millisecond, OnMissed: missed, Execute: func(context.Context) error {
			time.Sleep(2 * time.Millisecond)
			return nil
		}},
	}}, nil
}

// The statistics are exact where time is simulated.
func TestStatistics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Namespace: "/robot", Transport: tr})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		var late []time.Duration
		task, err := timedTask(n, func(took time.Duration) { late = append(late, took) })
		if err != nil {
			t.Fatal(err)
		}
		e, stop := start(t, tasks.Config{Tasks: []tasks.Task{task}})
		reporter, err := tasks.NewReporter(n, e, 42*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		var reports []*diagnostic_msgs.DiagnosticArray
		if _, err := ros2.Listen(n, "/diagnostics", ros2.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) { reports = append(reports, m) }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(130 * time.Millisecond)
		if err := reporter.Close(); err != nil {
			t.Error(err)
		}
		stop()
		const ms = time.Millisecond
		s := e.Statistics(nil)
		estimate, steer := s[0], s[1]
		if x := estimate.Execution; estimate.Task != "control" || estimate.Item != "estimate" || x.Min != ms || x.Max != time.Duration(x.Count)*ms ||
			x.Mean != time.Duration(x.Count+1)*ms/2 || x.Last != x.Max {
			t.Errorf("estimate: %+v", estimate)
		}
		if p := estimate.Period; p.Min != 10*ms || estimate.Jitter != p.Max-10*ms || estimate.Errors != 1 || estimate.Latency.Max > 2*ms {
			t.Errorf("estimate: %+v", estimate)
		}
		if x := steer.Execution; x.Min != 2*ms || x.Max != 2*ms || steer.Missed != x.Count-2 || int64(len(late)) != steer.Missed || late[0] != 5*ms {
			t.Errorf("steer: %+v, late %v", steer, late)
		}
		// One report every 42 ms: in the first a deadline was missed, in the second an execution failed.
		if len(reports) != 3 {
			t.Fatalf("%d reports", len(reports))
		}
		for i, want := range []struct {
			item    int
			level   uint8
			message string
		}{{1, diagnostic_msgs.DiagnosticStatusWarn, "1 deadlines missed"}, {0, diagnostic_msgs.DiagnosticStatusError, "1 executions returned an error"}, {0, 0, "OK"}} {
			if got := reports[i].Status[want.item]; got.Level != want.level || got.Message != want.message {
				t.Errorf("report %d: %+v", i, got)
			}
		}
		if first := reports[0].Status[0]; first.Name != "robot/n: control/estimate" || fmt.Sprint(first.Values[0]) != "{executions 3}" {
			t.Errorf("status %+v", first)
		}
	})
}
