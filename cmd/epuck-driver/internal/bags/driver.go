// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/i2c/busrecord"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// errNoBus is returned for a bag without a recording of the robot's bus.
var errNoBus = errors.New("the bag does not hold the robot's bus: record it with \"bag record --bus\", or the parameter record.bus")

// busRecording is the recording of a robot's bus in a bag.
type busRecording struct {
	namespace string
	facts     blackbox.Facts
	readings  []busrecord.Reading
	gaps      int    // number of missing events
	trace     string // of the last batch
	whole     bool   // the trace of each batch continues the previous one
	odometry  map[int64][]byte
}

// readBus reads the recording of the first robot in a bag that has one.
func readBus(b *bag.Bag) (r busRecording, err error) {
	if !r.find(b) {
		return r, errNoBus
	}
	r.whole, r.odometry = true, map[int64][]byte{}
	names := map[string]bool{r.namespace + "/" + blackbox.TopicBus: true, r.namespace + "/" + blackbox.TopicRun: true, r.namespace + "/odom": true}
	reader := busReader{busRecording: &r}
	for m, err := range b.Messages(bag.Range{Topic: func(t *bag.Topic) bool { return names[t.Name] }}) {
		if err == nil {
			err = reader.next(m.Topic.Name, m.Data)
		}
		if err != nil {
			return r, err
		}
	}
	r.readings = busrecord.Readings(reader.events, driver.ValidReading)
	if len(r.readings) == 0 {
		return r, errNoBus
	}
	return r, nil
}

// find looks for a recorded bus among the topics of a bag.
func (r *busRecording) find(b *bag.Bag) bool {
	for _, t := range b.Topics() {
		if base, ok := strings.CutSuffix(t.Name, "/"+blackbox.TopicBus); ok {
			r.namespace = base
			return true
		}
	}
	return false
}

// busReader reads a recording.
type busReader struct {
	*busRecording
	events []busrecord.Event
	last   busrecord.Batch
}

// next processes the next message.
func (r *busReader) next(topic string, data []byte) (err error) {
	switch strings.TrimPrefix(topic, r.namespace+"/") {
	case blackbox.TopicRun:
		var text std_msgs.String
		if err = cdr.Unmarshal(data, &text); err == nil {
			err = json.Unmarshal([]byte(text.Data), &r.facts)
		}
	case "odom":
		var odom nav_msgs.Odometry
		if err = cdr.Unmarshal(data, &odom); err == nil {
			r.odometry[odom.Header.Stamp.Time().UnixNano()] = data
		}
	default:
		err = r.takeBatch(data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	return nil
}

// takeBatch appends a batch of transfers.
func (r *busReader) takeBatch(data []byte) error {
	var array std_msgs.UInt8MultiArray
	if err := cdr.Unmarshal(data, &array); err != nil {
		return err
	}
	batch, err := busrecord.ReadBatch(array.Data)
	if err != nil {
		return err
	}
	if r.last.Events != nil {
		r.gaps += int(batch.First - r.last.First - uint64(len(r.last.Events)))
		r.whole = r.whole && batch.Follows(r.last.Trace)
	}
	r.last, r.trace = batch, blackbox.TraceText(batch.Trace)
	r.events = append(r.events, batch.Events...)
	return nil
}

// arguments returns ROS arguments with the parameters of the recording; the command line's own follow and override
// them.
func (r *busRecording) arguments(p *frame.Program) (ros2.Args, error) {
	words := []string{frame.ROSArgs}
	if r.namespace != "" {
		words = append(words, "-r", "__ns:="+r.namespace)
	}
	for name, value := range r.facts.Parameters {
		if value != "null" {
			words = append(words, "-p", name+":="+value)
		}
	}
	for i, w := range p.Line {
		if w == frame.ROSArgs {
			words = append(words, p.Line[i+1:]...)
			break
		}
	}
	args, _, err := ros2.ParseArgs(words)
	return args, err
}

// replayed compares a replay with the recording.
type replayed struct {
	readings, odometry, equal, twists int
}

// replayDriver runs a driver on the recording: each reading is processed at the time at which it was recorded. rate
// is the playback rate; 0 is as fast as possible.
func (r *busRecording) replayDriver(ctx context.Context, node *ros2.Node, rate float64, log *slog.Logger) (out replayed, err error) {
	clock := ros2.NewManualClock(time.Unix(0, r.readings[0].Taken))
	robot := busrecord.NewReplay(blackbox.RobotAddress)
	robot.SetReading(r.readings[0].Read)
	d, err := driver.New(driver.Config{Node: node, Hardware: &chips.Robot{Bus: robot}, Clock: clock, Logger: log})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	listener := &odometryListener{recorded: r.odometry, stamps: map[int64]int64{}, received: map[int64]match{}, news: make(chan struct{}, 1)}
	for _, one := range r.readings {
		listener.stamps[one.Taken] = one.Stamp
	}
	odom, err := node.ResolveName("odom")
	if err != nil {
		return out, err
	}
	reader, err := node.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{
			Node: node.Name(), Topic: odom, Type: (&nav_msgs.Odometry{}).ROSType(), TypeHash: (&nav_msgs.Odometry{}).TypeHash(),
			QoS: ros2.QoS{Depth: 100}, OnMatch: listener.onMatch,
		},
		OnSample: func(s ros2.Sample) { listener.receive(s.Payload) },
	})
	if err != nil {
		return out, err
	}
	listener.await(ctx, func() bool { return listener.matched > 0 })
	err = r.step(ctx, d, clock, robot, rate, &out)
	for _, one := range r.readings {
		if r.odometry[one.Stamp] != nil {
			out.odometry++
		}
	}
	if err == nil {
		listener.await(ctx, func() bool { return len(listener.received) >= out.odometry })
	}
	err = errors.Join(err, reader.Close())
	for _, l := range listener.received {
		if l.same {
			out.equal++
		}
		if l.twist {
			out.twists++
		}
	}
	return out, err
}

