// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Frame is the frame of all messages: x east and y north, as in world files.
const Frame = "world"

// DefaultRate is the default rate of true poses, Hz of simulated time.
const DefaultRate = 20.0

// ErrConfig is matched when a field of [Config] is missing.
var ErrConfig = errors.New("groundtruth: bad configuration")

// Config configures a [View].
type Config struct {
	// Node has the publishers. It is required; the view does not close it.
	Node *ros2.Node
	// Clock is the clock of the simulation, which stamps and times the true poses. It defaults to that of Node.
	Clock ros2.Clock
	// Paused reports whether the clock is paused: the true poses are then published when they have changed, and to
	// new subscribers. It defaults to a function that returns false.
	Paused func() bool
	// World is the world to publish. It is required.
	World *sim.World
	// Robots are the simulated robots by the namespace of their nodes, as in "/robot1".
	Robots map[string]Robot
	// Simulation has the current state of the world, which is published after each change. Without it the world is
	// published once, in its initial state.
	Simulation *sim.Simulation
	// Rate is the rate of the true poses, Hz of simulated time: at the multiples of its period. It defaults to
	// [DefaultRate].
	Rate float64
}

// View publishes a world. It owns its publishers and goroutines; Close ends them. It is safe for concurrent use.
type View struct {
	node   *ros2.Node
	clock  ros2.Clock
	paused func() bool
	period time.Duration
	things *ros2.Publisher[visualization_msgs.MarkerArray]
	wake   chan struct{} // holds a token after a subscriber to a true pose was added
	stop   chan struct{} // closed by Close
	group  task.Group

	mu     sync.Mutex
	truths map[string]*truth // by namespace
	closed bool
}

// New publishes a world, and the true poses of its robots while they have subscribers.
func New(cfg Config) (*View, error) {
	if cfg.Node == nil || cfg.World == nil {
		return nil, fmt.Errorf("%w: Node and World are required", ErrConfig)
	}
	if cfg.Rate <= 0 {
		cfg.Rate = DefaultRate
	}
	if cfg.Clock == nil {
		cfg.Clock = cfg.Node.Clock()
	}
	if cfg.Paused == nil {
		cfg.Paused = func() bool { return false }
	}
	v := &View{
		node: cfg.Node, clock: cfg.Clock, paused: cfg.Paused, period: time.Duration(float64(time.Second) / cfg.Rate),
		truths: map[string]*truth{}, wake: make(chan struct{}, 1), stop: make(chan struct{}),
	}
	var err error
	if v.things, err = ros2.NewPublisher[visualization_msgs.MarkerArray](cfg.Node, "/world", ros2.LatchedQoS()); err != nil {
		return nil, err
	}
	if err := v.things.Publish(Markers(cfg.World)); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	v.group.Go("ground truth", v.publishTruths)
	var was scene // before New returns, so that later changes are published
	if cfg.Simulation != nil {
		was = sceneOf(cfg.Simulation)
	}
	v.group.Go("changes of the world", func() { v.watch(cfg.World, cfg.Simulation, was) })
	for namespace, robot := range cfg.Robots {
		if err := v.Add(namespace, robot); err != nil {
			return nil, errors.Join(err, v.Close())
		}
	}
	return v, nil
}

// Add publishes the true pose of one more robot, in the namespace of its node.
func (v *View) Add(namespace string, robot Robot) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, there := v.truths[namespace]; there || v.closed {
		return fmt.Errorf("%w: namespace %s is in use, or the view is closed", ErrConfig, namespace)
	}
	t, err := v.newTruth(namespace, robot)
	if err != nil {
		return err
	}
	v.truths[namespace] = t
	return nil
}

// Remove closes the publishers of the robot of a namespace; without such a robot it does nothing.
func (v *View) Remove(namespace string) error {
	v.mu.Lock()
	t, there := v.truths[namespace]
	delete(v.truths, namespace)
	v.mu.Unlock()
	if !there {
		return nil
	}
	return t.close()
}

// Close closes all publishers. Later calls have no effect.
func (v *View) Close() error {
	v.mu.Lock()
	truths := v.truths
	if !v.closed {
		close(v.stop)
	}
	v.truths, v.closed = nil, true
	v.mu.Unlock()
	v.group.Wait()
	var errs []error
	for _, t := range truths {
		errs = append(errs, t.close())
	}
	return errors.Join(append(errs, v.things.Close())...)
}
