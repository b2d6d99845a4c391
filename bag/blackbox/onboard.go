// SPDX-License-Identifier: Apache-2.0

// Package blackbox adds recording to a node: the parameters record.* set what is recorded and where, the services
// record/start, record/stop and record/snapshot control it, so that a web page, a script or the robot's own button
// can start it. Messages of the node itself are passed within the process instead of the network.
//
// While nothing is recorded and no pre-roll is kept, there are no subscriptions.
package blackbox

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/bag/record"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Config is the configuration of an [Onboard].
type Config struct {
	// Node is the node that records. It is required; it is not closed.
	Node *ros2.Node
	// Types returns the definitions of the known types.
	Types dynamic.Lookup
	// Variants return the definitions of other ROS 2 distributions, see [record.Config].
	Variants []dynamic.Lookup
	// Directory is the folder of the bags if the parameter record.directory is empty.
	Directory string
	// Library names the program in the files, Records are written at the beginning of each.
	Library string
	Records []mcap.Metadata
	// BusTopics are the last words of the topics that the parameter record.bus adds, RunTopics those of topics that
	// are part of every recording.
	BusTopics, RunTopics []string
	// ButtonTopic is the topic for the parameter record.button, std_msgs/msg/Bool.
	ButtonTopic string
	// Logger defaults to the node's.
	Logger *slog.Logger
}

// Onboard records by parameters and services. [Onboard.Run] does the work.
type Onboard struct {
	cfg Config
	log *slog.Logger

	mu      sync.Mutex // held while a recording begins or ends
	ctx     context.Context
	running *running // nil while nothing is recorded or kept
	active  bool     // a bag is open
}

// running is one recorder.
type running struct {
	r      *record.Recorder
	cancel context.CancelFunc
	done   chan struct{}
}

// New declares the parameters and offers the services, which the node owns.
func New(cfg Config) (*Onboard, error) {
	o := &Onboard{cfg: cfg, log: cfg.Logger}
	if o.log == nil {
		o.log = cfg.Node.Logger()
	}
	for _, d := range Parameters() {
		if d.Name == paramCache {
			most := maxCache(os.DirFS("/"))
			d.IntegerRange, d.Default = ros2.IntegerBetween(1, most), ros2.IntegerValue(min(d.Default.Integer(), most))
		}
		if _, err := cfg.Node.DeclareParameter(d); err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	for name, act := range map[string]func(context.Context) (string, error){
		"record/start": o.Start, "record/stop": o.stop, "record/snapshot": o.snapshot,
	} {
		if _, err := ros2.NewService(cfg.Node, std_srvs.Trigger{}, name, trigger(act)); err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	return o, nil
}

// FromTheStart reports whether the parameters of a node say that the bus is recorded from the start of the program.
func FromTheStart(n *ros2.Node) bool {
	start, err := n.Parameter(paramStart)
	bus, failed := n.Parameter(paramBus)
	return err == nil && failed == nil && start.Bool() && bus.Bool()
}

// trigger responds with the bag's folder, or the reason why there is none.
func trigger(act func(context.Context) (string, error)) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	return func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		text, err := act(ctx)
		if err != nil {
			text = err.Error()
		}
		return &std_srvs.TriggerResponse{Success: err == nil, Message: text}, nil
	}
}

