// SPDX-License-Identifier: Apache-2.0

package waitset_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// A loop that waits for a topic and the end of its input, without callbacks.
func Example() {
	transport := ros2test.NewTransport() // rmw.New in a program
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	speed, _ := waitset.Subscribe[std_msgs.Float64](node, "speed", ros2.DefaultQoS())
	quit := new(waitset.Guard)
	set, _ := waitset.New(speed, quit)
	defer set.Close()

	publisher, _ := ros2.NewPublisher[std_msgs.Float64](node, "speed", ros2.DefaultQoS())
	for _, v := range []float64{0.1, 0.2} {
		_ = publisher.Publish(&std_msgs.Float64{Data: v})
	}
	quit.Trigger()

	for !quit.Take() {
		if _, err := set.Wait(context.Background(), time.Second); errors.Is(err, waitset.ErrTimeout) {
			fmt.Println("nothing for a second")
		}
	}
	newest, _ := speed.Latest()
	fmt.Println("the newest speed is", newest.Message.Data)
	// Output: the newest speed is 0.2
}

// One goroutine waits for the requests of a service and for the replies of a client.
func ExampleServe() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	server, _ := waitset.Serve(node, std_srvs.Trigger{}, "stop")
	client, _ := waitset.NewClient(node, std_srvs.Trigger{}, "stop")
	set, _ := waitset.New(server, client)
	defer set.Close()

	_ = client.WaitAvailable(context.Background())
	call, _ := client.Send(&std_srvs.TriggerRequest{})
	for {
		_, _ = set.Wait(context.Background(), -1)
		if request, ok := server.Take(); ok {
			_ = request.Respond(&std_srvs.TriggerResponse{Success: true, Message: "stopped"})
		}
		if reply, ok := client.Take(); ok && reply.Call == call {
			fmt.Println(reply.Response.Message)
			return
		}
	}
	// Output: stopped
}

// Messages are lent: publishing and receiving copies and allocates nothing.
func ExampleSubscribeLoaned() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	publisher, _ := ros2.NewLoaningPublisher[std_msgs.Float64](node, "speed", ros2.DefaultQoS())
	speed, _ := waitset.SubscribeLoaned[std_msgs.Float64](node, "speed", ros2.DefaultQoS())

	for _, v := range []float64{0.1, 0.2} {
		loan := publisher.Borrow()
		loan.Message().Data = v
		if err := publisher.Publish(&loan); err != nil {
			fmt.Println(err)
		}
	}
	for received, ok := speed.Take(); ok; received, ok = speed.Take() {
		fmt.Println("speed", received.Loan.Message().Data)
		received.Loan.Return() // its memory is for another message now
	}
	// Output:
	// speed 0.1
	// speed 0.2
}

// A serial port or any other file descriptor wakes the same loop.
func ExampleNewFile() {
	r, w, _ := os.Pipe()
	defer r.Close()
	defer w.Close()
	file, _ := waitset.NewFile(r.Fd(), waitset.Readable) // or waitset.Writable
	defer file.Close()
	set, _ := waitset.New(file)
	defer set.Close()

	_, _ = w.WriteString("$GPGGA")
	_, _ = set.Wait(context.Background(), -1)
	line := make([]byte, 80)
	n, _ := r.Read(line)
	_, err := file.Take() // and wait for more
	fmt.Println(string(line[:n]), err)
	if _, err := waitset.NewFile(r.Fd(), 0); errors.Is(err, waitset.ErrDirection) {
		fmt.Println("a file needs a direction")
	}
	// Output:
	// $GPGGA <nil>
	// a file needs a direction
}

// A periodic loop that stops waiting for a topic once it has a message.
func ExampleNewTicker() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	defer node.Close()
	tick, _ := waitset.NewTicker(node, "control", time.Millisecond)
	start, _ := waitset.Subscribe[std_msgs.Float64](node, "start", ros2.DefaultQoS())
	set, _ := waitset.New(start)
	defer set.Close()
	publisher, _ := ros2.NewPublisher[std_msgs.Float64](node, "start", ros2.DefaultQoS())
	_ = publisher.Publish(&std_msgs.Float64{Data: 0.1})

	_, _ = set.Wait(context.Background(), -1)
	set.Remove(start) // its other messages are of no interest
	_ = set.Add(tick)
	for steps := 0; steps < 3; {
		_, _ = set.Wait(context.Background(), -1)
		if _, due := tick.Take(); due {
			steps++
		}
	}
	fmt.Println("three steps")
	// Output: three steps
}
