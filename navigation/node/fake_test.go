// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// puppet is a robot that is exactly where its commands take it, without sensors.
type puppet struct {
	*testing.T
	node, other *ros2.Node
	navigator   *Node
	log         *strings.Builder
	odom        *ros2.Publisher[nav_msgs.Odometry]

	mu       sync.Mutex
	frame    string
	at       mapping.Pose
	v, omega float64
	commands int
	mute     bool
	ahead    time.Duration // of its clock
	held     bool          // it does not move, whatever the wheels do
	slipping bool          // the wheels turn on while it is held, so odometry moves
}

// withPuppet runs a test with a puppet, in simulated time.
func withPuppet(t *testing.T, cfg Config, test func(p *puppet)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ether := ros2test.NewNetwork()
		p := &puppet{T: t, log: &strings.Builder{}, frame: "odom"}
		node := func(name string) *ros2.Node {
			n, err := ros2.NewNode(ros2.NodeConfig{
				Name: name, Transport: ether.NewTransport(), Logger: slog.New(slog.NewTextHandler(locked{&p.mu, p.log}, nil)),
			})
			p.must(err)
			t.Cleanup(func() { p.must(n.Close()) })
			return n
		}
		p.node, p.other, cfg.Node = node("robot"), node("other"), node("navigator")
		var err error
		p.navigator, err = New(cfg)
		p.must(err)
		p.odom, err = ros2.NewPublisher[nav_msgs.Odometry](p.node, "odom", ros2.SensorDataQoS())
		p.must(err)
		if cfg.Stamped {
			_, err = ros2.NewSubscription[geometry_msgs.TwistStamped](p.node, "cmd_vel", ros2.DefaultQoS(),
				func(m *geometry_msgs.TwistStamped, _ ros2.MessageInfo) { p.command(&m.Twist) })
		} else {
			_, err = ros2.NewSubscription[geometry_msgs.Twist](p.node, "cmd_vel", ros2.DefaultQoS(),
				func(m *geometry_msgs.Twist, _ ros2.MessageInfo) { p.command(m) })
		}
		p.must(err)
		stop := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for tick := time.NewTicker(50 * time.Millisecond); ; {
				select {
				case <-tick.C:
					p.move()
				case <-stop:
					tick.Stop()
					return
				}
			}
		}()
		time.Sleep(time.Second)
		test(p)
		p.must(p.navigator.Close())
		close(stop)
		<-done
	})
}

// locked writes under the puppet's lock.
type locked struct {
	mu *sync.Mutex
	to *strings.Builder
}

func (l locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}

func (p *puppet) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *puppet) command(m *geometry_msgs.Twist) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.v, p.omega = m.Linear.X, m.Angular.Z
	p.commands++
}

// move advances by one cycle and publishes its pose.
func (p *puppet) move() {
	p.mu.Lock()
	if !p.held || p.slipping {
		p.at.Theta += p.omega * 0.05
		s, c := math.Sincos(p.at.Theta)
		p.at.X, p.at.Y = p.at.X+p.v*0.05*c, p.at.Y+p.v*0.05*s
	}
	var m nav_msgs.Odometry
	m.Header.FrameID, m.Header.Stamp = p.frame, builtin_interfaces.TimeOf(time.Now().Add(p.ahead))
	m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = p.at.X, p.at.Y
	m.Pose.Pose.Orientation.Z, m.Pose.Pose.Orientation.W = math.Sin(p.at.Theta/2), math.Cos(p.at.Theta/2)
	mute := p.mute
	p.mu.Unlock()
	if !mute {
		p.must(p.odom.Publish(&m))
	}
}

// where gives the pose and the command of now.
func (p *puppet) where() (at mapping.Pose, v, omega float64, commands int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at, p.v, p.omega, p.commands
}

