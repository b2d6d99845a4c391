// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const (
	minCommandGap = wheels.MinCommandGap
	lastRetry     = time.Second // within which a lost robot that answers again is taken
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a driver on a simulated robot and, on the same network in memory, another machine: the user.
type rig struct {
	testing.TB
	sim       *sim.Simulation
	robot     *sim.Firmware
	transport *ros2test.Transport // the driver's
	node      *ros2.Node          // the driver's
	user      *ros2.Node
	driver    *Driver
	log       *logBook

	cancel context.CancelFunc
	ended  chan error
	cmd    *ros2.Publisher[geometry_msgs.Twist]
}

// rigOptions are what tests vary. Everything may be left out.
type rigOptions struct {
	world    string // built-in name or YAML
	args     string // as after --ros-args
	sim      sim.Options
	bus      func(pi2c.Bus) pi2c.Bus             // wraps the robot's bus
	network  func(ros2.Transport) ros2.Transport // wraps the driver's transport
	ether    *ros2test.Network                   // of another rig; nil: a new one
	clock    ros2.Clock
	fresh    bool // the robot has just been switched on: its first command acts late
	standard bool // the driver's node has the parameter services
	noStart  bool // the test calls Run or Step
	parts    bool // look for optional parts, too
	board    bool // and those of the Pi-puck board
	camera   bool // with the camera
	press    bool // with the board's button, pressed
	config   func(c *Config)
}

// chipsOf returns the chips on which a driver runs.
func chipsOf(c *Config) *chips.Robot { return c.Hardware.(*chips.Robot) }

// noParts leaves every optional part alone, for tests that count transactions.
const noParts = " -p imu_rate:=0.0 -p tof_rate:=0.0 -p ground_rate:=0.0 -p mag_rate:=0.0 -p camera.setup:=false"

// newRig starts all of it; in a synctest bubble simulated time passes by itself.
func newRig(t testing.TB, o rigOptions) *rig {
	t.Helper()
	r := &rig{TB: t, log: &logBook{}, ended: make(chan error, 1)}
	r.simulate(o)
	if !o.parts {
		o.args += noParts
	}
	args, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, strings.Fields(o.args)...))
	r.must(err)
	ether := o.ether
	if ether == nil {
		ether = ros2test.NewNetwork()
	}
	r.transport = ether.NewTransport()
	var transport ros2.Transport = r.transport
	if o.network != nil {
		transport = o.network(transport)
	}
	r.node, err = ros2.NewNode(ros2.NodeConfig{Name: NodeName, Transport: transport, Args: args, Standard: o.standard})
	r.must(err)
	r.user, err = ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: ether.NewTransport()})
	r.must(err)
	var bus pi2c.Bus = r.robot.Bus()
	if o.bus != nil {
		bus = o.bus(bus)
	}
	cfg := Config{Hardware: &chips.Robot{Bus: bus}, Node: r.node, Clock: o.clock, Logger: slog.New(r.log)}
	if o.board {
		chipsOf(&cfg).BoardBus, chipsOf(&cfg).Files = r.robot.BoardBus(), r.robot.BatteryFS()
	}
	if o.camera {
		cfg.Camera = func(string) (camera.Device, error) { return r.robot.Camera(), nil }
	}
	if o.press {
		r.robot.PressBoardButton(true)
		chipsOf(&cfg).Button = r.buttonOf()
	}
	if o.config != nil {
		o.config(&cfg)
	}
	r.driver, err = New(cfg)
	r.must(err)
	t.Cleanup(func() {
		r.must(r.driver.Close())
		r.must(r.node.Close())
		r.must(r.user.Close())
	})
	if !o.noStart {
		r.run()
	}
	return r
}

