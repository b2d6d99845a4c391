// SPDX-License-Identifier: Apache-2.0

package node

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Map is a map that is being built: [mapping.ConeGrid], [mapping.LogOdds] or [mapping.RayGrid].
type Map interface {
	Add(b mapping.Beam) error
	Map() (*mapping.Map, error)
}

// Clearer is a [Map] that also clears the robot's footprint.
type Clearer interface {
	Clear(x, y, radius float64)
}

// Config is the configuration of a mapper.
type Config struct {
	// Node is the ROS node that the mapper uses and does not close. It is required.
	Node *ros2.Node
	// Map integrates the readings. It is required; nothing else may use it until Close.
	Map Map
	// Ranges are the Range topics, Scans the LaserScan topics whose readings go into the map. They default to the
	// e-puck2's distance sensors ps0 to ps7 and tof, and to none.
	Ranges, Scans []string
	// MapFrame and BaseFrame are the frames of the map and of the robot; they default to map and base_link.
	MapFrame, BaseFrame string
	// Radius is the radius of the robot's footprint, m, which is cleared in a map that is a [Clearer]. It defaults to
	// the e-puck2's 35.5 mm.
	Radius float64
	// Period is the minimum time between two publications of a changed map; it defaults to 1 s.
	Period time.Duration
	// File is the path to which the service save_map saves the map, without an extension; it defaults to map.
	File string
	// Save holds the options of the file; the zero value is map_saver's format.
	Save mapping.FileOptions
	// Place publishes the identity as the transform from MapFrame to odometry's frame. Leave it false where a localization
	// publishes that transform.
	Place bool
	// Quiet makes the mapper only integrate readings: it publishes no topic or transform and has no service.
	Quiet bool
}

// maxPending is the maximum number of readings that wait for odometry.
const maxPending = 4096

// Node builds a map. Its methods are safe for concurrent use; Close ends it.
type Node struct {
	cfg    Config
	grid   *ros2.Publisher[nav_msgs.OccupancyGrid]
	meta   *ros2.Publisher[nav_msgs.MapMetaData]
	tf     *ros2.Publisher[tf2_msgs.TFMessage]
	closes []func() error

	mu          sync.Mutex
	poses       poses
	frames      frames
	pending     []reading
	stamps      Stamps              // of odometry
	transformed string              // the frame of odometry whose transform was queued; empty: none
	rejected    string              // the error of odometry's last pose; empty: none
	missing     map[string]*missing // by frame
	stats       Stats
	published   time.Time // time of the last publication of the map
	changed     bool      // the map has changed since then
	outbox      []func() error

	sending sync.Mutex // keeps what is published in order
}

// missing is a sensor without a transform to the base frame.
type missing struct {
	since    time.Time
	reported bool
}

// Stats counts readings.
type Stats struct {
	// Used readings were integrated into the map.
	Used uint64
	// Late readings were dropped while they waited for odometry, or are older than its first pose.
	Late uint64
	// Refused readings were rejected by the map: a value of the beam is out of range, or [mapping.ErrSize].
	Refused uint64
}

// New starts a mapper. It fails if Node or Map is missing, or if a topic or a service can't be created.
func New(cfg Config) (*Node, error) {
	if cfg.Node == nil || cfg.Map == nil {
		return nil, errors.New("mapper: no node or no map")
	}
	n := &Node{cfg: cfg.withDefaults(), missing: map[string]*missing{}}
	if err := n.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("mapper: %w", err), n.Close())
	}
	return n, nil
}

func (c Config) withDefaults() Config {
	c.Radius = cmp.Or(c.Radius, robot.BodyRadius+robot.MapMargin)
	if c.Ranges == nil && c.Scans == nil {
		c.Ranges = []string{"ps0", "ps1", "ps2", "ps3", "ps4", "ps5", "ps6", "ps7", "tof"}
	}
	for _, f := range []struct {
		v        *string
		fallback string
	}{{&c.MapFrame, "map"}, {&c.BaseFrame, "base_link"}, {&c.File, "map"}} {
		if *f.v == "" {
			*f.v = f.fallback
		}
	}
	if c.Period == 0 {
		c.Period = time.Second
	}
	return c
}

