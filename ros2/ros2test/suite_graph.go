// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ledger collects the numbers of an event.
type ledger struct {
	mu      sync.Mutex
	entries []int
}

func (l *ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, n)
}

func (l *ledger) all() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries)
}

func (f *fixture) countsMatches() {
	near := f.join()
	var subscribers, publishers ledger
	pub := f.publisher(f.node(near, "a"), "x", ros2.DefaultQoS(), ros2.OnSubscribers(subscribers.add))
	far := f.node(f.join(), "b")
	sub, _ := f.subscribe(far, "x", ros2.SensorDataQoS(), ros2.OnPublishers(publishers.add))
	f.settle()
	second, _ := f.subscribe(f.node(near, "c"), "x", ros2.DefaultQoS())
	f.settle()
	if pub.SubscriptionCount() != 2 || !pub.HasSubscribers() || sub.PublisherCount() != 1 || second.PublisherCount() != 1 {
		f.Errorf("matched: publisher %d, subscriptions %d, %d", pub.SubscriptionCount(), sub.PublisherCount(), second.PublisherCount())
	}
	if err := sub.Close(); err != nil {
		f.Error(err)
	}
	f.settle()
	second.Close()
	f.settle()
	if got := subscribers.all(); !slices.Equal(got, []int{1, 2, 1, 0}) || pub.HasSubscribers() {
		f.Errorf("the publisher was called with %v", got)
	}
	if got := publishers.all(); len(got) == 0 || got[0] != 1 {
		f.Errorf("the subscription was called with %v", got)
	}
}

func (f *fixture) rejectsIncompatible() {
	var mu sync.Mutex
	var reports []string
	report := func(me string) func(ros2.EndpointInfo, ros2.QoSPolicy) {
		return func(remote ros2.EndpointInfo, p ros2.QoSPolicy) {
			mu.Lock()
			defer mu.Unlock()
			reports = append(reports, fmt.Sprintf("%s: %v %s differs in %v", me, remote.Kind, remote.Topic, p))
		}
	}
	node := ros2.NodeName{Namespace: "/suite", Name: "n"}
	cfg := ros2.EndpointConfig{Node: node, Topic: "/x", Type: "std_msgs/msg/String", TypeHash: (*note)(nil).TypeHash()}
	matches := func(int) { f.Error("incompatible endpoints match") }
	w, r := cfg, cfg
	w.QoS, w.OnIncompatible, w.OnMatch = ros2.QoS{Reliability: ros2.BestEffort, Deadline: time.Hour}, report("writer"), matches
	r.QoS, r.OnIncompatible, r.OnMatch = ros2.QoS{Durability: ros2.TransientLocal, Deadline: time.Second}, report("reader"), matches
	a, b := f.join(), f.join()
	for _, tr := range []ros2.Transport{a, b} {
		if err := tr.AddNode(node); err != nil {
			f.Fatal(err)
		}
	}
	if _, err := a.NewWriter(ros2.WriterConfig{EndpointConfig: w}); err != nil {
		f.Fatal(err)
	}
	if _, err := b.NewReader(ros2.ReaderConfig{EndpointConfig: r, OnSample: func(ros2.Sample) {}}); err != nil {
		f.Fatal(err)
	}
	f.settle()
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(reports)
	if want := []string{
		"reader: publisher /x differs in reliability, durability, deadline",
		"writer: subscription /x differs in reliability, durability, deadline",
	}; !slices.Equal(reports, want) {
		f.Errorf("reports %q, want %q", reports, want)
	}
}

func (f *fixture) showsGraph() {
	a, b := f.join(), f.join()
	talker, extra, listener := f.node(a, "talker"), f.node(a, "extra"), f.node(b, "listener")
	qos := ros2.QoS{Durability: ros2.TransientLocal, Depth: 7, Deadline: time.Second}
	pub := f.publisher(talker, "x", qos)
	f.subscribe(extra, "x", ros2.SensorDataQoS())
	f.subscribe(listener, "/y", ros2.DefaultQoS())
	f.settle()
	for i, tr := range []ros2.Transport{a, b} {
		g := tr.Graph()
		if !slices.Equal(g.Nodes, []ros2.NodeName{extra.Name(), listener.Name(), talker.Name()}) {
			f.Errorf("transport %d sees the nodes %v", i, g.Nodes)
		}
		if n := ros2.CountNodes(tr, listener.Name()); n != 1 {
			f.Errorf("transport %d counts %d nodes of one name", i, n)
		}
		on := g.EndpointsOn("/suite/x")
		if len(on) != 2 {
			f.Fatalf("transport %d sees %+v", i, on)
		}
		want := ros2.EndpointInfo{
			Kind: ros2.PublisherEndpoint, Node: talker.Name(), Topic: "/suite/x", Type: "std_msgs/msg/String",
			TypeHash: (*note)(nil).TypeHash(), QoS: qos, GID: pub.GID(),
		}
		if got := f.known(on[0]); got != f.known(want) {
			f.Errorf("transport %d sees the publisher\n%+v, want\n%+v", i, got, want)
		}
		if s := f.known(on[1]); s.Kind != ros2.SubscriptionEndpoint || s.Node != extra.Name() || s.QoS != f.known(ros2.EndpointInfo{QoS: ros2.SensorDataQoS()}).QoS {
			f.Errorf("transport %d sees the subscription %+v", i, s)
		}
		if of := g.EndpointsOf(listener.Name()); len(of) != 1 || of[0].Topic != "/y" {
			f.Errorf("transport %d sees of the listener %+v", i, of)
		}
	}
}

