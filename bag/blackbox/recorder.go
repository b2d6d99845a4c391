// SPDX-License-Identifier: Apache-2.0

// Package blackbox adds recording to a node: the parameters record.* set what is recorded and where, and the
// services record/start, record/stop and record/snapshot control it, from a web page, a script or the robot's
// button. Messages of the node itself are passed within the process instead of the network.
//
// Without a recording or pre-roll there are no subscriptions.
package blackbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
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

// Config is the configuration of a [Recorder].
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
	// BusTopics are the last components of the topics that the parameter record.bus adds, RunTopics those of topics
	// that are part of every recording.
	BusTopics, RunTopics []string
	// BusDropped, if it is not nil, returns how many messages of BusTopics were dropped before they were published; see
	// [record.Config.Dropped].
	BusDropped func() uint64
	// ButtonTopic is the topic for the parameter record.button, std_msgs/msg/Bool.
	ButtonTopic string
	// Logger defaults to the node's.
	Logger *slog.Logger
}

// Recorder records as its parameters and services request. [Recorder.Run] does the work.
type Recorder struct {
	cfg Config
	log *slog.Logger

	mu      sync.Mutex // held while a recording begins or ends
	ctx     context.Context
	running *running // nil while nothing is recorded or kept
	active  bool     // a bag is open
}

// running is a running recorder.
type running struct {
	r      *record.Recorder
	cancel context.CancelFunc
	done   chan struct{}
}

// New declares the parameters and creates the services, which the node owns.
func New(cfg Config) (*Recorder, error) {
	o := &Recorder{cfg: cfg, log: cfg.Logger}
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

// BusFromStart reports whether the parameters of a node make it record the bus from the start of the program.
func BusFromStart(n *ros2.Node) bool {
	start, err := n.Parameter(paramStart)
	bus, failed := n.Parameter(paramBus)
	return err == nil && failed == nil && start.Bool() && bus.Bool()
}

// trigger returns a handler that responds with the bag's folder, or the reason for a failure.
func trigger(act func(context.Context) (string, error)) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	return func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		text, err := act(ctx)
		if err != nil {
			text = err.Error()
		}
		return &std_srvs.TriggerResponse{Success: err == nil, Message: text}, nil
	}
}

// Run records on request until ctx ends; then it completes the bag. Errors of a recording are logged: they do not stop
// the robot.
func (o *Recorder) Run(ctx context.Context) error {
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
	o.updateButton(&button)
	if v, err := o.cfg.Node.Parameter(paramStart); err == nil && v.Bool() {
		o.logFailure(o.Start(ctx))
	}
	o.applyParameters()
	for {
		select {
		case <-ctx.Done():
			o.end()
			return nil
		case <-changed:
			o.updateButton(&button)
			o.applyParameters()
		}
	}
}

// buttonListener is the subscription of the robot's button; sub is nil while there is none.
type buttonListener struct {
	sub *ros2.Subscription[std_msgs.Bool]
}

func (b *buttonListener) close() {
	if b.sub != nil {
		_ = b.sub.Close() // fails if the node is closing
		b.sub = nil
	}
}

// updateButton subscribes to the button while the parameter is set: a topic without subscribers costs nothing.
func (o *Recorder) updateButton(b *buttonListener) {
	v, err := o.cfg.Node.Parameter(paramButton)
	switch wanted := err == nil && v.Bool(); {
	case !wanted:
		b.close()
	case b.sub == nil:
		if b.sub, err = o.listenToButton(); err != nil {
			o.cfg.Node.Logger().Error("can't subscribe to the robot's button", "error", err)
		}
	}
}

// listenToButton starts or stops a recording at each press.
func (o *Recorder) listenToButton() (*ros2.Subscription[std_msgs.Bool], error) {
	down := true // a latched message does not count as a press
	var busy atomic.Bool
	return ros2.Listen(o.cfg.Node, o.cfg.ButtonTopic, ros2.LatchedQoS(), func(m *std_msgs.Bool) {
		pressed := m.Data && !down
		down = m.Data
		if pressed && busy.CompareAndSwap(false, true) {
			task.Go("record: button", func() { // the publishing goroutine must not wait for the disk
				defer busy.Store(false)
				o.logFailure(o.toggle())
			})
		}
	})
}

func (o *Recorder) toggle() (string, error) {
	o.mu.Lock()
	ctx, active := o.ctx, o.active
	o.mu.Unlock()
	if active {
		return o.stop(ctx)
	}
	return o.Start(ctx)
}

// logFailure logs the error of a request that has no response.
func (o *Recorder) logFailure(_ string, err error) {
	if err != nil {
		o.log.Warn("not recorded", "error", err)
	}
}

// Start begins a bag and returns its folder.
func (o *Recorder) Start(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.active {
		return "", record.ErrRecording
	}
	dir, err := o.folder("run")
	if err != nil {
		return "", err
	}
	if err := o.startRecorder(); err != nil {
		return "", err
	}
	if err := o.running.r.Start(ctx, dir); err != nil {
		o.restartLocked()
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("recordings go into the folder %s (the parameter %s decides; if it is empty, STATE_DIRECTORY of the service, else the working folder): %w",
				filepath.Dir(dir), paramDirectory, err)
		}
		return "", err
	}
	o.active = true
	return dir, nil
}

// stop completes the bag and returns its folder.
func (o *Recorder) stop(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.active {
		return "", record.ErrNotRecording
	}
	dir, err := o.running.r.Stop(ctx)
	o.active = false
	o.restartLocked()
	return dir, err
}

// snapshot writes the pre-roll to a new bag and returns its folder.
func (o *Recorder) snapshot(ctx context.Context) (string, error) {
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

// applyParameters applies the parameters, and restarts the pre-roll with them, unless a bag is open.
func (o *Recorder) applyParameters() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.active {
		o.restartLocked()
	}
}

// restartLocked ends the recorder, and starts another if the parameters request a pre-roll.
func (o *Recorder) restartLocked() {
	o.endLocked()
	if v, err := o.cfg.Node.Parameter(paramPreRoll); err != nil || v.Double() == 0 || o.ctx == nil || o.ctx.Err() != nil {
		return
	}
	o.logFailure("", o.startRecorder())
}

// startRecorder starts a recorder unless one is running.
func (o *Recorder) startRecorder() error {
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
		if err := failures(err); err != nil {
			o.log.Error("recording failed", "error", err)
		}
		o.ended(now)
	})
	return nil
}

// failures returns the part of a recorder's error that it has not logged: all but [record.ErrNotPublished] and
// [record.ErrNoMessages], which a failure of the disk can be joined with.
func failures(err error) error {
	if !errors.Is(err, record.ErrNotPublished) && !errors.Is(err, record.ErrNoMessages) {
		return err
	}
	var rest []error
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			rest = append(rest, failures(e))
		}
	}
	return errors.Join(rest...)
}

// ended handles a recorder that ended by itself: its duration has elapsed, or the disk failed.
func (o *Recorder) ended(r *running) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.running == r {
		o.active = false
		o.restartLocked()
	}
}

func (o *Recorder) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.endLocked()
}

// endLocked ends the recorder and waits until its bag is complete.
func (o *Recorder) endLocked() {
	r := o.running
	o.running, o.active = nil, false
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// Active reports whether a bag is open, and where.
func (o *Recorder) Active() (dir string, active bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.active {
		return "", false
	}
	return o.running.r.Status().Dir, true
}
