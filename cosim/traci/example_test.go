// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A client lets a world grow three steps old and closes.
func Example() {
	w, err := sim.LoadWorld("arena")
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
	server, err := traci.New(traci.Config{Simulation: world, World: w, Address: "127.0.0.1:0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var client task.Group
	client.Go("client", func() { threeSteps(server.Addr().String()) })
	err = server.Run(context.Background(), func(age time.Duration) error {
		clock.Sleep(begun.Add(age).Sub(clock.Now()))
		return nil
	})
	client.Wait()
	fmt.Println(world.Elapsed(), err)
	// Output: 300ms <nil>
}

func threeSteps(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	for range 3 {
		_, _ = conn.Write(wire.End(wire.AppendCommand(wire.Begin(nil), 2, wire.AppendDouble(nil, 0), false)))
		_, _ = wire.ReadMessage(conn)
	}
	_, _ = conn.Write(wire.End(wire.AppendCommand(wire.Begin(nil), 0x7F, nil, false)))
	_, _ = wire.ReadMessage(conn)
}
