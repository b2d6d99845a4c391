// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// bench is a mapper, and a robot played by the test.
type bench struct {
	testing.TB
	*Node
	odom  *ros2.Publisher[nav_msgs.Odometry]
	tf    *ros2.Publisher[tf2_msgs.TFMessage]
	tof   *ros2.Publisher[sensor_msgs.Range]
	scan  *ros2.Publisher[sensor_msgs.LaserScan]
	user  *ros2.Node
	heard []*nav_msgs.OccupancyGrid
	tree  []*tf2_msgs.TFMessage
	start time.Time
}

func newBench(t *testing.T, cfg Config) *bench {
	t.Helper()
	b := &bench{TB: t, start: time.Now()}
	ether := ros2test.NewNetwork()
	node := func(name string) *ros2.Node {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: ether.NewTransport()})
		must(t, err)
		t.Cleanup(func() { must(t, n.Close()) })
		return n
	}
	cfg.Node, b.user = node("map"), node("robot")
	if cfg.Map == nil {
		m, err := mapping.NewConeGrid(0.01)
		must(t, err)
		cfg.Map = m
	}
	var err error
	b.Node, err = New(cfg)
	must(t, err)
	t.Cleanup(func() { must(t, b.Node.Close()) })
	b.odom, err = ros2.NewPublisher[nav_msgs.Odometry](b.user, "odom", ros2.DefaultQoS())
	must(t, err)
	b.tf, err = ros2.NewPublisher[tf2_msgs.TFMessage](b.user, "/tf_static", ros2.TFStaticQoS())
	must(t, err)
	b.tof, err = ros2.NewPublisher[sensor_msgs.Range](b.user, "tof", ros2.DefaultQoS())
	must(t, err)
	b.scan, err = ros2.NewPublisher[sensor_msgs.LaserScan](b.user, "scan", ros2.DefaultQoS())
	must(t, err)
	_, err = ros2.NewSubscription[nav_msgs.OccupancyGrid](b.user, "map", ros2.LatchedQoS(),
		func(m *nav_msgs.OccupancyGrid, _ ros2.MessageInfo) { b.heard = append(b.heard, m) })
	must(t, err)
	_, err = ros2.NewSubscription[tf2_msgs.TFMessage](b.user, "/tf_static", ros2.TFStaticListenerQoS(),
		func(m *tf2_msgs.TFMessage, _ ros2.MessageInfo) { b.tree = append(b.tree, m) })
	must(t, err)
	return b
}

// at is a header at a time after the start.
func (b *bench) at(d time.Duration, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: builtin_interfaces.TimeOf(b.start.Add(d)), FrameID: frame}
}

func turned(yaw float64) geometry_msgs.Quaternion {
	s, c := math.Sincos(yaw / 2)
	return geometry_msgs.Quaternion{Z: s, W: c}
}

// is publishes odometry.
func (b *bench) is(d time.Duration, x, yaw float64) {
	m := nav_msgs.Odometry{Header: b.at(d, "odom")}
	m.Pose.Pose.Position.X, m.Pose.Pose.Orientation = x, turned(yaw)
	must(b, b.odom.Publish(&m))
	synctest.Wait()
}

// sits publishes where a sensor is.
func (b *bench) sits(frame string, x float64, q geometry_msgs.Quaternion) {
	t := geometry_msgs.TransformStamped{Header: b.at(0, "base_link"), ChildFrameID: frame}
	t.Transform.Translation.X, t.Transform.Rotation = x, q
	must(b, b.tf.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{t}}))
	synctest.Wait()
}

// sees publishes a reading of the time-of-flight sensor.
func (b *bench) sees(d time.Duration, metres float64) {
	must(b, b.tof.Publish(&sensor_msgs.Range{Header: b.at(d, "tof"), FieldOfView: 0.02, MaxRange: 1, Range: float32(metres)}))
	synctest.Wait()
}

