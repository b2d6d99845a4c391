// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
)

// Callbacks of a node with a group run when its executor spins, those of one without as messages arrive.
func TestCallbacksOfNode(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), nil)
		var ran record
		first := talk(t, n, "x", func(s string) { ran.add("x " + s) })
		second := talk(t, n, "y", func(s string) { ran.add("y " + s) })
		direct := talk(t, n, "z", func(s string) { ran.add("z " + s) }, ros2.InGroup(nil))
		for i, pub := range []*ros2.Publisher[std_msgs.String]{second, first, direct} {
			publish(t, pub, fmt.Sprint(i))
		}
		ran.expect(t, "before it spins", "z 2")
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		ran.expect(t, "when it has", "z 2", "x 1", "y 0")
	})
}

// A subscription counts the calls of its callback, and after Close there are none.
func TestSubscriptionsOfAnExecutorEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), nil)
		var ran record
		sub, err := ros2.Listen(n, "x", ros2.DefaultQoS().WithDepth(2), func(m *std_msgs.String) { ran.add(m.Data) })
		if err != nil {
			t.Fatal(err)
		}
		pub, err := ros2.NewSharedPublisher[std_msgs.String](n, "x", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			if err := pub.Publish(&std_msgs.String{Data: fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		ran.expect(t, "as many as the depth", "3", "4")
		if got, _ := sub.Received(); got != 2 {
			t.Errorf("received %d, want 2", got)
		}
		if err := pub.Publish(&std_msgs.String{Data: "late"}); err != nil {
			t.Fatal(err)
		}
		if err := sub.Close(); err != nil {
			t.Error(err)
		}
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		ran.expect(t, "after the end", "3", "4")
	})
}

// trigger creates a service and a client of it.
func trigger(t *testing.T, n *ros2.Node, name string, handle func(context.Context) string, opts ...ros2.ServiceOption) *ros2.Client[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	t.Helper()
	_, err := ros2.NewService(n, std_srvs.Trigger{}, name, func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		return &std_srvs.TriggerResponse{Success: true, Message: handle(ctx)}, nil
	}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ros2.NewClient(n, std_srvs.Trigger{}, name, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// executors are those that must not deadlock.
func executors() map[string]*executor.Executor {
	return map[string]*executor.Executor{
		"single": executor.NewSingleThreaded(), "multi": executor.NewMultiThreaded(2), "events": executor.NewEvents(),
		"ordered": executor.NewOrdered(executor.Ordered{}), "logical": executor.NewOrdered(executor.Ordered{LogicalTime: true}),
	}
}

// A callback calls a service of its own executor and of its own group, whose handler calls another: there is no
// deadlock (rclcpp issues 773, 2278), and the callback continues when no other of the group runs.
func TestCallbackCallsService(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				n := node(t, e.NewGroup(executor.Exclusive), nil)
				inner := trigger(t, n, "inner", func(context.Context) string { return "inner" })
				outer := trigger(t, n, "outer", func(ctx context.Context) string {
					r, err := inner.Call(ctx, &std_srvs.TriggerRequest{})
					if err != nil {
						t.Error(err)
						return ""
					}
					return "outer " + r.Message
				})
				done := make(chan string, 1)
				pub := talk(t, n, "x", func(string) {
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					defer cancel()
					r, err := outer.Call(ctx, &std_srvs.TriggerRequest{})
					if err != nil {
						done <- err.Error()
						return
					}
					done <- r.Message
				})
				publish(t, pub, "go")
				stop := spin(t, e)
				if got := <-done; got != "outer inner" {
					t.Errorf("got %q", got)
				}
				stop()
			})
		})
	}
}

// While a callback waits its executor reports it; when its call is cancelled the callback continues.
func TestCallbackContinuesAfterCancelledCall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), nil)
		lonely, err := ros2.NewClient(n, std_srvs.Trigger{}, "absent")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		var ran record
		pub := talk(t, n, "x", func(string) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			_, err := lonely.Call(ctx, &std_srvs.TriggerRequest{})
			done <- err
		})
		other := talk(t, n, "y", ran.add)
		publish(t, pub, "go")
		spin(t, e)
		synctest.Wait()
		if busy := e.Busy(); len(busy) != 1 || !busy[0].Waits || busy[0].Source.Name != "/x" || busy[0].Source.Node.FullName() != "/n" {
			t.Errorf("busy %+v", busy)
		}
		publish(t, other, "meanwhile")
		synctest.Wait()
		ran.expect(t, "while it waits", "meanwhile")
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ros2.ErrNoServer) {
			t.Errorf("the call: %v", err)
		}
	})
}

