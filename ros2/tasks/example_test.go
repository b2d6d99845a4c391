// SPDX-License-Identifier: Apache-2.0

package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// A graph: two detectors use the same image, possibly at the same time, and the tracker runs after both.
func Example() {
	camera := waitset.NewQueue[string](1)
	ctx, stop := context.WithCancel(context.Background())
	var image, lanes, cars string
	e, err := tasks.New(tasks.Config{Threads: 2, Tasks: []tasks.Task{{
		Name:     "perception",
		Triggers: []waitset.Condition{camera},
		Items: []tasks.Item{
			{Name: "camera", Execute: func(context.Context) error { image, _ = camera.Take(); return nil }},
			{Name: "lanes", Execute: func(context.Context) error { lanes = "lanes of " + image; return nil }},
			{Name: "cars", Execute: func(context.Context) error { cars = "cars of " + image; return nil }},
			{Name: "tracker", Execute: func(context.Context) error { fmt.Println(lanes + ", " + cars); stop(); return nil }},
		},
		After: map[string][]string{"lanes": {"camera"}, "cars": {"camera"}, "tracker": {"lanes", "cars"}},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	camera.Put("image 1")
	fmt.Println(e.Run(ctx))
	for _, s := range e.Statistics(nil) {
		fmt.Println(s.Item, s.Execution.Count)
	}
	// Output:
	// lanes of image 1, cars of image 1
	// <nil>
	// camera 1
	// lanes 1
	// cars 1
	// tracker 1
}

// A wrong configuration is an error that names the task and the item.
func ExampleNew() {
	tick := new(waitset.Guard)
	_, err := tasks.New(tasks.Config{Tasks: []tasks.Task{{Name: "control", Triggers: []waitset.Condition{tick}, Items: []tasks.Item{{Name: "steer"}}}}})
	fmt.Println(errors.Is(err, tasks.ErrConfig), err)
	// Output: true tasks: invalid configuration: task "control": item "steer": no Execute
}

// The statistics of an executor's items on /diagnostics, while it runs.
func ExampleNewReporter() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	tick, _ := waitset.NewTicker(node, "control", time.Millisecond)
	ctx, stop := context.WithCancel(context.Background())
	var name atomic.Pointer[string]
	e, _ := tasks.New(tasks.Config{Tasks: []tasks.Task{{
		Name: "control", Triggers: []waitset.Condition{tick},
		Items: []tasks.Item{{Name: "steer", Period: time.Millisecond, Execute: func(context.Context) error { tick.Take(); return nil }}},
	}}})
	defer e.Close()
	_, _ = ros2.Listen(node, "/diagnostics", ros2.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) {
		name.Store(&m.Status[0].Name)
		stop()
	})
	reporter, _ := tasks.NewReporter(node, e, 5*time.Millisecond)
	_ = e.Run(ctx)
	_ = reporter.Close()
	fmt.Println(*name.Load())
	// Output: n: control/steer
}