// known clears the fields that the transport's graph does not have.
func (f *fixture) known(e ros2.EndpointInfo) ros2.EndpointInfo {
	if f.limits.NoTypeHashes {
		e.TypeHash = ""
	}
	if f.limits.NoHistory {
		e.QoS.History, e.QoS.Depth = ros2.KeepLast, 0
	}
	return e
}

func (f *fixture) removesLeavers() {
	a, b := f.join(), f.join()
	talker, extra, keeper := f.node(a, "talker"), f.node(a, "extra"), f.node(b, "keeper")
	f.publisher(talker, "x", ros2.DefaultQoS())
	f.publisher(extra, "x", ros2.DefaultQoS())
	sub, _ := f.subscribe(keeper, "x", ros2.DefaultQoS())
	f.settle()
	extra.Close()
	f.settle()
	if g := b.Graph(); len(g.Nodes) != 2 || len(g.Endpoints) != 2 || sub.PublisherCount() != 1 {
		f.Errorf("after a node closed %d publishers match: %+v", sub.PublisherCount(), g)
	}
	a.Close()
	f.settle()
	if g := b.Graph(); len(g.Nodes) != 1 || len(g.Endpoints) != 1 || sub.PublisherCount() != 0 {
		f.Errorf("after a transport closed %d publishers match: %+v", sub.PublisherCount(), g)
	}
}

func (f *fixture) reportsChanges() {
	a, b := f.join(), f.join()
	var changes ledger
	f.node(b, "watcher") // some transports have no graph without a node
	f.settle()
	cancel := b.OnGraphChange(func() { changes.add(1) })
	n := f.node(a, "n")
	pub := f.publisher(n, "x", ros2.DefaultQoS())
	f.settle()
	before := len(changes.all())
	pub.Close()
	f.settle()
	after := len(changes.all())
	if before == 0 || after == before {
		f.Errorf("%d changes reported at first, %d when a publisher closed", before, after-before)
	}
	cancel()
	n.Close()
	f.settle()
	if len(changes.all()) != after {
		f.Error("reported after cancel")
	}
}

func (f *fixture) keepsNodesWithOneName() {
	tr := f.join()
	first, second := f.node(tr, "twin"), f.node(tr, "twin")
	if n := ros2.CountNodes(tr, first.Name()); n != 2 {
		f.Errorf("of two nodes with a name %d are counted", n)
	}
	first.Close()
	if n := ros2.CountNodes(tr, second.Name()); n != 1 {
		f.Errorf("one of two nodes with a name closed, %d are counted", n)
	}
	if g := tr.Graph(); len(g.Nodes) != 1 {
		f.Errorf("one of two nodes with a name closed, nodes left: %v", g.Nodes)
	}
	second.Close()
	if g := tr.Graph(); len(g.Nodes) != 0 {
		f.Errorf("both closed, nodes left: %v", g.Nodes)
	}
	if err := tr.RemoveNode(first.Name()); err == nil {
		f.Error("a missing node is removed without an error")
	}
}

func (f *fixture) silentAfterClose() {
	a, b := f.join(), f.join()
	pub := f.publisher(f.node(a, "a"), "x", ros2.DefaultQoS())
	sub, box := f.subscribe(f.node(b, "b"), "x", ros2.DefaultQoS())
	f.settle()
	f.say(pub, "heard")
	f.settle()
	for range 2 {
		if err := sub.Close(); err != nil {
			f.Error(err)
		}
	}
	f.say(pub, "missed")
	f.expect("closed subscription", box, "heard")
}

func (f *fixture) failsAfterClose() {
	tr := f.join()
	n := f.node(tr, "n")
	pub := f.publisher(n, "x", ros2.LatchedQoS())
	if tr.Err() != nil {
		f.Errorf("Err of an open transport: %v", tr.Err())
	}
	for range 2 {
		if err := tr.Close(); err != nil {
			f.Error(err)
		}
	}
	<-n.Done()
	_, pubErr := ros2.NewPublisher[note](n, "y", ros2.DefaultQoS())
	_, subErr := ros2.NewSubscription(n, "y", ros2.DefaultQoS(), new(inbox).receive)
	for what, err := range map[string]error{
		"Err": n.Err(), "Publish": pub.Publish(new(note)), "AddNode": tr.AddNode(n.Name()),
		"NewPublisher": pubErr, "NewSubscription": subErr,
	} {
		if !errors.Is(err, ros2.ErrClosed) {
			f.Errorf("%s after Close: %v, want ErrClosed", what, err)
		}
	}
}
