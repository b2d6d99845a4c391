// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"context"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// BenchmarkCostCycle is a control cycle by what is subscribed to over the network.
func BenchmarkCostCycle(b *testing.B) {
	for _, c := range []struct {
		name   string
		topics []string
	}{
		{"nothing", nil}, {"odom", []string{"odom", "/tf"}}, {"scan", []string{"scan"}}, {"infrared", []string{"ps"}},
		{"light", []string{"ls"}}, {"imu", []string{"imu"}}, {"everything", []string{""}},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := newCostRig(b, c.topics...)
			countTurns(b, func(int) { r.wait(b, 1) })
		})
	}
}

// countTurns marks all turns.
func countTurns(b *testing.B, turn func(i int)) {
	mark(markBegin, 0)
	for i := range b.N {
		turn(i)
	}
	mark(markEnd, b.N)
}

// happening is what can happen between control cycles, once.
type happening struct {
	name  string
	every int // control cycles from one to the next in a scenario …
	burst int // … of so many
	begin func(b *testing.B, r *costRig) (once func())
}

func happenings() []happening {
	return []happening{
		{"picture", 4, 3, sendsPictures}, {"parameter", 1, 1, setsParameters}, {"participant", 5, 1, comesAndGoes},
	}
}

// sendsPictures sends compressed pictures of 20 kB.
func sendsPictures(b *testing.B, r *costRig) func() {
	const topic = "picture"
	p, err := ros2.NewPublisher[sensor_msgs.CompressedImage](r.node, topic, ros2.DefaultQoS())
	if err != nil {
		b.Fatal(err)
	}
	r.abyss.open.Store(false)
	came := make(chan struct{}, 1)
	if _, err := r.user.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Node: r.user.Name(), Topic: "/" + topic, Type: "sensor_msgs/msg/CompressedImage", QoS: ros2.DefaultQoS()},
		OnSample: func(ros2.Sample) {
			select {
			case came <- struct{}{}:
			default:
			}
		},
	}); err != nil {
		b.Fatal(err)
	}
	m := &sensor_msgs.CompressedImage{Format: "rgb8; jpeg compressed bgr8", Data: make([]byte, 20_000)}
	once := func() {
		if err := p.Publish(m); err != nil {
			b.Fatal(err)
		}
	}
	untilHeard(came, once)
	r.abyss.open.Store(true)
	return once
}

// setsParameters asks the driver to set a parameter, and waits for the answer: both ends are counted.
func setsParameters(b *testing.B, r *costRig) func() {
	r.abyss.open.Store(false)
	c, err := ros2.NewClient(r.user, rcl_interfaces.SetParameters{}, "/"+driver.NodeName+"/set_parameters")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.WaitAvailable(ctx); err != nil {
		b.Fatal(err)
	}
	request := &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{{
		Name: table.ParamTimeout, Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 0.4},
	}}}
	return func() {
		answer, err := c.Call(context.Background(), request)
		if err != nil || len(answer.Results) != 1 || !answer.Results[0].Successful {
			b.Fatal(answer, err)
		}
	}
}

// comesAndGoes is another participant with a node, which comes, is seen and goes: both ends are counted.
func comesAndGoes(b *testing.B, r *costRig) func() {
	r.abyss.open.Store(false)
	changed := make(chan struct{}, 1)
	b.Cleanup(r.transport.OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}))
	await := func(there bool) {
		for {
			seen := false
			for _, e := range r.transport.Graph().Endpoints {
				seen = seen || e.Node.Name == "newcomer"
			}
			if seen == there {
				return
			}
			<-changed
		}
	}
	return func() {
		t := costTransport(b, udp.System{})
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "newcomer", Transport: t})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := ros2.NewPublisher[sensor_msgs.CompressedImage](n, "news", ros2.DefaultQoS()); err != nil {
			b.Fatal(err)
		}
		await(true)
		if err := n.Close(); err != nil {
			b.Fatal(err)
		}
		if err := t.Close(); err != nil {
			b.Fatal(err)
		}
		await(false)
	}
}

// BenchmarkCostHappening is one thing that happens, and the idle control cycle after it, which finds other things in
// the caches.
func BenchmarkCostHappening(b *testing.B) {
	for _, h := range happenings() {
		b.Run(h.name, func(b *testing.B) {
			r := newCostRig(b)
			once := h.begin(b, r)
			countTurns(b, func(int) {
				once()
				r.wait(b, 1)
			})
		})
	}
}

// BenchmarkCostScenario is what a robot does: control cycles, and what happens between them as often as it does.
func BenchmarkCostScenario(b *testing.B) {
	for _, h := range happenings() {
		b.Run(h.name, func(b *testing.B) {
			r := newCostRig(b)
			once := h.begin(b, r)
			countTurns(b, func(i int) {
				if i%h.every < h.burst {
					once()
				}
				r.wait(b, 1)
			})
		})
	}
}
