// SPDX-License-Identifier: Apache-2.0

// Package blackbox records a run so that it can be repeated: its topics, the bytes of the bus and the facts of the
// run; and the recordings of a driver.
package blackbox

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/bag/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/busrecord"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// TopicBus is the hidden topic of the bus traffic: batches of package busrecord in std_msgs/msg/UInt8MultiArray.
const TopicBus = "_bus"

// RobotAddress is the bus address of the robot's main processor.
const RobotAddress = 0x1F

// busPause is the time for which events are collected for one message.
const busPause = 200 * time.Millisecond

// busDepth is the number of these messages that are kept for a slow or late recorder: ten seconds.
const busDepth = 50

// Box records a driver: its topics by the parameters record.*, its bus for the subscribers of _bus.
type Box struct {
	node  *ros2.Node
	log   *slog.Logger
	tap   *busrecord.Tap
	rec   *blackbox.Recorder
	bus   *ros2.Publisher[std_msgs.UInt8MultiArray]
	trace [sha256.Size]byte

	unpublished atomic.Uint64 // events of batches that were not published
}

// New wraps the bus of the robot's main processor in the configuration of a driver that is created afterwards.
func New(node *ros2.Node, config *driver.Config, log *slog.Logger) (b *Box, err error) {
	robot, ok := config.Hardware.(hardware.OnBus)
	if !ok {
		return nil, fmt.Errorf("%w: %T has no bus to record", driver.ErrConfig, config.Hardware)
	}
	b = &Box{node: node, log: log}
	robot.WrapBus(func(bus pi2c.Bus) pi2c.Bus {
		b.tap = busrecord.NewTap(bus, RobotAddress, node.Clock().Now)
		return b.tap
	})
	config.OnReading = b.tap.Used
	b.rec, err = blackbox.New(blackbox.Config{
		Node: node, Types: msgs.Definition, Variants: []dynamic.Lookup{msgs.DefinitionJazzy}, Directory: bagsFolder(), Library: "epuck-driver " + build.Version, ButtonTopic: "button",
		BusTopics: []string{TopicBus}, RunTopics: []string{TopicRun},
		BusDropped: func() uint64 { return b.tap.Dropped() + b.unpublished.Load() },
	})
	if err != nil {
		return nil, err
	}
	always := blackbox.BusFromStart(node) // from the first exchange: the recorder subscribes shortly afterwards
	b.tap.On(always)
	b.bus, err = ros2.NewPublisher[std_msgs.UInt8MultiArray](node, TopicBus, ros2.LatchedQoS().WithDepth(busDepth),
		ros2.OnSubscribers(func(n int) { b.tap.On(always || n > 0) }))
	return b, err
}

// bagsFolder returns the default folder of recordings: the service's state folder if systemd sets it.
func bagsFolder() string {
	if dir := os.Getenv("STATE_DIRECTORY"); dir != "" {
		return filepath.Join(dir, "bags")
	}
	return "bags"
}

// Begin publishes and records until end is called. trace is nil except for a simulated run.
func (b *Box) Begin(ctx context.Context, facts Facts, trace Trace) (end func(), err error) {
	facts.Parameters = map[string]string{}
	for _, d := range table.Parameters() {
		if v, err := b.node.Parameter(d.Name); err == nil {
			facts.Parameters[d.Name] = v.String()
		}
	}
	factsPub, err := NewFactsPublisher(b.node, facts, trace)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	recording, stop := context.WithCancel(context.WithoutCancel(ctx)) // it ends last, so that it records all messages
	var publishers, recorder task.Group
	publishers.Go("black box: bus", func() { b.publishTraffic(ctx) })
	publishers.Go("black box: facts", func() { factsPub.run(ctx) })
	recorder.Go("black box: recorder", func() {
		if err := b.rec.Run(recording); err != nil {
			b.log.Error("no recordings", "error", err)
		}
	})
	return func() { cancel(); publishers.Wait(); stop(); recorder.Wait() }, nil
}

// publishTraffic publishes the bus traffic while there is a subscriber.
func (b *Box) publishTraffic(ctx context.Context) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			b.publish()
			return
		case <-b.tap.Wake():
		}
		pause.Reset(busPause)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		b.publish()
	}
}

// publish publishes the collected events as one batch.
func (b *Box) publish() {
	var events []byte
	var first, count uint64
	b.tap.Drain(func(n uint64, e busrecord.Event) {
		if events == nil {
			first = n
		}
		count++
		events = busrecord.Append(events, e)
	})
	if events == nil {
		return
	}
	var m std_msgs.UInt8MultiArray
	m.Data, b.trace = busrecord.AppendBatch(nil, first, b.trace, events)
	if err := b.bus.Publish(&m); err != nil && !errors.Is(err, ros2.ErrClosed) {
		b.unpublished.Add(count)
		b.log.Debug("the bus traffic was not published", "error", err)
	}
}
