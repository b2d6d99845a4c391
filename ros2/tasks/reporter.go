// SPDX-License-Identifier: Apache-2.0

package tasks

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Reporter publishes the statistics of an executor on /diagnostics: a status for each item, named "node: task/item",
// with times in seconds. Its level is an error if an execution returned one since the last message, a warning if a
// deadline was missed.
type Reporter struct {
	e      *Executor
	node   *ros2.Node
	pub    *ros2.Publisher[diagnostic_msgs.DiagnosticArray]
	ticker *ros2.Ticker
	now    []Statistics
	before []Statistics
}

// NewReporter publishes once each period, which is 1 s in ROS 2's own nodes. Close it or its node when done.
func NewReporter(n *ros2.Node, e *Executor, period time.Duration) (*Reporter, error) {
	r := &Reporter{e: e, node: n}
	var err error
	if r.pub, err = ros2.NewPublisher[diagnostic_msgs.DiagnosticArray](n, "/diagnostics", ros2.DefaultQoS()); err != nil {
		return nil, err
	}
	if r.ticker, err = ros2.NewTicker(n, "diagnostics of tasks", period, r.publish); err != nil {
		return nil, errors.Join(err, r.pub.Close())
	}
	return r, nil
}

func (r *Reporter) publish(time.Time) {
	r.before, r.now = r.now, r.e.Statistics(r.before[:0])
	if !r.pub.HasSubscribers() {
		return
	}
	m := diagnostic_msgs.DiagnosticArray{Status: r.statuses()}
	m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(r.node.Clock().Now())
	if err := r.pub.Publish(&m); err != nil {
		r.node.Logger().Warn("the diagnostics of the tasks were not published", slog.Any("error", err))
	}
}

func (r *Reporter) statuses() []diagnostic_msgs.DiagnosticStatus {
	var all []diagnostic_msgs.DiagnosticStatus
	for i := range r.now {
		now, before := &r.now[i], Statistics{}
		if i < len(r.before) {
			before = r.before[i]
		}
		d := diagnostic_msgs.DiagnosticStatus{
			Level: diagnostic_msgs.DiagnosticStatusOK, Message: "OK",
			Name: strings.TrimPrefix(r.node.FullName(), "/") + ": " + now.Task + "/" + now.Item,
		}
		switch failed, missed := now.Errors-before.Errors, now.Missed-before.Missed; {
		case failed > 0:
			d.Level, d.Message = diagnostic_msgs.DiagnosticStatusError, fmt.Sprintf("%d executions returned an error", failed)
		case missed > 0:
			d.Level, d.Message = diagnostic_msgs.DiagnosticStatusWarn, fmt.Sprintf("%d deadlines missed", missed)
		}
		d.Values = values(now)
		all = append(all, d)
	}
	return all
}

// values lists the statistics of an item.
func values(s *Statistics) []diagnostic_msgs.KeyValue {
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
	list := []diagnostic_msgs.KeyValue{
		{Key: "executions", Value: strconv.FormatInt(s.Execution.Count, 10)},
		{Key: "errors", Value: strconv.FormatInt(s.Errors, 10)},
		{Key: "deadlines missed", Value: strconv.FormatInt(s.Missed, 10)},
		{Key: "jitter (s)", Value: seconds(s.Jitter)},
	}
	for _, d := range []struct {
		name string
		Durations
	}{{"latency", s.Latency}, {"execution time", s.Execution}, {"period", s.Period}} {
		list = append(list,
			diagnostic_msgs.KeyValue{Key: d.name + ", minimum (s)", Value: seconds(d.Min)},
			diagnostic_msgs.KeyValue{Key: d.name + ", mean (s)", Value: seconds(d.Mean)},
			diagnostic_msgs.KeyValue{Key: d.name + ", maximum (s)", Value: seconds(d.Max)})
	}
	return list
}

// Close stops publishing.
func (r *Reporter) Close() error { return errors.Join(r.ticker.Close(), r.pub.Close()) }
