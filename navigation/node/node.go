// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

var (
	// ErrReplaced is returned by a drive that another one has replaced.
	ErrReplaced = errors.New("navigator: replaced by another goal")
	// ErrNoOdometry is matched when no odometry is received, or it stops.
	ErrNoOdometry = errors.New("navigator: no odometry")
	// ErrFrame is matched when the robot's pose is unknown in the frame of a goal.
	ErrFrame = errors.New("navigator: unknown frame")
	// ErrMap is matched when the known map cannot be used: its frame is unknown, or its origin is not in the plane of
	// the robot.
	ErrMap = errors.New("navigator: the map is not used")
	// errPose is wrapped by the errors of goals that are not poses in the plane.
	errPose = fmt.Errorf("navigator: %w", navigation.ErrGoal)
)

// Config configures a navigator node.
type Config struct {
	// Node is the ROS 2 node to use; the navigator does not close it. It is required.
	Node *ros2.Node
	// Drive configures the navigator.
	Drive navigation.Config
	// Exact makes the robot drive straight from pose to pose and ignore obstacles, as for a benchmark's path.
	Exact bool
	// Ranges are the Range topics and Scans the LaserScan topics of the sensors; see [mapnode.Config].
	Ranges, Scans []string
	// Map is the topic of a static map, in MapFrame. It defaults to none.
	Map string
	// Stamped publishes cmd_vel as TwistStamped instead of Twist.
	Stamped bool
	// DetectStamped ignores Stamped: cmd_vel has the type to which the robot subscribes, Twist if it subscribes to
	// both, and is published once there is a subscription.
	DetectStamped bool
	// MapFrame and BaseFrame are the frames of the map and of the robot; they default to map and base_link. Until a
	// transform from the map to odometry's frame is received both are taken to be the same.
	MapFrame, BaseFrame string
	// OdometryTimeout is how long odometry may be missing during a drive. It defaults to 5 s.
	OdometryTimeout time.Duration
}

func (c Config) withDefaults() Config {
	for _, f := range []struct {
		v       *string
		without string
	}{{&c.MapFrame, "map"}, {&c.BaseFrame, "base_link"}} {
		if *f.v == "" {
			*f.v = f.without
		}
	}
	if c.OdometryTimeout == 0 {
		c.OdometryTimeout = 5 * time.Second
	}
	return c
}

// Node drives to goals, one drive at a time. Its methods are safe for concurrent use; Close ends it.
type Node struct {
	cfg    Config
	log    *slog.Logger
	cmd    sendCommand // with closeCmd guarded by sending
	plan   *ros2.Publisher[nav_msgs.Path]
	seen   *ros2.Publisher[nav_msgs.OccupancyGrid]
	closes []func() error
	// closeCmd closes the publisher of cmd; nil until there is one.
	closeCmd func() error
	ctx      context.Context // context of drives without a client
	cancel   context.CancelFunc
	// workers run those drives.
	workers task.Group

	mu        sync.Mutex
	nav       *navigation.Navigator
	odom      string       // odometry's frame, once known
	pose      mapping.Pose // the robot's last pose in that frame
	odomInMap mapping.Pose // pose of odometry's frame in the map's
	// framesInMap are the poses of frames in the map's that were received before odometry's frame was known: a static
	// transform is sent once.
	framesInMap map[string]mapping.Pose
	known       *mapping.Map // in the frame of its messages, knownFrame
	mapFault    error        // the reason why the known map, or its last message, cannot be used
	projected   projected    // the known map as it was passed to the planner
	drive       *drive
	// knownFrame is MapFrame, odometry's frame, or empty, which is MapFrame.
	knownFrame string
	faults     map[string]string // kind of error by source of poses; logged on change
	request    *request          // the latest request with a drive
	published  time.Time         // stamp of the odometry when plan and seen were published
	stamps     mapnode.Stamps
	sending    sync.Mutex
}

// New starts a navigator. It fails if Node is missing, or if a parameter, a topic or an action can't be created.
func New(cfg Config) (*Node, error) {
	if cfg.Node == nil {
		return nil, errors.New("navigator: no node")
	}
	if err := declare(cfg.Node, &cfg.Drive); err != nil {
		return nil, fmt.Errorf("navigator: %w", err)
	}
	nav, err := navigation.NewNavigator(cfg.Drive)
	if err != nil {
		return nil, fmt.Errorf("navigator: %w", err)
	}
	n := &Node{cfg: cfg.withDefaults(), nav: nav, log: cfg.Node.Logger(), faults: map[string]string{}, framesInMap: map[string]mapping.Pose{}}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	if err := errors.Join(n.createPublishers(), n.listen()); err != nil {
		return nil, errors.Join(fmt.Errorf("navigator: %w", err), n.Close())
	}
	return n, nil
}

