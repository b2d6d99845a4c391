// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const file = "../../docs/images/drive.svg"

var draw = flag.String("draw", "", "draw the picture anew into this file")

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// wanderer is another node of the network: it drives by what the scan shows.
type wanderer struct {
	mu     sync.Mutex // guards what it saw
	cmd    *ros2.Publisher[geometry_msgs.Twist]
	turn   float64 // rad/s, while it turns away; 0 while it drives straight
	latest sensor_msgs.LaserScan
}

// see takes a scan and answers with a command.
func (w *wanderer) see(m *sensor_msgs.LaserScan, _ ros2.MessageInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.latest = *m
	w.latest.Ranges = append([]float32(nil), m.Ranges...)
	left, right := math.Inf(1), math.Inf(1)
	for i, r := range m.Ranges {
		angle := float64(m.AngleMin) + float64(i)*float64(m.AngleIncrement)
		switch r := float64(r); {
		case math.IsNaN(r) || math.Abs(angle) > 1.2:
		case angle >= 0:
			left = min(left, r)
		default:
			right = min(right, r)
		}
	}
	nearest := min(left, right)
	switch {
	case w.turn == 0 && nearest < 0.12 && left < right:
		w.turn = -1.6
	case w.turn == 0 && nearest < 0.12:
		w.turn = 1.6
	case nearest > 0.3:
		w.turn = 0
	}
	twist := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}, Angular: geometry_msgs.Vector3{Z: 0.25}}
	if w.turn != 0 {
		twist = geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.03}, Angular: geometry_msgs.Vector3{Z: w.turn}}
	}
	_ = w.cmd.Publish(&twist) // without a command the robot stops, which the picture shows
}

// film lets the driver run on a simulated robot, with the wanderer on the same network, and looks from above.
func film(t *testing.T, length, period time.Duration) animation {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	world, err := sim.LoadWorld("arena")
	must(err)
	s, err := sim.New(world, sim.Options{Seed: 1, Now: time.Now, Sleep: time.Sleep})
	must(err)
	ether := ros2test.NewNetwork()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: ether.NewTransport()})
	must(err)
	user, err := ros2.NewNode(ros2.NodeConfig{Name: "wanderer", Transport: ether.NewTransport()})
	must(err)
	robot := sim.RobotsOf[*sim.Firmware](s)[0]
	d, err := driver.New(driver.Config{Hardware: &chips.Robot{Bus: robot.Bus()}, Node: node})
	must(err)
	w := &wanderer{}
	w.cmd, err = ros2.NewPublisher[geometry_msgs.Twist](user, "cmd_vel", ros2.DefaultQoS())
	must(err)
	_, err = ros2.NewSubscription(user, "scan", ros2.SensorDataQoS(), w.see)
	must(err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	time.Sleep(1500 * time.Millisecond) // the parts are found
	a := animation{World: world, Length: length}
	for range int(length / period) {
		time.Sleep(period)
		synctest.Wait()
		a.Frames = append(a.Frames, w.frame(robot.GroundTruth()))
	}
	w.mu.Lock()
	for i := range w.latest.Ranges {
		a.Angles = append(a.Angles, float64(w.latest.AngleMin)+float64(i)*float64(w.latest.AngleIncrement))
	}
	w.mu.Unlock()
	cancel()
	must(<-ended)
	must(errors.Join(d.Close(), user.Close(), node.Close()))
	return a
}

// frame is what is seen now.
func (w *wanderer) frame(truth sim.GroundTruth) frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := frame{X: truth.Pose.X, Y: truth.Pose.Y, Theta: truth.Pose.Theta}
	for _, r := range w.latest.Ranges {
		if r64 := float64(r); math.IsInf(r64, 0) || math.IsNaN(r64) {
			r = 0
		}
		f.Ranges = append(f.Ranges, float64(r))
	}
	return f
}

// TestPictureOfTheREADME: it is drawn from a run of the driver, and the one in docs/images is like it. It needn't be
// the same: how the driver drives may become better.
func TestPictureOfTheREADME(t *testing.T) {
	var a animation
	synctest.Test(t, func(t *testing.T) { a = film(t, 24*time.Second, 150*time.Millisecond) })
	svg := a.svg()
	if *draw != "" {
		if err := os.WriteFile(*draw, []byte(svg), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	checkSVG(t, svg)
	way := 0.0
	for i, f := range a.Frames[1:] {
		way += math.Hypot(f.X-a.Frames[i].X, f.Y-a.Frames[i].Y)
		if math.Max(math.Abs(f.X), math.Abs(f.Y)) > 0.5-0.03 {
			t.Errorf("frame %d: the robot is in the wall: %+v", i, f)
		}
	}
	if way < 1 {
		t.Errorf("the robot went %.2f m only", way)
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, string(have))
	if a, b := strings.Count(string(have), "<"), strings.Count(svg, "<"); a < b/2 || a > 2*b {
		t.Errorf("%s has %d elements, a new one %d: scripts/picture.sh draws it anew", file, a, b)
	}
}

// checkSVG: it is well-formed and small enough for a README.
func checkSVG(t *testing.T, svg string) {
	t.Helper()
	if len(svg) > 100_000 {
		t.Errorf("%d bytes", len(svg))
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	elements := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements < 10 {
		t.Errorf("%d elements", elements)
	}
}
