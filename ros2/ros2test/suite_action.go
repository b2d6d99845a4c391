// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

// servesActions has a client of another process send two goals: one is reached, one ended early. Feedback, states and
// results travel over the transport's topics and services.
func (f *fixture) servesActions() {
	server, err := action.NewServer(f.node(f.join(), "server"), example_interfaces.Fibonacci{}, "count", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{Execute: count})
	if err != nil {
		f.Fatal(err)
	}
	defer server.Close()
	client, err := action.NewClient(f.node(f.join(), "asker"), example_interfaces.Fibonacci{}, "count")
	if err != nil {
		f.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*patience)
	defer cancel()
	if err := client.WaitServer(ctx); err != nil {
		f.Fatal(err)
	}
	f.settle() // feedback is for the client that is there

	var mu sync.Mutex
	told := map[string]int{}
	heard := make(chan struct{}, 100)
	follow := func(who string) func(*example_interfaces.FibonacciFeedback) {
		return func(*example_interfaces.FibonacciFeedback) {
			mu.Lock()
			defer mu.Unlock()
			told[who]++
			select {
			case heard <- struct{}{}:
			default:
			}
		}
	}
	short, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: 3}, follow("short"))
	if err != nil {
		f.Fatal(err)
	}
	if r, err := short.Result(ctx); err != nil || fmt.Sprint(r.Sequence) != "[0 1 2]" {
		f.Errorf("the short goal ends with %v, %v", r, err)
	}
	f.settle()
	mu.Lock()
	if told["short"] != 3 {
		f.Errorf("%d feedbacks of the short goal", told["short"])
	}
	mu.Unlock()
	for len(heard) > 0 {
		<-heard
	}
	endless, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: -1}, follow("endless"))
	if err != nil {
		f.Fatal(err)
	}
	<-heard
	if err := endless.Cancel(ctx); err != nil {
		f.Error(err)
	}
	if _, err := endless.Result(ctx); !errors.Is(err, action.ErrCanceled) {
		f.Errorf("the endless goal ends with %v", err)
	}
}

// count tells of each number up to the order, and below 0 of one, and then waits for its end.
func count(ctx context.Context, g *action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]) (
	*example_interfaces.FibonacciResult, error) {
	r := &example_interfaces.FibonacciResult{}
	for i := range max(g.Goal.Order, 1) {
		r.Sequence = append(r.Sequence, i)
		if err := g.Feedback(&example_interfaces.FibonacciFeedback{Sequence: r.Sequence}); err != nil {
			return r, err
		}
	}
	if g.Goal.Order >= 0 {
		return r, nil
	}
	<-ctx.Done()
	return r, context.Cause(ctx)
}
