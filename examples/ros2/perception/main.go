// SPDX-License-Identifier: Apache-2.0

// Command perception tracks an object with three nodes, many times: a camera publishes pictures, a detector publishes
// where it finds the object in them, and a tracker predicts with each picture and corrects with each detection. Their
// callbacks take random times. In a multi-threaded executor the results of the runs differ; in a fixed order they are
// the same. All nodes are in this process and discover no other.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

const (
	frames  = 20
	period  = 2 * time.Millisecond    // of the camera
	longest = 2400 * time.Microsecond // execution time of a callback
)

func main() {
	runs := flag.Int("runs", 100, "so many runs of each kind")
	flag.Parse()
	open := func() (ros2.ServiceTransport, error) { return rmw.New(rmw.Config{Range: rmw.Off}) }
	if err := demonstrate(*runs, open); err != nil {
		log.Print(err)
		os.Exit(1)
	}
}

// opener opens the transport of a run.
type opener func() (ros2.ServiceTransport, error)

// demonstrate prints how many distinct results the runs have.
func demonstrate(runs int, open opener) error {
	for _, kind := range []struct {
		name string
		run  func(open opener, seed uint64) (string, error)
	}{{"multi-threaded executor", free}, {"fixed order", fixed}} {
		results := map[string]bool{}
		last := ""
		for seed := range uint64(runs) {
			result, err := kind.run(open, seed)
			if err != nil {
				return fmt.Errorf("%s, run %d: %w", kind.name, seed, err)
			}
			results[result], last = true, result
		}
		fmt.Printf("%s: %d runs, distinct results: %d; the last: %s\n", kind.name, runs, len(results), last)
	}
	return nil
}

// free runs the nodes on a multi-threaded executor in real time.
func free(open opener, seed uint64) (result string, err error) {
	transport, err := open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	e := executor.NewMultiThreaded(3)
	p, err := newPerception(seed, func(name string) ros2.NodeConfig {
		return ros2.NodeConfig{Name: name, Transport: transport, Callbacks: e.NewGroup(executor.Exclusive)}
	})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	ctx, cancel := context.WithTimeout(context.Background(), frames*period+4*longest)
	defer cancel()
	if err := e.Spin(ctx); err != nil && ctx.Err() == nil {
		return "", err
	}
	return p.tracker.String(), nil
}

// fixed runs the nodes in a fixed order. Logical time advances when all callbacks have ended.
func fixed(open opener, seed uint64) (result string, err error) {
	transport, err := open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	c := order.New(order.Config{Parallel: true})
	p, err := newPerception(seed, func(name string) ros2.NodeConfig {
		return ros2.NodeConfig{Name: name, Transport: c.Transport(transport), Clock: c.Clock(), Callbacks: c.NewGroup()}
	})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	defer c.Close()
	if err := c.Advance(time.Time{}.Add(frames * period)); err != nil {
		return "", err
	}
	return p.tracker.String(), nil
}

// perception is the three nodes.
type perception struct {
	nodes   []*ros2.Node
	tracker tracker
}

// newPerception makes the nodes; a run's seed chooses the execution times.
func newPerception(seed uint64, config func(name string) ros2.NodeConfig) (*perception, error) {
	p := new(perception)
	for i, add := range []func(n *ros2.Node, work func()) error{addCamera, addDetector, p.tracker.add} {
		times := rand.New(rand.NewPCG(seed, uint64(i)))
		n, err := ros2.NewNode(config([]string{"camera", "detector", "tracker"}[i]))
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.nodes = append(p.nodes, n)
		if err := add(n, func() { time.Sleep(time.Duration(times.Int64N(int64(longest)))) }); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	return p, nil
}

func (p *perception) close() (err error) {
	for _, n := range p.nodes {
		err = errors.Join(err, n.Close())
	}
	return err
}

// latest is the quality of service of pictures and detections: a slow subscriber misses some.
func latest() ros2.QoS { return ros2.DefaultQoS().WithDepth(1) }

// addCamera publishes pictures of an object. Here a picture is only where the object is in it, m.
func addCamera(n *ros2.Node, work func()) error {
	pictures, err := ros2.NewPublisher[std_msgs.Float64](n, "image", latest())
	if err != nil {
		return err
	}
	taken := 0
	_, err = ros2.NewTicker(n, "exposure", period, func(time.Time) {
		if taken == frames {
			return
		}
		taken++
		work()
		if err := pictures.Publish(&std_msgs.Float64{Data: float64(0.002*float64(taken)) + float64(0.001*float64(taken%3))}); err != nil {
			log.Print(err)
		}
	})
	return err
}

// addDetector publishes where the object is in each picture.
func addDetector(n *ros2.Node, work func()) error {
	detections, err := ros2.NewPublisher[std_msgs.Float64](n, "detection", latest())
	if err != nil {
		return err
	}
	_, err = ros2.Listen(n, "image", latest(), func(picture *std_msgs.Float64) {
		work()
		if err := detections.Publish(&std_msgs.Float64{Data: picture.Data}); err != nil {
			log.Print(err)
		}
	})
	return err
}

// tracker is an alpha-beta filter.
type tracker struct {
	position, velocity   float64 // m, m/s
	pictures, detections int
}

func (k *tracker) add(n *ros2.Node, work func()) error {
	_, err := ros2.Listen(n, "image", latest(), func(*std_msgs.Float64) {
		work()
		k.pictures++
		k.position += float64(k.velocity * period.Seconds()) // no fused multiply-add: the same on every processor
	})
	if err != nil {
		return err
	}
	_, err = ros2.Listen(n, "detection", latest(), func(detection *std_msgs.Float64) {
		work()
		k.detections++
		residual := detection.Data - k.position
		k.position += float64(0.5 * residual)
		k.velocity += float64(0.1 * residual / period.Seconds())
	})
	return err
}

// String returns the estimate.
func (k *tracker) String() string {
	return fmt.Sprintf("%.6f m, %.6f m/s after %d pictures and %d detections", k.position, k.velocity, k.pictures, k.detections)
}