func (p *puppet) near(x, y float64) {
	p.Helper()
	time.Sleep(200 * time.Millisecond)
	at, v, omega, _ := p.where()
	if math.Hypot(at.X-x, at.Y-y) > 0.006 || v != 0 || omega != 0 {
		p.Errorf("at %+v, %v m/s, %v rad/s; want (%v, %v)", at, v, omega, x, y)
	}
}

func one(frame string, x, y float64) []geometry_msgs.PoseStamped {
	return []geometry_msgs.PoseStamped{pose(frame, x, y, math.NaN())}
}

// TestStampedCommands: with Stamped, cmd_vel is a TwistStamped; between drives there is none.
func TestStampedCommands(t *testing.T) {
	withPuppet(t, Config{Stamped: true}, func(p *puppet) {
		p.must(p.navigator.Drive(p.Context(), one("odom", 0.1, 0.1), nil))
		p.near(0.1, 0.1)
		_, _, _, before := p.where()
		time.Sleep(5 * time.Second)
		if _, _, _, after := p.where(); after != before {
			t.Errorf("%d commands without a goal", after-before)
		}
	})
}

// place publishes the transform from the map to odometry's frame.
func (p *puppet) place(x, y, theta float64) {
	tf, err := ros2.NewPublisher[tf2_msgs.TFMessage](p.node, "/tf", ros2.DefaultQoS())
	p.must(err)
	var s geometry_msgs.TransformStamped
	s.Header.FrameID, s.ChildFrameID = "map", "odom"
	s.Transform.Translation.X, s.Transform.Translation.Y = x, y
	s.Transform.Rotation.Z, s.Transform.Rotation.W = math.Sin(theta/2), math.Cos(theta/2)
	other := s
	other.ChildFrameID, other.Transform.Translation.X = "elsewhere", 7
	p.must(tf.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{other, s}}))
	p.must(tf.Close())
	time.Sleep(100 * time.Millisecond)
}

// TestGoalsInTheMap: they follow the localisation, also while the robot drives.
func TestGoalsInTheMap(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		p.place(0.3, 0, math.Pi/2)
		p.must(p.navigator.Drive(p.Context(), one("map", 0.3, 0.2), nil)) // straight ahead
		p.near(0.2, 0)
		ended := make(chan error, 1)
		go func() {
			ended <- p.navigator.Drive(p.Context(), append(one("map", 0.3, 0.3), one("map", 0.3, 0.5)...), nil)
		}()
		time.Sleep(4 * time.Second) // the first is reached
		p.place(0.3, 0.1, math.Pi/2)
		p.must(<-ended)
		p.near(0.4, 0)
	})
}

// TestOdometryChangesItsFrame: a drive continues in the new one.
func TestOdometryChangesItsFrame(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		ended := make(chan error, 1)
		go func() { ended <- p.navigator.Drive(p.Context(), one("", 0.2, 0), nil) }()
		time.Sleep(time.Second)
		p.mu.Lock()
		p.frame = "robot1/odom"
		p.mu.Unlock()
		p.must(<-ended)
		p.near(0.2, 0)
		if err := p.navigator.Drive(p.Context(), one("odom", 0, 0), nil); !errors.Is(err, ErrFrame) {
			t.Error(err)
		}
	})
}

