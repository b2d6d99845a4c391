// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// The programs of docs/explanation/ros2.md. TestDocs keeps both the same.

func ExampleNewPublisher() {
	transport := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	pub, err := ros2.NewPublisher[chatter](node, "chatter", ros2.LatchedQoS())
	if err != nil {
		log.Fatal(err)
	}
	if err := pub.Publish(&chatter{Text: "hello"}); err != nil {
		log.Fatal(err)
	}
	if pub.HasSubscribers() { // one atomic load: ask before you build something large
		fmt.Println("there are subscribers")
	}
	subscribeExample(node)
	// Output: 1 hello
}

func subscribeExample(node *ros2.Node) {
	sub, err := ros2.NewSubscription(node, "chatter", ros2.TFStaticListenerQoS(), func(m *chatter, info ros2.MessageInfo) {
		fmt.Println(info.Sequence, m.Text)
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sub.Close()
}

func ExampleNewLoaningPublisher() {
	transport := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	sub, err := ros2.NewLoanedSubscription(node, "chatter", ros2.DefaultQoS(), func(l ros2.Loan[chatter], info ros2.MessageInfo) {
		fmt.Println(info.Sequence, l.Message().Text)
		l.Return() // now, or from any goroutine later
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sub.Close()
	pub, err := ros2.NewLoaningPublisher[chatter](node, "chatter", ros2.DefaultQoS())
	if err != nil {
		log.Fatal(err)
	}
	loan := pub.Borrow()
	loan.Message().Text = "hello"
	if err := pub.Publish(&loan); err != nil {
		log.Fatal(err)
	}
	// Output: 1 hello
}

type (
	goal     = example_interfaces.FibonacciGoal
	result   = example_interfaces.FibonacciResult
	feedback = example_interfaces.FibonacciFeedback
)

func Example_action() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	ctx := context.Background()
	server, err := action.NewServer(node, example_interfaces.Fibonacci{}, "fibonacci", action.Config[goal, result, feedback]{
		Overlap: action.Replace, // a new goal ends the one at work early
		Execute: func(ctx context.Context, g *action.Goal[goal, feedback]) (*result, error) {
			r := &result{Sequence: []int32{0, 1}}
			for n := 2; n < int(g.Goal.Order); n++ {
				if err := context.Cause(ctx); err != nil { // a client cancels the goal
					return r, err
				}
				r.Sequence = append(r.Sequence, r.Sequence[n-1]+r.Sequence[n-2])
				if err := g.Feedback(&feedback{Sequence: r.Sequence}); err != nil {
					return r, err
				}
			}
			return r, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	fibonacci, err := action.NewClient(node, example_interfaces.Fibonacci{}, "fibonacci")
	if err != nil {
		log.Fatal(err)
	}
	sent, err := fibonacci.Send(ctx, &goal{Order: 5}, func(f *feedback) { fmt.Println("so far", f.Sequence) })
	if err != nil {
		log.Fatal(err)
	}
	end, err := sent.Result(ctx)
	fmt.Println(end.Sequence, err)
	// Output:
	// so far [0 1 1]
	// so far [0 1 1 2]
	// so far [0 1 1 2 3]
	// [0 1 1 2 3] <nil>
}

func ExampleNewService() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	_, err := ros2.NewService(node, echo{}, "echo", func(ctx context.Context, request *chatter) (*chatter, error) {
		return &chatter{Text: request.Text + "!"}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	client, err := ros2.NewClient(node, echo{}, "echo")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	response, err := client.Call(ctx, &chatter{Text: "hello"})
	fmt.Println(response.Text, err)
	// Output: hello! <nil>
}

func ExampleParameters() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	speed, err := node.DeclareParameter(ros2.ParameterDescriptor{
		Name: "max_speed", Default: ros2.DoubleValue(0.1), FloatRange: ros2.FloatBetween(0, 0.15),
		Description: "m/s",
	})
	if err != nil {
		log.Fatal(err)
	}
	node.Parameters().OnChange(func(e ros2.ParameterEvent) {
		for _, p := range e.Changed {
			fmt.Println(p.Name, "is now", p.Value)
		}
	})
	fmt.Println(speed.Double())
	_ = node.Parameters().SetAtomically(ros2.Parameter{Name: "max_speed", Value: ros2.DoubleValue(0.12)})
	// Output:
	// 0.1
	// max_speed is now 0.12
}

func ExampleListen() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	pub, _ := ros2.NewPublisher[chatter](node, "chatter", ros2.DefaultQoS())
	if _, err := ros2.Listen(node, "chatter", ros2.DefaultQoS(), func(m *chatter) { fmt.Println(m.Text) }); err != nil {
		log.Fatal(err)
	}
	sub, messages, err := ros2.NewChannel[chatter](node, "chatter", ros2.DefaultQoS())
	if err != nil {
		log.Fatal(err)
	}
	_ = pub.Publish(&chatter{Text: "hello"})
	r := <-messages
	fmt.Println(r.Message.Text, r.Info.Sequence)
	_ = sub.Close() // closes the channel
	_, open := <-messages
	fmt.Println(open)
	// Output:
	// hello
	// hello 1
	// false
}

func ExampleNewLifecycle() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	life, err := ros2.NewLifecycle(node, ros2.LifecycleCallbacks{
		Configure: func(context.Context) error { fmt.Println("open the device"); return nil },
		Activate:  func(context.Context) error { fmt.Println("begin to work"); return nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range []string{"configure", "activate"} { // or "ros2 lifecycle set", or a launch file
		if err := life.Change(context.Background(), step); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(life.Active(), life.State())
	// Output:
	// open the device
	// begin to work
	// true active
}

func ExampleOnRequestedIncompatibleQoS() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	pub, _ := ros2.NewPublisher[chatter](node, "scan", ros2.SensorDataQoS())
	defer pub.Close()
	sub, err := ros2.Listen(node, "scan", ros2.LatchedQoS(), func(*chatter) {},
		ros2.OnRequestedIncompatibleQoS(func(e ros2.IncompatibleQoSInfo) {
			fmt.Println("nothing comes from", e.Remote.Node.FullName(), "for its", e.Policies)
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer sub.Close()
	// Output: nothing comes from /n for its reliability, durability
}

func ExampleBestAvailableQoS() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	pub, _ := ros2.NewPublisher[chatter](node, "scan", ros2.SensorDataQoS())
	defer pub.Close()
	sub, err := ros2.Listen(node, "scan", ros2.BestAvailableQoS(), func(*chatter) {})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sub.QoS())
	// Output: best effort, volatile, keep last 10
}

func ExampleNewSharedPublisher() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	pub, err := ros2.NewSharedPublisher[chatter](node, "image", ros2.SensorDataQoS())
	if err != nil {
		log.Fatal(err)
	}
	image := &chatter{Text: "large"}
	_, _ = ros2.Listen(node, "image", ros2.SensorDataQoS(), func(m *chatter) {
		fmt.Println(m == image) // the message itself, not a copy
	})
	_ = pub.Publish(image) // image is the subscriptions' now
	// Output: true
}

func Example_executor() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e := executor.NewSingleThreaded()
	group := e.NewGroup(executor.Exclusive)
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport, Callbacks: group})
	if err != nil {
		log.Fatal(err)
	}
	tick, err := ros2.NewTicker(node, "control", 50*time.Millisecond, func(at time.Time) { fmt.Println("control") })
	if err != nil {
		log.Fatal(err)
	}
	err = e.Spin(ctx) // until ctx ends
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	fmt.Println(tick.Name())
	// Output: control
}
