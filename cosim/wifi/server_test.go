// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// Each robot of a world has a port of its own; a second client waits for the first to go.
func TestServerOnLoopback(t *testing.T) {
	s, err := New(Config{Simulation: simulation(t, "robots: [{name: a}, {name: b, position: [0, 0.3]}]\n"), Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	robots := s.Robots()
	if len(robots) != 2 || robots[0].Name != "a" || robots[0].Addr.String() == robots[1].Addr.String() {
		t.Errorf("%v", robots)
	}
	for range 2 {
		for _, r := range robots {
			talk(t, r.Addr.String())
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// talk is a client that takes two answers.
func talk(t *testing.T, addr string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	var p [packet.CommandSize]byte
	(&packet.Command{Request: packet.RequestSensors}).Put(&p)
	if _, err := conn.Write(p[:]); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	answers := make([]byte, 2*(1+packet.SensorsSize))
	if _, err := io.ReadFull(conn, answers); err != nil || answers[0] != byte(packet.KindSensors) {
		t.Fatalf("% x, %v", answers[:8], err)
	}
}

func TestServerRefuses(t *testing.T) {
	world := simulation(t, "robots: [{name: a}, {name: b, position: [0, 0.3]}]\n")
	w, err := sim.LoadWorld("plane")
	if err != nil {
		t.Fatal(err)
	}
	bus, err := sim.New(w, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{
		{}, {Simulation: world, Address: "nowhere"}, {Simulation: world, Address: "127.0.0.1:65535"},
		{Simulation: bus, Address: "127.0.0.1:0"}, // its robot has a bus and no radio
	} {
		if _, err := New(c); !errors.Is(err, errConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := New(Config{Simulation: world, Address: "192.0.2.1:1"}); err == nil {
		t.Error("an address that is not this machine's")
	}
}