// A reading goes where the robot was at the reading's own time, between two messages of odometry.
func TestReadingsMeetTheirPose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Config{})
		b.sits("tof", 0.03, turned(0))
		b.is(0, 0, 0)
		b.is(100*time.Millisecond, 0.1, math.Pi/2)
		b.sees(150*time.Millisecond, 0.2)
		if s := b.Stats(); s.Used != 0 {
			t.Errorf("used before odometry knows: %+v", s)
		}
		b.is(200*time.Millisecond, 0.2, math.Pi/2)
		m, err := b.cfg.Map.Map()
		must(t, err)
		if v := m.At(m.Cell(0.15, 0.03+0.205)); v < 60 { // half way, looking to the left
			t.Errorf("%d %% at the wall", v)
		}
		b.sees(-50*time.Millisecond, 0.2)
		b.sees(200*time.Millisecond, math.NaN())
		b.sees(200*time.Millisecond, math.Inf(-1))
		if s := b.Stats(); s != (Stats{Used: 1, Late: 1}) {
			t.Errorf("%+v", s)
		}
	})
}

// Earlier evidence about the robot's footprint is cleared: its body, with the configured radius, is
// there and nothing else.
func TestBodyIsFree(t *testing.T) {
	for _, c := range []struct {
		radius, x float64 // of the thing that was seen
		free      bool
	}{{0, 0.33, true}, {0, 0.36, false}, {0.07, 0.36, true}, {0.01, 0.33, false}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, Config{Radius: c.radius})
			b.sits("tof", 0.03, turned(0))
			for i := range 5 {
				at := time.Duration(i) * 100 * time.Millisecond
				b.is(at, 0, 0)
				b.sees(at, c.x-0.03)
			}
			b.is(time.Second, 0, 0)
			seen := func() int8 {
				m, err := b.cfg.Map.Map()
				must(t, err)
				return m.At(m.Cell(c.x+0.005, 0.005))
			}
			if v := seen(); v < occupiedFrom {
				t.Fatalf("%+v: it was seen to %d %%", c, v)
			}
			b.is(2*time.Second, 0.3, 0)
			if v := seen(); (v == 0) != c.free {
				t.Errorf("%+v: %d %% with the robot next to it", c, v)
			}
		})
	}
}

// The map is published latched, at most once a period and only when it has changed, and its place once.
func TestPublishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Config{Place: true, MapFrame: "world"})
		b.sits("tof", 0, turned(0))
		for i := range 100 {
			b.is(time.Duration(i)*50*time.Millisecond, 0, 0)
			if i < 50 {
				b.sees(time.Duration(i)*50*time.Millisecond, 0.3)
			}
		}
		if n := len(b.heard); n < 3 || n > 4 {
			t.Fatalf("%d maps in 2.5 s of news", n)
		}
		m := b.heard[len(b.heard)-1]
		info := m.Info
		if m.Header.FrameID != "world" || info.Resolution != 0.01 || len(m.Data) != int(info.Width*info.Height) ||
			info.Origin.Orientation.W != 1 || info.Origin.Position.X > 0 {
			t.Errorf("%+v, %+v, %d cells", m.Header, info, len(m.Data))
		}
		var own []geometry_msgs.TransformStamped
		for _, m := range b.tree {
			for _, t := range m.Transforms {
				if t.Header.FrameID == "world" {
					own = append(own, t)
				}
			}
		}
		if len(own) != 1 || own[0].ChildFrameID != "odom" || own[0].Transform.Rotation.W != 1 {
			t.Errorf("%+v", own)
		}
	})
}

// Without Place the node leaves the tree of frames to others.
func TestLeavesPlaceToALocalisation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Config{})
		b.is(0, 0, 0)
		b.is(50*time.Millisecond, 0, 0)
		if len(b.tree) != 0 {
			t.Errorf("%+v", b.tree)
		}
	})
}

// A lidar's rays have each their own time; a sensor that looks down, or that has no place, says nothing.
func TestScan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Config{Scans: []string{"scan"}})
		b.sits("laser", 0, turned(0))
		b.is(0, 0, 0)
		m := sensor_msgs.LaserScan{
			Header: b.at(0, "laser"), AngleIncrement: math.Pi / 2, TimeIncrement: 0.0625, RangeMin: 0.05, RangeMax: 2,
			Ranges: []float32{0.5, float32(math.NaN()), float32(math.Inf(1)), 0.01, 0.5},
		}
		must(t, b.scan.Publish(&m))
		m.Header.FrameID = "nowhere"
		must(t, b.scan.Publish(&m))
		b.sits("down", 0, geometry_msgs.Quaternion{Y: math.Sin(math.Pi / 4), W: math.Cos(math.Pi / 4)})
		m.Header.FrameID = "down"
		must(t, b.scan.Publish(&m))
		b.is(150*time.Millisecond, 0, 0)
		if s := b.Stats(); s != (Stats{Used: 2}) { // the last ray is not due yet
			t.Errorf("%+v", s)
		}
		b.is(300*time.Millisecond, 0, 0)
		if s := b.Stats(); s != (Stats{Used: 3}) {
			t.Errorf("%+v", s)
		}
	})
}

