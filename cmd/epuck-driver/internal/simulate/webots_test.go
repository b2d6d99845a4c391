// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/timesources"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestParseWebots: what goes with --webots.
func TestParseWebots(t *testing.T) {
	for _, c := range []struct {
		args    string
		address string
		problem string
	}{
		{"--webots", "127.0.0.1:1234", ""},
		{"--webots=5000 --level functional --for 10s --trace-hash", "127.0.0.1:5000", ""},
		{"--webots=0.0.0.0:1234 --webots-allow 192.168.7.0/24,10.0.0.1", "0.0.0.0:1234", ""},
		{"--webots --webots-release R2023a --webots-step 16ms --webots-controllers 3 --webots-patience 30s --webots-camera 160x120", "127.0.0.1:1234", ""},
		{"--webots-step 16ms", "", "go with --webots"},
		{"--webots-allow 10.0.0.0/8", "", "go with --webots"},
		{"--webots --webots-allow somewhere", "", "webots.allow"},
		{"--webots --webots-controllers 0", "", "webots.controllers 0"},
		{"--webots --webots-camera big", "", "160x120"},
		{"--webots --level firmware", "", "level functional"},
		{"--webots --traci", "", "doesn't go with"},
		{"--webots --lockstep", "", "was taken out"},
		{"--webots --real-time-factor 2", "", "controllers control time"},
		{"--webots --wifi", "", "doesn't go with"},
		{"--webots --controller avoid --for 1m", "", "controllers control time"},
	} {
		o, err := parseSim(c.args)
		if c.problem == "" && (err != nil || o.webots.Address != c.address || o.swarm.level != world.LevelFunctional || !o.ownTime()) {
			t.Errorf("%s: %v, address %q, want %q", c.args, err, o.webots.Address, c.address)
		}
		if c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
			t.Errorf("%s: %v, want %q", c.args, err, c.problem)
		}
	}
	o, err := parseSim("--webots --webots-step 16ms --webots-camera 160x120")
	if err != nil || o.webots.Step != 16*time.Millisecond || o.webots.Size != [2]int{160, 120} {
		t.Errorf("%v, %+v", err, o.webots)
	}
}

// TestWebotsDrivesAllRobots: --webots has a server for a world of e-pucks and for one of robots by descriptions. What
// the server refuses has its flag's number.
func TestWebotsDrivesAllRobots(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "w") // paths of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("WEBOTS_TMPDIR", dir)
	for args, want := range map[string]string{
		"--robot turtlebot3 --webots=0":                "",
		"--webots=0 --webots-release R2019a":           "webots.release: ",
		"--webots=0 --webots-step 1500us":              "basic step 1.5ms",
		"--webots=0 --webots-camera 641x480":           "pictures of 641×480",
		"--webots=0 --webots-patience -1s":             "timeout -1s",
		"--webots=192.0.2.1:0":                         "192.0.2.1:0",
		"--webots=0 --webots-controllers 2 --imu none": "",
	} {
		o, err := parseSim(args)
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		w, err := loadWorld(o.world, o.imu, o.without, o.settings)
		if err == nil {
			err = o.swarm.populate(w, o.seed)
		}
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		s, err := sim.New(w, sim.Options{Now: sim.NewClock().Now, Mechanisms: models()})
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		server, held, err := o.timeServer(w, s, nil, slog.New(slog.DiscardHandler))
		if server != nil {
			err = errors.Join(err, server.Close())
		}
		if want == "" && (err != nil || !strings.Contains(held, "WEBOTS_CONTROLLER_URL=ipc://")) {
			t.Errorf("%s: %v, %q", args, err, held)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || server != nil) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
		if usage := (frame.UsageError{}); strings.Contains(want, "--webots") && !errors.As(err, &usage) {
			t.Errorf("%s: %v is no mistake of the command line", args, err)
		}
	}
}

// TestWebotsKeepsItsRobots: a service of simulation_interfaces can't take the robots of those away which control time.
func TestWebotsKeepsItsRobots(t *testing.T) {
	o, err := parseSim("--webots")
	if err != nil {
		t.Fatal(err)
	}
	end := func() { t.Error("the world ends") }
	if err := o.restart(fleet.WorldSource{Unload: true}, end); !errors.Is(err, timesources.ErrNoRobot) || o.next != nil {
		t.Error(err)
	}
}
