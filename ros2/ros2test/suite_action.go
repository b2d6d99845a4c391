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

// servesActions: a client of another process sends two goals, of which one succeeds and one is canceled. Feedback,
// states and results are sent over the transport's topics and services.
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
	ctx, cancel := context.WithTimeout(context.Background(), 10*callTimeout)
	defer cancel()
	if err := client.WaitServer(ctx); err != nil {
		f.Fatal(err)
	}
	f.settle() // so that the client is matched with the feedback

	var mu sync.Mutex
	reports := map[string]int{}
	heard := make(chan struct{}, 100)
	follow := func(who string) func(*example_interfaces.FibonacciFeedback) {
		return func(*example_interfaces.FibonacciFeedback) {
			mu.Lock()
			defer mu.Unlock()
			reports[who]++
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
	if reports["short"] != 3 {
		f.Errorf("%d feedback messages of the short goal", reports["short"])
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

// count publishes each number up to the order as feedback; below 0 it publishes one, and waits for cancellation.
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
