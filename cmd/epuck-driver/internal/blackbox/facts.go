// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TopicRun is the hidden topic, part of every recording, that describes the run: std_msgs/msg/String with a [Facts]
// in JSON.
const TopicRun = "_run"

// Facts describe a run, so that its recording can be replayed.
type Facts struct {
	Program    string            `json:"program"`
	Commit     string            `json:"commit,omitempty"`
	Node       string            `json:"node"`
	Simulated  bool              `json:"simulated"`
	World      string            `json:"world,omitempty"`
	Seed       uint64            `json:"seed,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
	// Trace is the hash of the simulation up to TraceAt, s of simulated time.
	Trace   string  `json:"trace,omitempty"`
	TraceAt float64 `json:"trace_at_s,omitempty"`
}

// Trace returns the hash of a simulation and its simulated time.
type Trace func() (trace [sha256.Size]byte, at time.Duration)

// tracePeriod is the period at which the trace is published while it has subscribers, such as a recorder.
const tracePeriod = time.Second

// FactsPublisher publishes the facts of a run.
type FactsPublisher struct {
	pub       *ros2.Publisher[std_msgs.String]
	facts     Facts
	trace     Trace // nil on a robot
	published time.Time
}

// NewFactsPublisher publishes the facts for the first time. The publisher is closed with the node.
func NewFactsPublisher(node *ros2.Node, facts Facts, trace Trace) (*FactsPublisher, error) {
	pub, err := ros2.NewPublisher[std_msgs.String](node, TopicRun, ros2.LatchedQoS())
	if err != nil {
		return nil, err
	}
	facts.Program, facts.Commit, facts.Node = build.Version, build.Commit, node.FullName()
	t := &FactsPublisher{pub: pub, facts: facts, trace: trace}
	return t, t.publishFacts()
}

// publishFacts publishes the current facts.
func (t *FactsPublisher) publishFacts() error {
	if t.trace != nil {
		hash, at := t.trace()
		t.facts.Trace, t.facts.TraceAt = TraceText(hash), at.Seconds()
	}
	text, err := json.Marshal(t.facts)
	if err != nil {
		return err
	}
	t.published = time.Now()
	if err := t.pub.Publish(&std_msgs.String{Data: string(text)}); err != nil && !errors.Is(err, ros2.ErrClosed) {
		return err
	}
	return nil
}

// Tick publishes the trace again when its period is over and there is a subscription.
func (t *FactsPublisher) Tick() {
	if t.trace != nil && t.pub.HasSubscribers() && time.Since(t.published) >= tracePeriod {
		_ = t.publishFacts() // fails only after the network was closed
	}
}

// End publishes how the run ended.
func (t *FactsPublisher) End() {
	if t.pub.HasSubscribers() {
		_ = t.publishFacts() // fails only after the network was closed
	}
}

// run ticks until ctx ends; then it publishes how the run ended.
func (t *FactsPublisher) run(ctx context.Context) {
	if t.trace == nil {
		return
	}
	period := time.NewTicker(tracePeriod)
	defer period.Stop()
	for {
		select {
		case <-ctx.Done():
			t.End()
			return
		case <-period.C:
			t.Tick()
		}
	}
}

// TraceText formats a trace.
func TraceText(trace [sha256.Size]byte) string { return fmt.Sprintf("%x", trace[:]) }

// FactsIn returns the facts in a bag: the last of each topic and node. After the only robot of a simulation was
// removed, another node continues its facts.
func FactsIn(b *bag.Bag) (out []Facts, err error) {
	at := map[source]int{}
	for m, err := range b.Messages(bag.Range{Topic: func(t *bag.Topic) bool { return strings.HasSuffix(t.Name, "/"+TopicRun) }}) {
		if err != nil {
			continue // damage of the bag is reported elsewhere
		}
		var text std_msgs.String
		var facts Facts
		if err := cdr.Unmarshal(m.Data, &text); err != nil {
			return out, fmt.Errorf("%s: %w", m.Topic.Name, err)
		}
		if err := json.Unmarshal([]byte(text.Data), &facts); err != nil {
			return out, fmt.Errorf("%s: %w", m.Topic.Name, err)
		}
		key := source{m.Topic, facts.Node}
		if i, known := at[key]; known {
			out[i] = facts
			continue
		}
		at[key] = len(out)
		out = append(out, facts)
	}
	return out, nil
}

// source identifies a publisher of facts.
type source struct {
	topic *bag.Topic
	node  string
}

// Write writes a line that describes the run.
func (f *Facts) Write(w io.Writer) error {
	where := "a robot"
	if f.Simulated {
		where = fmt.Sprintf("world %s, seed %d, trace %s after %g s", f.World, f.Seed, f.Trace, f.TraceAt)
	}
	_, err := fmt.Fprintf(w, "Run:               %s, epuck-driver %s, %s\n", f.Node, f.Program, where)
	return err
}