// Then calls back in the group with the reply, and when the client is closed.
func TestThen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), nil)
		var ran record
		note := func(r *std_srvs.TriggerResponse, err error) {
			if err != nil {
				ran.add(fmt.Sprint(errors.Is(err, ros2.ErrClosed)))
				return
			}
			ran.add(r.Message)
		}
		c := trigger(t, n, "s", func(context.Context) string { return "reply" })
		if err := c.Then(&std_srvs.TriggerRequest{}, note); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the server, then the reply
			ran.expect(t, "before it spins")
			if err := e.SpinSome(); err != nil {
				t.Fatal(err)
			}
		}
		ran.expect(t, "the reply", "reply")
		if err := c.Then(&std_srvs.TriggerRequest{}, note); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		ran.expect(t, "the end", "reply", "true")
		if err := c.Then(&std_srvs.TriggerRequest{}, note); !errors.Is(err, ros2.ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
		absent, err := ros2.NewClient(n, std_srvs.Trigger{}, "absent", ros2.ServiceInGroup(nil))
		if err != nil {
			t.Fatal(err)
		}
		if err := absent.Then(&std_srvs.TriggerRequest{}, note); !errors.Is(err, ros2.ErrNoServer) {
			t.Errorf("without a server: %v", err)
		}
	})
}

// Standard services and /clock work although the executor does not spin, so that a callback of a single-threaded
// executor may sleep on simulated time (rclcpp issue 1542).
func TestStandardServicesDoNotNeedExecutor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		n := node(t, e.NewGroup(executor.Exclusive), nil)
		c, err := ros2.NewClient(n, rcl_interfaces.ListParameters{}, "~/list_parameters", ros2.ServiceInGroup(nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Call(context.Background(), &rcl_interfaces.ListParametersRequest{}); err != nil {
			t.Error(err)
		}
	})
}

func TestCallbackSleepsOnSimulatedTime(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				n := node(t, e.NewGroup(executor.Exclusive), nil)
				if err := n.Parameters().SetAtomically(ros2.Parameter{Name: "use_sim_time", Value: ros2.BoolValue(true)}); err != nil {
					t.Fatal(err)
				}
				clock, err := ros2.NewROSClock(n)
				if err != nil {
					t.Fatal(err)
				}
				defer clock.Close()
				clockPublisher, err := ros2.NewPublisher[rosgraph_msgs.Clock](n, "/clock", ros2.ClockQoS())
				if err != nil {
					t.Fatal(err)
				}
				woke := make(chan time.Time, 1)
				pub := talk(t, n, "x", func(string) {
					timer := clock.NewTimer(10 * time.Millisecond)
					woke <- <-timer.C()
				})
				var m rosgraph_msgs.Clock
				m.Clock.Sec = 1
				if err := clockPublisher.Publish(&m); err != nil {
					t.Fatal(err)
				}
				publish(t, pub, "go")
				stop := spin(t, e)
				synctest.Wait()
				for range 50 {
					m.Clock.Nanosec += 1_000_000
					if err := clockPublisher.Publish(&m); err != nil {
						t.Fatal(err)
					}
				}
				if at := <-woke; !at.Equal(time.Unix(1, 10_000_000)) {
					t.Errorf("woke at %v", at)
				}
				stop()
			})
		})
	}
}

// During a node's Sleep other callbacks of the group run.
func TestOthersRunDuringSleep(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				clock := ros2.NewManualClock(time.Unix(100, 0))
				n := node(t, e.NewGroup(executor.Exclusive), clock)
				var ran record
				trigger := talk(t, n, "x", func(string) {
					if err := n.Sleep(context.Background(), time.Second); err != nil {
						t.Error(err)
					}
					ran.add(fmt.Sprint("slept until ", clock.Now().Unix()))
				})
				other := talk(t, n, "y", ran.add)
				publish(t, trigger, "go")
				publish(t, other, "meanwhile")
				spin(t, e)
				synctest.Wait()
				ran.expect(t, "asleep", "meanwhile")
				clock.Advance(time.Second)
				synctest.Wait()
				ran.expect(t, "awake", "meanwhile", "slept until 101")
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				if err := n.Sleep(ctx, time.Second); !errors.Is(err, context.Canceled) {
					t.Errorf("a sleep without a callback: %v", err)
				}
			})
		})
	}
}
