// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A controller lets a world grow three steps of 32 ms old.
func Example() {
	w, err := sim.ParseWorld([]byte("name: plain\nrobots: [{name: epuck, level: functional}]"))
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := sim.NewClock()
	begun := clock.Now()
	world, err := sim.New(w, sim.Options{Now: clock.Now, MaxCatchUp: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := webots.New(webots.Config{Simulation: world, Address: "127.0.0.1:0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var controller task.Group
	controller.Go("controller", func() {
		defer cancel()
		threeSteps(server.Addr().String())
	})
	err = server.Run(ctx, func(age time.Duration) error {
		clock.Sleep(begun.Add(age).Sub(clock.Now()))
		return nil
	})
	controller.Wait()
	fmt.Println(world.Elapsed(), err)
	// Output: 90ms <nil>
}

func threeSteps(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = conn.Write([]byte("CTR\nRobot-Name: epuck"))
	_, _ = io.CopyN(io.Discard, conn, int64(len(wire.Connected)))
	for _, step := range []time.Duration{0, 32 * time.Millisecond, 32 * time.Millisecond, 32 * time.Millisecond} {
		_, _ = conn.Write(wire.AppendRequest(nil, wire.Request{Step: step}))
		head := make([]byte, 6) // chunks, and the length of the first
		_, _ = io.ReadFull(conn, head)
		_, _ = io.CopyN(io.Discard, conn, 5+int64(head[2])+int64(head[3])<<8)
	}
}
