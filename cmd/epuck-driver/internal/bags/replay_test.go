// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestARecordedRunCanBeRunAgain: a simulated robot is driven about on a bus with faults and recorded from the start;
// a driver on the recording gives the same odometry, bit for bit. The recording says what ran.
func TestARecordedRunCanBeRunAgain(t *testing.T) {
	dir := t.TempDir()
	trace := ""
	synctest.Test(t, func(t *testing.T) { trace = recordRun(t, dir, "record.bus:=true") })
	b := onlyBag(t, dir)
	r, err := readBus(b)
	if err != nil {
		t.Fatal(err)
	}
	if r.gaps != 0 || !r.whole || len(r.trace) != 64 || r.namespace != "/r1" {
		t.Errorf("gaps %d, whole %v, trace %q, namespace %q", r.gaps, r.whole, r.trace, r.namespace)
	}
	if f := r.facts; f.Program != build.Version || !f.Simulated || f.World != "arena" || f.Seed != 7 || f.Parameters["wheel_radius"] != "0.0207" || f.Trace != trace {
		t.Errorf("facts %+v, trace %s", f, trace)
	}
	out := replayHere(t, &r)
	if out.odometry < 150 || out.equal != out.odometry || out.readings <= out.odometry {
		t.Errorf("%+v: want all odometry equal, and readings between two messages", out)
	}

	r.facts.Parameters["wheel_radius"] = "0.021" // it is no accident that they are equal
	if out := replayHere(t, &r); out.equal > out.odometry/2 || out.twists > out.odometry/2 {
		t.Errorf("with other wheels: %+v", out)
	}
}

// replayHere replays on a network of its own.
func replayHere(t *testing.T, r *busRecording) replayed {
	t.Helper()
	args, err := r.arguments(&frame.Program{})
	if err != nil {
		t.Fatal(err)
	}
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	out, err := r.replayDriver(t.Context(), node, 0, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryRecordingSaysWhatRan: without the bus, too, and bag info prints it.
func TestEveryRecordingSaysWhatRan(t *testing.T) {
	dir, trace := t.TempDir(), ""
	synctest.Test(t, func(t *testing.T) { trace = recordRun(t, dir, "record.topics:=[odom]") })
	b := onlyBag(t, dir)
	var topics []string
	for _, topic := range b.Topics() {
		topics = append(topics, topic.Name)
	}
	if got := strings.Join(topics, " "); got != "/r1/_run /r1/odom" {
		t.Errorf("topics %s", got)
	}
	runs, err := blackbox.FactsIn(b)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%+v %v", runs, err)
	}
	f := runs[0]
	if f.Program != build.Version || !f.Simulated || f.World != "arena" || f.Seed != 7 || f.Trace != trace || len(trace) != 64 || f.TraceAt < 9 {
		t.Errorf("facts %+v, trace %s", f, trace)
	}
	var out strings.Builder
	if err := bagInfo(&frame.Program{Streams: frame.Streams{Out: &out}}, b.Path, false, false); err != nil {
		t.Fatal(err)
	}
	if want := "epuck-driver " + build.Version + ", world arena, seed 7, trace " + trace + " after "; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in\n%s", want, out.String())
	}
}

// onlyBag opens the only bag in a folder.
func onlyBag(t *testing.T, dir string) *bag.Bag {
	t.Helper()
	bags, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(bags) != 1 {
		t.Fatalf("%v %v", bags, err)
	}
	b, err := bag.Open(bags[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// recordRun drives a simulated robot for ten seconds, recorded by its own driver, and returns the trace.
func recordRun(t *testing.T, dir, what string) string {
	world, err := sim.LoadWorld("arena")
	if err != nil {
		t.Fatal(err)
	}
	simulation, err := sim.New(world, sim.Options{Seed: 7, Now: time.Now, Sleep: time.Sleep, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	robot := sim.RobotsOf[*sim.Firmware](simulation)[0]
	if err := robot.Faults().SetRates(vbus.Rates{NAK: 0.02, CorruptRead: 0.02}); err != nil {
		t.Fatal(err)
	}
	args, _, err := ros2.ParseArgs([]string{"--ros-args", "-r", "__ns:=/r1", "-p", "wheel_radius:=0.0207",
		"-p", "record.start:=true", "-p", what, "-p", "record.directory:=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	network := ros2test.NewNetwork()
	here, there := network.NewTransport(), network.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: here, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	pilot, err := ros2.NewNode(ros2.NodeConfig{Name: "pilot", Transport: there})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(pilot.Close(), there.Close(), node.Close(), here.Close()) }()
	config := driver.Config{Hardware: &chips.Robot{Bus: robot.Bus()}, Node: node}
	box, err := blackbox.New(node, &config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	var lastHash [sha256.Size]byte // of the last report, which end waits for
	ctx, cancel := context.WithCancel(t.Context())
	end, err := box.Begin(ctx, blackbox.Facts{Simulated: true, World: "arena", Seed: 7}, func() ([sha256.Size]byte, time.Duration) {
		lastHash = simulation.TraceHash()
		return lastHash, simulation.Elapsed()
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	drive, err := ros2.NewPublisher[geometry_msgs.Twist](pilot, "/r1/cmd_vel", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 130 {
		time.Sleep(73 * time.Millisecond) // between two control cycles, mostly
		var m geometry_msgs.Twist
		m.Linear.X, m.Angular.Z = 0.06*float64(i%7)/7, 2*float64(i%5)/5-1
		if err := drive.Publish(&m); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	end()
	if err := errors.Join(<-done, d.Close()); err != nil {
		t.Fatal(err)
	}
	return blackbox.TraceText(lastHash)
}

func TestWithoutABusNothingIsReplayed(t *testing.T) {
	dir := t.TempDir()
	if err := bag.New(nil, nil, nil, "").Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := bag.Open(dir); !errors.Is(err, bag.ErrNoBag) {
		t.Error(err)
	}
	if _, err := readBus(&bag.Bag{}); !errors.Is(err, errNoBus) {
		t.Error(err)
	}
}