// createPublishers creates the publishers.
func (n *Node) createPublishers() (err error) {
	if err = n.createCommands(); err != nil {
		return err
	}
	n.closes = append(n.closes, n.closeCommands)
	if n.plan, err = ros2.NewPublisher[nav_msgs.Path](n.cfg.Node, "plan", ros2.DefaultQoS()); err != nil {
		return err
	}
	n.closes = append(n.closes, n.plan.Close)
	if n.seen, err = ros2.NewPublisher[nav_msgs.OccupancyGrid](n.cfg.Node, "seen", ros2.LatchedQoS()); err != nil {
		return err
	}
	n.closes = append(n.closes, n.seen.Close)
	return nil
}

// listen subscribes to odometry, transforms, sensors and the map.
func (n *Node) listen() error {
	beams, err := mapnode.New(mapnode.Config{
		Node: n.cfg.Node, Map: (*observer)(n), Ranges: n.cfg.Ranges, Scans: n.cfg.Scans, BaseFrame: n.cfg.BaseFrame, Quiet: true,
	})
	if err != nil {
		return err
	}
	n.closes = append(n.closes, beams.Close)
	err = subscribe(n, "odom", ros2.SensorDataQoS(), n.onOdom)
	err = errors.Join(err, subscribe(n, "/tf", ros2.SensorDataQoS().WithDepth(100), n.onTF))
	err = errors.Join(err, subscribe(n, "/tf_static", ros2.TFStaticListenerQoS(), n.onTF, ros2.MatchAllPublishers()))
	err = errors.Join(err, subscribe(n, "goal_pose", ros2.DefaultQoS(), n.onGoal)) // earlier goals are ignored
	if n.cfg.Map != "" {
		err = errors.Join(err, subscribe(n, n.cfg.Map, ros2.LatchedQoS(), n.onMap, ros2.MatchAllPublishers()))
	}
	return errors.Join(err, n.serveActions())
}

func subscribe[T any, P ros2.MessageOf[T]](n *Node, topic string, qos ros2.QoS, callback func(*T), opts ...ros2.SubscriptionOption) error {
	sub, err := ros2.NewSubscription[T, P](n.cfg.Node, topic, qos, func(m *T, _ ros2.MessageInfo) { callback(m) }, opts...)
	if err == nil {
		n.closes = append(n.closes, sub.Close)
	}
	return err
}

// observer implements the mapper's interface for readings with the node's navigator.
type observer Node

// Add adds a reading.
func (s *observer) Add(b mapping.Beam) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nav.Add(b)
}

// Map returns the map of the observations.
func (s *observer) Map() (*mapping.Map, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nav.Map()
}

// Close stops the robot if it drives, and closes topics and actions. Later calls have no effect.
func (n *Node) Close() error {
	n.cancel()
	n.mu.Lock()
	driving := n.drive != nil
	n.end(ros2.ErrClosed)
	n.mu.Unlock()
	if driving {
		n.command(time.Time{}, 0, 0)
	}
	n.workers.Wait()
	var errs []error
	for i := len(n.closes) - 1; i >= 0; i-- {
		errs = append(errs, n.closes[i]())
	}
	n.closes = nil
	return errors.Join(errs...)
}

// maxFrames is the maximum number of frames that are kept until odometry's is known.
const maxFrames = 64

// onTF stores the transform from the map to odometry's frame, or the inverse. An invalid transform, or one that is
// not in the plane, is not used; the log has the reason.
func (n *Node) onTF(m *tf2_msgs.TFMessage) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range m.Transforms {
		t := &m.Transforms[i]
		frame, forward := t.ChildFrameID, t.Header.FrameID == n.cfg.MapFrame
		if !forward {
			frame = t.Header.FrameID
		}
		if !forward && t.ChildFrameID != n.cfg.MapFrame || n.odom != "" && frame != n.odom {
			continue
		}
		p, err := planar.TransformOf(t.Transform)
		if n.fault("the transform from "+t.Header.FrameID+" to "+t.ChildFrameID, err) {
			continue
		}
		place := mapping.Pose{X: p.X, Y: p.Y, Theta: p.Theta}
		if !forward {
			place = place.Inverse()
		}
		switch {
		case n.odom == "" && len(n.framesInMap) < maxFrames:
			n.framesInMap[frame] = place
		case n.odom != "" && place != n.odomInMap:
			n.odomInMap = place
			n.moveGoals()
		}
	}
}

// fault reports whether there is an error, and logs on change that poses of a source are not used. The lock is held.
func (n *Node) fault(source string, err error) bool {
	kind := ""
	if err != nil {
		kind = mapnode.OdometryFault(err)
	}
	if n.faults[source] != kind {
		n.faults[source] = kind
		if err != nil {
			n.log.Warn(source+" is not used", "error", err)
		}
	}
	return err != nil
}
