// SPDX-License-Identifier: Apache-2.0

// Command parcels is a parcel service: a dispatch centre assigns the next parcel to each robot that has delivered one, a
// route generator plans its way, and a controller on the robot drives it and looks for edges in a VGA picture a second
// with the filter of Sobel. All nodes are in this process and discover no other; callbacks run in a fixed order in logical
// time, so that each run gives the same result. It is the application with which VIPPE–ROS estimates performance:
//
//	GOARCH=arm GOARM=6 CGO_ENABLED=0 go build -o parcels ./examples/ros2/parcels
//	epuck-driver estimate --processor cortex-a72-pi4 -- ./parcels -robots 1 -for 10s
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

func main() {
	robots := flag.Int("robots", 2, "so many robots")
	length := flag.Duration("for", time.Minute, "logical time of the run")
	flag.Parse()
	r, err := deliver(*robots, *length)
	if err != nil {
		log.Print(err)
		os.Exit(1)
	}
	fmt.Println(r)
}

// result is what a run has done.
type result struct{ parcels, pictures, edges int }

// String returns it as text.
func (r result) String() string {
	return fmt.Sprintf("%d parcels delivered, %d pictures filtered, %d pixels of edges", r.parcels, r.pictures, r.edges)
}

// deliver runs the service with some robots for a logical time.
func deliver(robots int, length time.Duration) (r result, err error) {
	transport, err := rmw.New(rmw.Config{Range: rmw.Off})
	if err != nil {
		return result{}, err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	c := order.New(order.Config{})
	var nodes []*ros2.Node
	node := func(name string) (*ros2.Node, error) {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: c.Transport(transport), Clock: c.Clock(), Callbacks: c.NewGroup()})
		if err == nil {
			nodes = append(nodes, n)
		}
		return n, err
	}
	defer func() {
		for _, n := range nodes {
			err = errors.Join(err, n.Close())
		}
	}()
	defer c.Close()
	centre, err := node("dispatch")
	if err != nil {
		return r, err
	}
	planner, err := node("routes")
	if err != nil {
		return r, err
	}
	for i := range robots {
		name := fmt.Sprintf("robot%d", i+1)
		board, err := node(name)
		if err != nil {
			return r, err
		}
		own := &robot{result: &r}
		if err := errors.Join(own.control(board, name), plan(planner, name), dispatch(centre, name, i, &r)); err != nil {
			return r, err
		}
	}
	return r, c.Advance(time.Time{}.Add(length))
}