// Readings that wait for odometry that does not come are bounded.
func TestPendingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Config{})
		b.sits("tof", 0, turned(0))
		for i := range maxPending + 100 {
			b.sees(time.Duration(i)*time.Millisecond, 0.3)
		}
		if s := b.Stats(); len(b.pending) != maxPending || s.Late != 100 {
			t.Errorf("%d wait, %+v", len(b.pending), s)
		}
	})
}

func TestSaveMap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "kitchen")
		b := newBench(t, Config{File: file})
		call := func() *std_srvs.TriggerResponse {
			c, err := ros2.NewClient(b.user, std_srvs.Trigger{}, "save_map")
			must(t, err)
			must(t, c.WaitAvailable(context.Background()))
			r, err := c.Call(context.Background(), &std_srvs.TriggerRequest{})
			must(t, err)
			must(t, c.Close())
			return r
		}
		if r := call(); r.Success || r.Message == "" {
			t.Errorf("an empty map: %+v", r)
		}
		b.sits("tof", 0, turned(0))
		b.is(0, 0, 0)
		for range 5 {
			b.sees(0, 0.3)
		}
		if r := call(); !r.Success || r.Message != file+".yaml" {
			t.Errorf("%+v", r)
		}
		m, err := mapping.Load(file + ".yaml")
		must(t, err)
		if v := m.At(m.Cell(0.305, 0)); v != mapping.Occupied {
			t.Errorf("%d at the wall", v)
		}
		must(t, os.RemoveAll(filepath.Dir(file)))
		if r := call(); r.Success || !strings.Contains(r.Message, "no such file") {
			t.Errorf("no folder: %+v", r)
		}
	})
}

func TestPoses(t *testing.T) {
	var p poses
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	p.add(at(100), mapping.Pose{X: 1, Theta: 3})
	p.add(at(200), mapping.Pose{X: 2, Theta: -3})
	for ms, want := range map[int]mapping.Pose{
		100: {X: 1, Theta: 3}, 150: {X: 1.5, Theta: -math.Pi}, 200: {X: 2, Theta: -3},
	} {
		got, when := p.at(at(ms))
		got.Theta = math.Abs(got.Theta) * math.Copysign(1, want.Theta) // π and −π are the same
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" || when != known {
			t.Errorf("%d ms: %v %s", ms, when, diff)
		}
	}
	if _, when := p.at(at(99)); when != tooOld {
		t.Error("before the first")
	}
	if _, when := p.at(at(201)); when != notYet {
		t.Error("after the last")
	}
	p.add(at(50), mapping.Pose{}) // the clock was set back
	if _, when := p.at(at(150)); when != notYet || len(p.list) != 1 {
		t.Errorf("%v, %d poses", when, len(p.list))
	}
	for ms := 50; ms < 60_000; ms += 50 {
		p.add(at(ms+50), mapping.Pose{})
	}
	if len(p.list) > 50 {
		t.Errorf("%d poses are kept", len(p.list))
	}
}

// A circle of frames ends.
func TestFramesInACircle(t *testing.T) {
	var f frames
	m := tf2_msgs.TFMessage{Transforms: make([]geometry_msgs.TransformStamped, 2)}
	m.Transforms[0].Header.FrameID, m.Transforms[0].ChildFrameID = "a", "b"
	m.Transforms[1].Header.FrameID, m.Transforms[1].ChildFrameID = "b", "a"
	m.Transforms[0].Transform.Rotation.W, m.Transforms[1].Transform.Rotation.W = 1, 1
	f.add(&m)
	if _, err := f.lookup("base_link", "a"); err == nil {
		t.Error("a circle leads to the base")
	}
}