// odometryListener receives the replay's odometry and compares it with the recorded one, byte for byte.
type odometryListener struct {
	recorded map[int64][]byte // by stamp, ns since 1970
	stamps   map[int64]int64  // replayed → recorded stamp

	mu       sync.Mutex
	matched  int
	received map[int64]match // by recorded stamp
	news     chan struct{}
}

// match is which part of a message equals the recorded one: all of it, or the twist.
type match struct{ same, twist bool }

// replayTimeout is the time-out for messages that normally arrive immediately.
const replayTimeout = 5 * time.Second

func (e *odometryListener) onMatch(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.matched = n
	e.report()
}

func (e *odometryListener) report() {
	select {
	case e.news <- struct{}{}:
	default:
	}
}

func (e *odometryListener) receive(payload []byte) {
	var m nav_msgs.Odometry
	if cdr.Unmarshal(payload, &m) != nil {
		return
	}
	at := e.stamps[m.Header.Stamp.Time().UnixNano()]
	recorded := e.recorded[at]
	if recorded == nil {
		return
	}
	var was nav_msgs.Odometry
	m.Header.Stamp.Sec, m.Header.Stamp.Nanosec = ros2.Stamp(time.Unix(0, at))
	now, err := cdr.Marshal(nil, &m)
	if err != nil || cdr.Unmarshal(recorded, &was) != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.received[at] = match{same: bytes.Equal(recorded, now), twist: was.Twist == m.Twist}
	e.report()
}

// await waits until a condition holds, at most replayTimeout.
func (e *odometryListener) await(ctx context.Context, so func() bool) {
	limit := time.NewTimer(replayTimeout)
	defer limit.Stop()
	for {
		e.mu.Lock()
		ok := so()
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-e.news:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// step passes the readings to the driver one at a time.
func (r *busRecording) step(ctx context.Context, d *driver.Driver, clock *ros2.ManualClock, robot *busrecord.Replay, rate float64, out *replayed) error {
	begun := time.Now()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for _, one := range r.readings {
		if one.Failures > 0 {
			robot.SetReading(nil)
			_ = d.Step() // fails as in the recording
		}
		at := time.Unix(0, one.Taken)
		if rate > 0 {
			due := time.Duration(float64(at.Sub(time.Unix(0, r.readings[0].Taken))) / rate)
			pause.Reset(due - time.Since(begun))
			select {
			case <-ctx.Done():
				return nil
			case <-pause.C:
			}
		}
		clock.Set(at)
		robot.SetReading(one.Read)
		if err := d.Step(); err != nil {
			return fmt.Errorf("reading taken at %v: %w", at, err)
		}
		out.readings++
		if ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// intoDriver executes "bag play --into-driver".
func (o *playOptions) intoDriver(ctx context.Context, p *frame.Program, b *bag.Bag) (err error) {
	r, err := readBus(b)
	if err != nil {
		return err
	}
	args, err := r.arguments(p)
	if err != nil {
		return err
	}
	log := slog.New(tty.NewConsole(p.Err))
	session, err := network.JoinDriver(nil, network.Choice{}, args, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	rate := 0.0
	if o.paced {
		rate = o.rate
	}
	out, err := r.replayDriver(ctx, session.Node, rate, session.Node.Logger())
	if err != nil {
		return err
	}
	where := "a robot"
	if r.facts.Simulated {
		where = fmt.Sprintf("world %s, seed %d", r.facts.World, r.facts.Seed)
	}
	fmt.Fprintf(p.Out, "Recorded by epuck-driver %s on %s; trace %s\n%d readings replayed, %d events missing\n%d of %d odometry messages are equal, bit for bit\n",
		r.facts.Program, where, r.trace, out.readings, r.gaps, out.equal, out.odometry)
	switch {
	case out.odometry == 0:
		return errors.New("the bag has no odometry to compare with")
	case out.equal == out.odometry:
		return nil
	case out.twists >= out.odometry-1:
		fmt.Fprintf(p.Out, "The recording started after the driver, so the poses have another origin. %d messages have the same twist, bit for bit.\n", out.twists)
		return nil
	}
	return frame.StatusError(frame.ExitFailed)
}