func (r *rig) simulate(o rigOptions) {
	r.Helper()
	var w *sim.World
	var err error
	switch {
	case o.world == "":
		w, err = sim.LoadWorld("plane")
	case strings.Contains(o.world, "\n"):
		w, err = sim.ParseWorld([]byte(o.world))
	default:
		w, err = sim.LoadWorld(o.world)
	}
	r.must(err)
	opts := o.sim
	if opts.Now == nil {
		opts.Now, opts.Sleep = time.Now, pass
	}
	opts.Settled = !o.fresh
	r.sim, err = sim.New(w, opts)
	r.must(err)
	r.robot = sim.RobotsOf[*sim.Firmware](r.sim)[0]
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// run starts Run; end or the test's end stops it.
func (r *rig) run() {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go func() { r.ended <- r.driver.Run(ctx) }()
}

// end cancels Run's context and gives its error.
func (r *rig) end() error {
	r.cancel()
	return <-r.ended
}

// command publishes one cmd_vel.
func (r *rig) command(v, omega float64) {
	r.Helper()
	if r.cmd == nil {
		var err error
		r.cmd, err = ros2.NewPublisher[geometry_msgs.Twist](r.user, "cmd_vel", ros2.DefaultQoS())
		r.must(err)
	}
	m := geometry_msgs.Twist{}
	m.Linear.X, m.Angular.Z = v, omega
	r.must(r.cmd.Publish(&m))
}

// wantAtRest fails the test if a wheel of the simulated robot turns.
func (r *rig) wantAtRest() {
	r.Helper()
	if truth := r.robot.GroundTruth(); truth.LeftSpeed != 0 || truth.RightSpeed != 0 {
		r.Errorf("the wheels turn at %v and %v rad/s", truth.LeftSpeed, truth.RightSpeed)
	}
}

// wantPose compares the driver's pose with the ground truth. It is valid only while the robot is at rest.
func (r *rig) wantPose(metres, rad float64) {
	r.Helper()
	s, truth := r.driver.Status(), r.robot.GroundTruth().Pose
	if d := math.Hypot(s.X-truth.X, s.Y-truth.Y); d > metres {
		r.Errorf("odometry says %.5f, %.5f m, the robot is at %.5f, %.5f: %.2f mm off", s.X, s.Y, truth.X, truth.Y, d*1000)
	}
	if d := math.Abs(math.Remainder(s.Theta-truth.Theta, 2*math.Pi)); d > rad {
		r.Errorf("odometry says %.5f rad, the robot's heading is %.5f", s.Theta, truth.Theta)
	}
}

// listenTo subscribes the user to a topic and gives what came so far when called.
func listenTo[T any, P ros2.MessageOf[T]](r *rig, topic string) func() []*T {
	r.Helper()
	return listenWith[T, P](r, topic, ros2.DefaultQoS())
}

func listenWith[T any, P ros2.MessageOf[T]](r *rig, topic string, qos ros2.QoS) func() []*T {
	r.Helper()
	var mu sync.Mutex
	var all []*T
	_, err := ros2.NewSubscription[T, P](r.user, topic, qos, func(m *T, _ ros2.MessageInfo) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, m)
	})
	r.must(err)
	return func() []*T {
		mu.Lock()
		defer mu.Unlock()
		return append([]*T(nil), all...)
	}
}

// last returns the newest message that was received.
func last[T any](r *rig, messages func() []*T) *T {
	r.Helper()
	all := messages()
	if len(all) == 0 {
		r.Fatal("no message was received")
	}
	return all[len(all)-1]
}

// publish sends one message from the user.
func publish[T any, P ros2.MessageOf[T]](r *rig, topic string, m *T) {
	r.Helper()
	pub, err := ros2.NewPublisher[T, P](r.user, topic, ros2.DefaultQoS())
	r.must(err)
	r.must(pub.Publish(m))
	r.must(pub.Close())
}

// logBook keeps log lines.
type logBook struct {
	mu    sync.Mutex
	lines []string
}

func (l *logBook) Enabled(context.Context, slog.Level) bool { return true }
func (l *logBook) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logBook) WithGroup(string) slog.Handler            { return l }

// Handle keeps level, message and attributes in one line.
func (l *logBook) Handle(_ context.Context, rec slog.Record) error {
	var b strings.Builder
	b.WriteString(rec.Level.String() + " " + rec.Message)
	rec.Attrs(func(a slog.Attr) bool {
		b.WriteString(" " + a.String())
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, b.String())
	return nil
}

// count returns the number of lines that contain the text.
func (l *logBook) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}
