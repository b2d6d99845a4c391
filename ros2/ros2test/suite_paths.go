// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// talker is a publisher of either kind.
type talker interface {
	Publish(*note) error
	SubscriptionCount() int
	HasSubscribers() bool
	Close() error
}

// path is the path of messages from a publisher to a subscription.
type path struct {
	name   string
	within bool // one process
	shared bool // by pointer, where both are in one process
}

var paths = []path{
	{"encoded, to another process", false, false},
	{"encoded, within the process", true, false},
	{"shared, to another process", false, true},
	{"shared, within the process", true, true},
}

// scenario is the messages published before and after the match, and those that the subscription must receive, on any
// path.
type scenario struct {
	name               string
	offered, requested ros2.QoS
	before, after      []string
	want               []string
	matched            int
}

func scenarios() []scenario {
	deadline := func(d time.Duration) ros2.QoS {
		q := ros2.DefaultQoS()
		q.Deadline = d
		return q
	}
	keepAll := ros2.LatchedQoS()
	keepAll.History = ros2.KeepAll
	few := []string{"1", "2", "3"}
	return []scenario{
		{"reliable", ros2.DefaultQoS(), ros2.DefaultQoS(), few, []string{"4", "5"}, []string{"4", "5"}, 1},
		{"best effort", ros2.SensorDataQoS(), ros2.SensorDataQoS(), few, []string{"4", "5"}, []string{"4", "5"}, 1},
		{"more than requested", ros2.DefaultQoS(), ros2.SensorDataQoS(), few, []string{"4"}, []string{"4"}, 1},
		{"best effort for reliable", ros2.SensorDataQoS(), ros2.DefaultQoS(), few, []string{"4"}, nil, 0},
		{"history of 2", ros2.LatchedQoS().WithDepth(2), ros2.TFStaticListenerQoS(), few, []string{"4"}, []string{"2", "3", "4"}, 1},
		{"history not requested", ros2.LatchedQoS().WithDepth(2), ros2.DefaultQoS(), few, []string{"4"}, []string{"4"}, 1},
		{"whole history", keepAll, keepAll, few, []string{"4"}, []string{"1", "2", "3", "4"}, 1},
		{"history of 3 for a depth of 1", ros2.LatchedQoS().WithDepth(3), ros2.LatchedQoS(), few, nil, few, 1},
		{"no history", ros2.DefaultQoS(), ros2.LatchedQoS(), few, []string{"4"}, nil, 0},
		{"deadline kept", deadline(time.Second), deadline(2 * time.Second), nil, []string{"1"}, []string{"1"}, 1},
		{"deadline not kept", deadline(2 * time.Second), deadline(time.Second), nil, []string{"1"}, nil, 0},
	}
}

// pathsAgree runs every scenario over every path at once: all must match and receive the same.
func (f *fixture) pathsAgree() {
	here, there := f.join(), f.join()
	a, b, far := f.node(here, "a"), f.node(here, "b"), f.node(there, "far")
	var runs []*run
	for i, s := range scenarios() {
		if f.limits.Queued && len(s.want) > s.requested.EffectiveDepth() {
			continue
		}
		for j, p := range paths {
			r := &run{fixture: f, scenario: s, name: s.name + ", " + p.name, topic: fmt.Sprintf("scenario%d/path%d", i, j)}
			if r.node = far; p.within {
				r.node = b
			}
			if p.shared {
				r.pub = f.shared(a, r.topic, s.offered)
			} else {
				r.pub = f.publisher(a, r.topic, s.offered)
			}
			runs = append(runs, r)
		}
	}
	f.settle()
	for _, step := range []func(*run){(*run).begin, (*run).resume, (*run).check, (*run).end} {
		for _, r := range runs {
			step(r)
		}
		f.settle()
	}
	for _, r := range runs {
		if r.pub.HasSubscribers() || r.pub.SubscriptionCount() != 0 {
			f.Errorf("%s: %d subscriptions left", r.name, r.pub.SubscriptionCount())
		}
		if err := r.pub.Close(); err != nil {
			f.Errorf("%s: %v", r.name, err)
		}
	}
}

// run is a scenario on a path.
type run struct {
	*fixture
	scenario
	name  string
	topic string
	pub   talker
	node  *ros2.Node
	sub   *ros2.Subscription[note]
	box   *inbox
}

func (r *run) publish(texts []string) {
	for _, text := range texts {
		if err := r.pub.Publish(&note{text}); err != nil {
			r.Errorf("%s: %v", r.name, err)
		}
	}
}

func (r *run) begin() {
	r.publish(r.before)
	r.sub, r.box = r.subscribe(r.node, r.topic, r.requested)
}

func (r *run) resume() {
	if got := r.pub.SubscriptionCount(); got != r.matched || r.pub.HasSubscribers() != (r.matched > 0) || r.sub.PublisherCount() != r.matched {
		r.Errorf("%s: %d subscriptions and %d publishers matched, want %d", r.name, got, r.sub.PublisherCount(), r.matched)
	}
	r.publish(r.after)
}

func (r *run) check() {
	if got := r.box.heard(); !slices.Equal(got, r.want) {
		r.Errorf("%s: heard %q, want %q", r.name, got, r.want)
	}
	if n, broken := r.sub.Received(); n != int64(len(r.want)) || broken != 0 {
		r.Errorf("%s: counts %d and %d undecodable, want %d", r.name, n, broken, len(r.want))
	}
	for i, info := range r.box.infos {
		if info.SourceTime.IsZero() || info.ReceivedTime.IsZero() || info.Sequence != r.box.infos[0].Sequence+int64(i) {
			r.Errorf("%s: info of message %d: %+v", r.name, i, info)
		}
	}
}

func (r *run) end() {
	if err := r.sub.Close(); err != nil {
		r.Errorf("%s: %v", r.name, err)
	}
}