// TestKnownMap: an obstacle of the map is driven round though no sensor sees it; one on the goal is reported.
func TestKnownMap(t *testing.T) {
	withPuppet(t, Config{Map: "map", Drive: navigation.Config{Recoveries: -1}}, func(p *puppet) {
		pub, err := ros2.NewPublisher[nav_msgs.OccupancyGrid](p.other, "map", ros2.LatchedQoS())
		p.must(err)
		m, err := mapping.NewMap(mapping.Frame{Resolution: 0.01, X: -0.3, Y: -0.3, Width: 100, Height: 60})
		p.must(err)
		for row := 20; row < 40; row++ {
			for column := 43; column < 47; column++ {
				m.Cells[row*m.Width+column] = mapping.Occupied
			}
		}
		bad := gridOf(m, time.Now(), "map")
		bad.Data = bad.Data[1:]
		p.must(pub.Publish(bad))
		p.must(pub.Publish(gridOf(m, time.Now(), "map")))
		time.Sleep(100 * time.Millisecond)
		p.mu.Lock()
		if text := p.log.String(); !strings.Contains(text, "the map is not used") {
			t.Errorf("log: %q", text)
		}
		p.mu.Unlock()
		aside := 0.0
		p.must(p.navigator.Drive(p.Context(), one("odom", 0.35, 0), func(now Progress) { aside = max(aside, math.Abs(now.Pose.Y)) }))
		p.near(0.35, 0)
		if aside < 0.13 {
			t.Errorf("it went through the obstacle: %v m aside", aside)
		}
		if err := p.navigator.Drive(p.Context(), one("odom", 0.15, 0.05), nil); !errors.Is(err, navigation.ErrOccupied) {
			t.Error(err)
		}
		p.near(0.35, 0)
		// The map moves: what was free is not.
		p.place(0.2, 0, 0)
		if err := p.navigator.Drive(p.Context(), one("odom", -0.05, 0), nil); !errors.Is(err, navigation.ErrOccupied) {
			t.Error(err)
		}
		p.must(pub.Close())
	})
}

// TestOdometryPauses: a pause shorter than the timeout is waited for, a longer one ends the drive.
func TestOdometryPauses(t *testing.T) {
	withPuppet(t, Config{OdometryTimeout: 2 * time.Second}, func(p *puppet) {
		mute := func(on bool) {
			p.mu.Lock()
			p.mute = on
			p.mu.Unlock()
		}
		ended := make(chan error, 1)
		go func() { ended <- p.navigator.Drive(p.Context(), one("odom", 0.1, 0), nil) }()
		time.Sleep(time.Second)
		mute(true)
		time.Sleep(time.Second)
		mute(false)
		p.must(<-ended)
		mute(true)
		if err := p.navigator.Drive(p.Context(), one("odom", 0, 0), nil); !errors.Is(err, ErrNoOdometry) {
			t.Error(err)
		}
		if _, v, omega, _ := p.where(); v != 0 || omega != 0 {
			t.Errorf("%v m/s, %v rad/s", v, omega)
		}
	})
}

// TestFeedback: Nav2's numbers.
func TestFeedback(t *testing.T) {
	withPuppet(t, Config{Drive: navigation.Config{Limits: navigation.Limits{Speed: 0.1}}}, func(p *puppet) {
		f := p.navigator.feedback(Progress{
			Pose: mapping.Pose{X: 1, Y: 2, Theta: math.Pi}, Frame: "odom", Took: 3 * time.Second, Remaining: 0.5, Recoveries: 1 << 20,
		})
		at := f.CurrentPose
		if at.Header.FrameID != "odom" || at.Pose.Position.X != 1 || at.Pose.Position.Y != 2 || at.Pose.Orientation.Z != 1 ||
			f.NavigationTime.Duration() != 3*time.Second || f.EstimatedTimeRemaining.Duration() != 5*time.Second ||
			f.DistanceRemaining != 0.5 || f.NumberOfRecoveries != math.MaxInt16 {
			t.Errorf("%+v", f)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("without a node")
	}
	synctest.Test(t, func(t *testing.T) {
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "x", Transport: ros2test.NewNetwork().NewTransport()})
		if err != nil {
			t.Fatal(err)
		}
		defer node.Close()
		bad := Config{Node: node, Drive: navigation.Config{Planner: navigation.Planner{Resolution: -1}}}
		if _, err := New(bad); !errors.Is(err, mapping.ErrSize) {
			t.Error(err)
		}
		if _, err := New(Config{Node: node, Map: "no good name"}); err == nil {
			t.Error("a topic that can't be")
		}
	})
}
