// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Frame is the frame of everything here: x east and y north, as in world files.
const Frame = "world"

// DefaultRate is how often true poses are published, Hz.
const DefaultRate = 20.0

// ErrConfig is matched when a field of [Config] is missing.
var ErrConfig = errors.New("worldview: bad configuration")

// Config describes a [View].
type Config struct {
	// Node publishes. It is required; the view does not close it.
	Node *ros2.Node
	// World is what is shown. It is required.
	World *sim.World
	// Robots are the simulated robots by the namespace of their nodes, as in "/robot1".
	Robots map[string]Robot
	// Simulation is where the world lives. Without it the world is told once, as it was first; with it again when
	// something in it has changed.
	Simulation *sim.Simulation
	// Rate is how often true poses are published, Hz. It defaults to [DefaultRate].
	Rate float64
}

// View publishes a world. It owns its publishers and goroutines; Close ends them. It is safe for concurrent use.
type View struct {
	node   *ros2.Node
	period time.Duration
	things *ros2.Publisher[visualization_msgs.MarkerArray]
	stop   chan struct{} // closed when things are told no more
	group  task.Group

	mu     sync.Mutex
	truths map[string]*truth // by namespace
	closed bool
}

// truth publishes where one robot is.
type truth struct {
	robot Robot
	clock ros2.Clock
	pub   *ros2.Publisher[nav_msgs.Odometry]
	wake  chan struct{} // holds a token after the first subscriber came
	plain func() error  // withdraws the robot's outline
	stop  chan struct{}
	done  chan struct{} // closed when nothing is published any more
}

// New publishes a world, and where its robots are while there is a subscriber to that.
func New(cfg Config) (*View, error) {
	if cfg.Node == nil || cfg.World == nil {
		return nil, fmt.Errorf("%w: Node and World are required", ErrConfig)
	}
	if cfg.Rate <= 0 {
		cfg.Rate = DefaultRate
	}
	v := &View{node: cfg.Node, period: time.Duration(float64(time.Second) / cfg.Rate), truths: map[string]*truth{}, stop: make(chan struct{})}
	var err error
	if v.things, err = ros2.NewPublisher[visualization_msgs.MarkerArray](cfg.Node, "/world", ros2.LatchedQoS()); err != nil {
		return nil, err
	}
	if err := v.things.Publish(Markers(cfg.World)); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	if cfg.Simulation != nil {
		now := sceneOf(cfg.Simulation)
		v.group.Go("changes of the world", func() { v.watch(cfg.World, cfg.Simulation, now) })
	}
	for namespace, robot := range cfg.Robots {
		if err := v.Add(namespace, robot); err != nil {
			return nil, errors.Join(err, v.Close())
		}
	}
	return v, nil
}

// Add tells where one more robot is, that of the namespace.
func (v *View) Add(namespace string, robot Robot) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, there := v.truths[namespace]; there || v.closed {
		return fmt.Errorf("%w: %s is shown, or nothing any more", ErrConfig, namespace)
	}
	t, err := newTruth(v.node, namespace, robot)
	if err != nil {
		return err
	}
	v.truths[namespace] = t
	v.group.Go("ground truth of "+robot.Name(), func() {
		defer close(t.done)
		t.publish(v.period, t.stop)
	})
	return nil
}

// Remove tells no more where the robot of a namespace is.
func (v *View) Remove(namespace string) error {
	v.mu.Lock()
	t, there := v.truths[namespace]
	delete(v.truths, namespace)
	v.mu.Unlock()
	if !there {
		return nil
	}
	return t.end()
}

func (t *truth) end() error {
	close(t.stop)
	<-t.done
	return errors.Join(t.pub.Close(), t.plain())
}

func newTruth(n *ros2.Node, namespace string, robot Robot) (*truth, error) {
	t := &truth{robot: robot, clock: n.Clock(), wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	var err error
	if t.plain, err = outline(n, namespace, robot); err != nil {
		return nil, err
	}
	t.pub, err = ros2.NewPublisher[nav_msgs.Odometry](n, below(namespace, "ground_truth"), ros2.DefaultQoS().WithDepth(1), ros2.OnSubscribers(func(count int) {
		if count == 0 {
			return
		}
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}))
	if err != nil {
		return nil, errors.Join(err, t.plain())
	}
	return t, nil
}

// publish tells where the robot is, once a period while there is a subscriber, and sleeps otherwise.
func (t *truth) publish(period time.Duration, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-t.wake:
		}
		if !t.publishWhileSubscribed(period, stop) {
			return
		}
	}
}

// publishWhileSubscribed publishes until the last subscriber has gone; false after stop.
func (t *truth) publishWhileSubscribed(period time.Duration, stop <-chan struct{}) bool {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for t.pub.HasSubscribers() {
		if t.pub.Publish(t.message()) != nil { // the node was closed
			return true
		}
		select {
		case <-stop:
			return false
		case <-tick.C:
		}
	}
	return true
}

func (t *truth) message() *nav_msgs.Odometry {
	now, m := t.robot.GroundTruth(), &nav_msgs.Odometry{}
	m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(t.clock.Now())
	m.Header.FrameID, m.ChildFrameID = Frame, "base_link"
	m.Pose.Pose.Position = geometry_msgs.Point{X: now.Pose.X, Y: now.Pose.Y}
	m.Pose.Pose.Orientation = heading(now.Pose.Theta)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = now.V, now.Omega
	return m
}

// Close withdraws all topics. Closing twice is harmless.
func (v *View) Close() error {
	v.mu.Lock()
	truths := v.truths
	if !v.closed {
		close(v.stop)
	}
	v.truths, v.closed = nil, true
	v.mu.Unlock()
	var errs []error
	for _, t := range truths {
		errs = append(errs, t.end())
	}
	v.group.Wait()
	return errors.Join(append(errs, v.things.Close())...)
}
