// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// fatal is a test or a rapid check.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Error(args ...any)
}

// application is a set of nodes with a coordinator.
type application struct {
	t     fatal
	c     *order.Coordinator
	tr    ros2.ServiceTransport
	inner *ros2test.Transport
	nodes []*ros2.Node
	ends  atomic.Bool // it is being closed

	mu   sync.Mutex
	runs []order.Run
}

// newApplication creates one on a network; nil for a separate one.
func newApplication(t fatal, cfg order.Config, inner *ros2test.Transport) *application {
	if inner == nil {
		inner = ros2test.NewTransport()
	}
	a := &application{t: t, inner: inner}
	cfg.Record = func(r order.Run) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.runs = append(a.runs, r)
	}
	a.c = order.New(cfg)
	a.tr = a.c.Transport(inner)
	return a
}

func (a *application) close() {
	a.t.Helper()
	a.ends.Store(true)
	a.c.Close()
	for _, n := range a.nodes {
		if err := n.Close(); err != nil {
			a.t.Error(err)
		}
	}
	a.inner.Close()
}

// record returns the recorded lines.
func (a *application) record() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var lines []string
	for _, r := range a.runs {
		lines = append(lines, r.String())
	}
	return lines
}

func (a *application) history() []order.Run {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.runs)
}

func (a *application) node(name string) *ros2.Node {
	a.t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: a.tr, Clock: a.c.Clock(), Callbacks: a.c.NewGroup()})
	if err != nil {
		a.t.Fatal(err)
	}
	a.nodes = append(a.nodes, n)
	return n
}

func (a *application) hears(n *ros2.Node, topic string, call func(string)) {
	a.t.Helper()
	_, err := ros2.NewSubscription(n, topic, ros2.DefaultQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) { call(m.Data) })
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *application) says(n *ros2.Node, topic string) func(string) {
	a.t.Helper()
	try := a.tries(n, topic)
	return func(s string) {
		if err := try(s); err != nil {
			a.t.Error(err)
		}
	}
}

// tries is says for callers that handle the error.
func (a *application) tries(n *ros2.Node, topic string) func(string) error {
	a.t.Helper()
	pub, err := ros2.NewPublisher[std_msgs.String](n, topic, ros2.DefaultQoS())
	if err != nil {
		a.t.Fatal(err)
	}
	return func(s string) error { return pub.Publish(&std_msgs.String{Data: s}) }
}

func (a *application) every(n *ros2.Node, name string, period time.Duration, call func(at time.Time)) {
	a.t.Helper()
	if _, err := ros2.NewTicker(n, name, period, call); err != nil {
		a.t.Fatal(err)
	}
}

func (a *application) advance(to time.Duration) {
	a.t.Helper()
	if err := a.c.Advance(time.Time{}.Add(to)); err != nil {
		a.t.Fatal(err)
	}
}

func (a *application) expect(want ...string) {
	a.t.Helper()
	var short []string
	for _, r := range a.history() { // without hashes, and without the members at the start
		if r.Source.Name == "joined" {
			continue
		}
		words := strings.Fields(r.String())
		short = append(short, strings.Join(slices.DeleteFunc(words, func(w string) bool { return len(w) == 16 && !strings.ContainsAny(w, "/\"+") || w == "<" }), " "))
	}
	if !slices.Equal(short, want) {
		a.t.Error(fmt.Sprintf("ran\n%s\nwant\n%s", strings.Join(short, "\n"), strings.Join(want, "\n")))
	}
}

// ether creates transports that represent the processes of a run.
type ether func() ros2.ServiceTransport

// memory creates transports of a network in memory.
func memory() ether {
	network := ros2test.NewNetwork()
	return func() ros2.ServiceTransport { return network.NewTransport() }
}

// text returns a record as in a file.
func text(record []order.Run) string {
	var b strings.Builder
	for _, r := range record {
		fmt.Fprintln(&b, r)
	}
	return b.String()
}

// cameFromOutside counts the callbacks caused by a message from outside.
func cameFromOutside(record []order.Run) (n int) {
	for i := range record {
		if record[i].Outside && record[i].Got != 0 {
			n++
		}
	}
	return n
}