// open creates publishers, service and subscriptions.
func (n *Node) open() (err error) {
	if n.cfg.Quiet {
		return n.listen()
	}
	if n.grid, err = ros2.NewPublisher[nav_msgs.OccupancyGrid](n.cfg.Node, "map", ros2.LatchedQoS()); err != nil {
		return err
	}
	n.closes = append(n.closes, n.grid.Close)
	if n.meta, err = ros2.NewPublisher[nav_msgs.MapMetaData](n.cfg.Node, "map_metadata", ros2.LatchedQoS()); err != nil {
		return err
	}
	n.closes = append(n.closes, n.meta.Close)
	if n.cfg.Place {
		if n.tf, err = ros2.NewPublisher[tf2_msgs.TFMessage](n.cfg.Node, "/tf_static", ros2.TFStaticQoS()); err != nil {
			return err
		}
		n.closes = append(n.closes, n.tf.Close)
	}
	save, err := ros2.NewService(n.cfg.Node, std_srvs.Trigger{}, "save_map", n.save)
	if err != nil {
		return err
	}
	n.closes = append(n.closes, save.Close)
	return n.listen()
}

// listen subscribes to odometry, frames and sensors.
func (n *Node) listen() error {
	sensors := ros2.SensorDataQoS()
	err := subscribe(n, "odom", sensors, n.onOdom)
	err = errors.Join(err, subscribe(n, "/tf_static", ros2.TFStaticListenerQoS(), n.onFrames, ros2.MatchAllPublishers()))
	for _, topic := range n.cfg.Ranges {
		err = errors.Join(err, subscribe(n, topic, sensors, n.onRange))
	}
	for _, topic := range n.cfg.Scans {
		err = errors.Join(err, subscribe(n, topic, sensors, n.onScan))
	}
	return err
}

// send publishes the outbox. It is called without the lock: publishing may call a callback of this node, which
// subscribes to a topic that it also publishes.
func (n *Node) send() {
	n.mu.Lock()
	pending := len(n.outbox) > 0
	n.mu.Unlock()
	if !pending {
		return
	}
	n.sending.Lock()
	defer n.sending.Unlock()
	n.mu.Lock()
	outbox := n.outbox
	n.outbox = nil
	n.mu.Unlock()
	for _, publish := range outbox {
		if err := publish(); err != nil {
			n.cfg.Node.Logger().Warn("the map can't be published", "error", err)
		}
	}
}

func subscribe[T any, P ros2.MessageOf[T]](n *Node, topic string, qos ros2.QoS, callback func(*T), opts ...ros2.SubscriptionOption) error {
	sub, err := ros2.NewSubscription[T, P](n.cfg.Node, topic, qos, func(m *T, _ ros2.MessageInfo) {
		n.mu.Lock()
		callback(m)
		n.mu.Unlock()
		n.send()
	}, opts...)
	if err != nil {
		return err
	}
	n.closes = append(n.closes, sub.Close)
	return nil
}

func (n *Node) onFrames(m *tf2_msgs.TFMessage)  { n.frames.add(m) }
func (n *Node) onScan(m *sensor_msgs.LaserScan) { n.ofScan(m, n.enqueue) }
func (n *Node) onRange(m *sensor_msgs.Range) {
	if r, ok := n.ofRange(m); ok {
		n.enqueue(r)
	}
}

// Close closes publishers, service and subscriptions. More calls have no effect.
func (n *Node) Close() error {
	var errs []error
	for i := len(n.closes) - 1; i >= 0; i-- {
		errs = append(errs, n.closes[i]())
	}
	n.closes = nil
	return errors.Join(errs...)
}

// Stats returns the counters.
func (n *Node) Stats() Stats {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.stats
}
