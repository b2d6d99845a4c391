// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// LockstepConfig says whom a [Lockstep] waits for.
type LockstepConfig struct {
	// Node hears the answers. It is required.
	Node *ros2.Node
	// Step is how far time goes at once. It is required.
	Step time.Duration
	// WaitFor is nodes, by their full names, that must be there before the first step.
	WaitFor []string
	// Answers is topics: the next step begins when a message has arrived on each since the step before.
	Answers []string
	// Services is names of services, std_srvs/srv/Trigger, that are offered to nodes for saying that they have taken a
	// step: the next one begins when each was called since the step before.
	Services []string
	// Limit is how long an answer may take, of the machine's time, until OnLate is called with what the time waits for.
	// It defaults to 5 s.
	Limit time.Duration
	// OnLate may be nil. It is called once a wait.
	OnLate func(waits string)
}

// Lockstep is a time source: time advances when all participants have finished the step before. Robots of this
// process have when the step returns; others answer. It never advances without them
// (TestLockstepWaitsForAnswers).
type Lockstep struct {
	cfg     LockstepConfig
	cancel  func()
	mu      sync.Mutex
	changed chan struct{} // closed and replaced when something has arrived
	readers map[string]ros2.Reader
	heard   map[string]bool // topics and services, since the step began
	offers  []interface{ Close() error }
	age     time.Duration // of the step under way
	waits   string
	since   time.Time
}

var _ timesource.Source = (*Lockstep)(nil)

// NewLockstep makes one. Close it before its node.
func NewLockstep(cfg LockstepConfig) (*Lockstep, error) {
	if cfg.Step <= 0 || cfg.Node == nil {
		return nil, fmt.Errorf("%w: a lockstep with steps of %v", simclock.ErrFactor, cfg.Step)
	}
	if cfg.Limit == 0 {
		cfg.Limit = 5 * time.Second
	}
	if cfg.OnLate == nil {
		cfg.OnLate = func(string) {}
	}
	var err error
	if cfg.Answers, err = resolved(cfg.Node, cfg.Answers); err != nil {
		return nil, err
	}
	if cfg.Services, err = resolved(cfg.Node, cfg.Services); err != nil {
		return nil, err
	}
	l := &Lockstep{cfg: cfg, changed: make(chan struct{}), readers: make(map[string]ros2.Reader), heard: make(map[string]bool)}
	l.cancel = cfg.Node.Transport().OnGraphChange(l.wake)
	for _, name := range cfg.Services {
		s, err := ros2.NewService(cfg.Node, std_srvs.Trigger{}, name, l.acknowledged(name))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("acknowledgement %s: %w", name, err), l.Close())
		}
		l.offers = append(l.offers, s)
	}
	return l, nil
}

// acknowledged answers at once, with the age of the world that was taken, s. The next step may have begun by then.
func (l *Lockstep) acknowledged(name string) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
	return func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		l.mu.Lock()
		age := l.age
		l.heard[name] = age > 0
		l.mu.Unlock()
		l.wake()
		if age == 0 {
			return &std_srvs.TriggerResponse{Message: "no step has begun yet"}, nil
		}
		return &std_srvs.TriggerResponse{Success: true, Message: strconv.FormatFloat(age.Seconds(), 'f', -1, 64)}, nil
	}
}

func resolved(n *ros2.Node, names []string) (all []string, err error) {
	for _, name := range names {
		full, err := n.ResolveName(name)
		if err != nil {
			return nil, fmt.Errorf("answer %q: %w", name, err)
		}
		all = append(all, full)
	}
	return all, nil
}

// wake lets Run look again.
func (l *Lockstep) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
}

// Run implements timesource.Source: step by step until ctx ends.
func (l *Lockstep) Run(ctx context.Context, to func(age time.Duration) error) error {
	if err := l.await(ctx, l.missing); err != nil {
		return err
	}
	for age := l.cfg.Step; ctx.Err() == nil; age += l.cfg.Step {
		l.mu.Lock()
		clear(l.heard)
		l.age = age
		l.mu.Unlock()
		if err := to(age); err != nil {
			return err
		}
		if err := l.await(ctx, l.silent); err != nil {
			return err
		}
	}
	return nil
}

// await waits until nothing is left of what it is asked for; the end of ctx is no error.
func (l *Lockstep) await(ctx context.Context, left func() ([]string, error)) error {
	late := time.NewTimer(l.cfg.Limit)
	defer late.Stop()
	for {
		l.mu.Lock()
		changed := l.changed
		l.mu.Unlock()
		names, err := left()
		waits := strings.Join(names, ", ")
		l.mu.Lock()
		if l.waits == "" {
			l.since = time.Now()
		}
		l.waits = waits
		l.mu.Unlock()
		if err != nil || waits == "" {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-late.C:
			l.cfg.OnLate(waits)
		case <-changed:
		}
	}
}

// missing returns the nodes that are not there, and hears the answers as soon as their types are known.
func (l *Lockstep) missing() (all []string, err error) {
	g := l.cfg.Node.Graph()
	for _, name := range l.cfg.WaitFor {
		if !slices.ContainsFunc(g.Nodes, func(n ros2.NodeName) bool { return n.FullName() == "/"+strings.TrimPrefix(name, "/") }) {
			all = append(all, "node "+name)
		}
	}
	for _, topic := range l.cfg.Answers {
		there, err := l.listen(topic, g)
		if err != nil {
			return nil, err
		}
		if !there {
			all = append(all, "a publisher of "+topic)
		}
	}
	return all, nil
}

// listen subscribes to a topic once it has a publisher, and reports whether it has one.
func (l *Lockstep) listen(topic string, g ros2.Graph) (bool, error) {
	if l.readers[topic] != nil {
		return true, nil
	}
	i := slices.IndexFunc(g.Endpoints, func(e ros2.EndpointInfo) bool { return e.Kind == ros2.PublisherEndpoint && e.Topic == topic })
	if i < 0 {
		return false, nil
	}
	r, err := l.cfg.Node.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{
			Node: l.cfg.Node.Name(), Topic: topic, Type: g.Endpoints[i].Type, TypeHash: g.Endpoints[i].TypeHash,
			QoS: ros2.QoS{Reliability: ros2.BestEffort, Depth: 1},
		},
		OnSample: func(ros2.Sample) {
			l.mu.Lock()
			l.heard[topic] = true
			l.mu.Unlock()
			l.wake()
		},
	})
	if err != nil {
		return false, fmt.Errorf("answer %s: %w", topic, err)
	}
	l.readers[topic] = r
	return true, nil
}

// silent returns the topics without a message, and the services without a call, since the step began.
func (l *Lockstep) silent() (all []string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, topic := range l.cfg.Answers {
		if !l.heard[topic] {
			all = append(all, "a message on "+topic)
		}
	}
	for _, name := range l.cfg.Services {
		if !l.heard[name] {
			all = append(all, "a call of "+name)
		}
	}
	return all, nil
}

// Status implements timesource.Source.
func (l *Lockstep) Status() timesource.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := timesource.Status{By: "lockstep", Waits: l.waits}
	if s.Waits != "" {
		s.Since = time.Since(l.since)
	}
	return s
}

// Close ends listening. Run must have returned.
func (l *Lockstep) Close() (err error) {
	l.cancel()
	for _, topic := range l.cfg.Answers {
		if r := l.readers[topic]; r != nil {
			err = errors.Join(err, r.Close())
		}
	}
	for _, s := range l.offers {
		err = errors.Join(err, s.Close())
	}
	return err
}