// Run records on request until ctx ends; then the bag is complete. Errors of a recording are logged: they do not stop
// the robot.
func (o *Onboard) Run(ctx context.Context) error {
	o.mu.Lock()
	o.ctx = ctx
	o.mu.Unlock()
	changed := make(chan struct{}, 1)
	cancel := o.cfg.Node.Parameters().OnChange(func(ros2.ParameterEvent) {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer cancel()
	var button buttonListener
	defer button.close()
	o.mind(&button)
	if v, err := o.cfg.Node.Parameter(paramStart); err == nil && v.Bool() {
		o.say(o.Start(ctx))
	}
	o.keep()
	for {
		select {
		case <-ctx.Done():
			o.end()
			return nil
		case <-changed:
			o.mind(&button)
			o.keep()
		}
	}
}

// buttonListener is the subscription of the robot's button, if there is one.
type buttonListener struct {
	sub *ros2.Subscription[std_msgs.Bool]
}

func (b *buttonListener) close() {
	if b.sub != nil {
		_ = b.sub.Close() // fails if the node is closing
		b.sub = nil
	}
}

// mind subscribes to the button only while the parameter is set: a topic with a subscriber has a cost.
func (o *Onboard) mind(b *buttonListener) {
	v, err := o.cfg.Node.Parameter(paramButton)
	switch wanted := err == nil && v.Bool(); {
	case !wanted:
		b.close()
	case b.sub == nil:
		if b.sub, err = o.listenToButton(); err != nil {
			o.cfg.Node.Logger().Error("the robot's button starts no recording", "error", err)
		}
	}
}

// listenToButton starts or stops a recording at each press.
func (o *Onboard) listenToButton() (*ros2.Subscription[std_msgs.Bool], error) {
	down := true // a latched message is no press
	var busy atomic.Bool
	return ros2.Listen(o.cfg.Node, o.cfg.ButtonTopic, ros2.LatchedQoS(), func(m *std_msgs.Bool) {
		pressed := m.Data && !down
		down = m.Data
		if pressed && busy.CompareAndSwap(false, true) {
			task.Go("record: button", func() { // the publishing goroutine must not wait for the disk
				defer busy.Store(false)
				o.say(o.toggle())
			})
		}
	})
}

func (o *Onboard) toggle() (string, error) {
	o.mu.Lock()
	ctx, active := o.ctx, o.active
	o.mu.Unlock()
	if active {
		return o.stop(ctx)
	}
	return o.Start(ctx)
}

// say logs a result that no caller waits for.
func (o *Onboard) say(_ string, err error) {
	if err != nil {
		o.log.Warn("not recorded", "error", err)
	}
}

// Start begins a bag and returns its folder.
func (o *Onboard) Start(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.active {
		return "", record.ErrRecording
	}
	dir, err := o.folder("run")
	if err != nil {
		return "", err
	}
	if err := o.wake(); err != nil {
		return "", err
	}
	if err := o.running.r.Start(ctx, dir); err != nil {
		o.restLocked()
		return "", err
	}
	o.active = true
	return dir, nil
}

// stop completes the bag and returns its folder.
func (o *Onboard) stop(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.active {
		return "", record.ErrNotRecording
	}
	dir, err := o.running.r.Stop(ctx)
	o.active = false
	o.restLocked()
	return dir, err
}

// snapshot writes the pre-roll to a bag of its own and returns its folder.
func (o *Onboard) snapshot(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.active {
		return "", record.ErrRecording
	}
	dir, err := o.folder("snapshot")
	if err != nil {
		return "", err
	}
	if o.running == nil {
		return "", fmt.Errorf("%w: set %s to keep the last seconds", record.ErrNotRecording, paramPreRoll)
	}
	return dir, o.running.r.Snapshot(ctx, dir)
}

// keep applies the parameters while no bag is open: a pre-roll is kept with their current values.
func (o *Onboard) keep() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.active {
		o.restLocked()
	}
}

// restLocked ends the recorder, and begins another if there is a pre-roll to keep.
func (o *Onboard) restLocked() {
	o.endLocked()
	if v, err := o.cfg.Node.Parameter(paramPreRoll); err != nil || v.Double() == 0 || o.ctx == nil || o.ctx.Err() != nil {
		return
	}
	o.say("", o.wake())
}

// wake starts a recorder if there is none.
func (o *Onboard) wake() error {
	if o.running != nil {
		return nil
	}
	if o.ctx == nil || o.ctx.Err() != nil {
		return record.ErrClosed
	}
	cfg, err := o.config()
	if err != nil {
		return err
	}
	r, err := record.New(cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(o.ctx)
	now := &running{r, cancel, make(chan struct{})}
	o.running = now
	task.Go("record", func() {
		err := r.Run(ctx)
		close(now.done)
		if err != nil {
			o.log.Error("recording failed", "error", err)
		}
		o.ended(now)
	})
	return nil
}

// ended handles a recorder that ended by itself: its time is over, or the disk failed.
func (o *Onboard) ended(r *running) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.running == r {
		o.active = false
		o.restLocked()
	}
}

func (o *Onboard) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.endLocked()
}

// endLocked ends the recorder and waits until its bag is complete.
func (o *Onboard) endLocked() {
	r := o.running
	o.running, o.active = nil, false
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// Active reports whether a bag is open, and where.
func (o *Onboard) Active() (dir string, active bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.active {
		return "", false
	}
	return o.running.r.Status().Dir, true
}
