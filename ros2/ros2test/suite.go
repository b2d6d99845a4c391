// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"slices"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Suite tests that a transport satisfies the contract of [ros2.Transport]. Every transport passes the same suite, so
// nodes do not depend on the transport.
type Suite struct {
	// Network creates an empty network and returns a function that creates its transports, each for another process.
	// The suite closes them.
	Network func(t *testing.T) (join func() ros2.Transport)
	// Settle returns when discovery and delivery are finished. It defaults to doing nothing.
	Settle func()
	// Limits are the inherent limits of the transport. It defaults to none.
	Limits Limits
	// Wrap runs one check, for example in a synctest bubble. It defaults to
	// calling it.
	Wrap func(t *testing.T, check func(*testing.T))
}

// Limits are features that a transport over foreign middleware does not support; the suite does not test them.
type Limits struct {
	// Anonymous: messages do not identify their publisher.
	Anonymous bool
	// NoTypeHashes: the graph has no type hashes.
	NoTypeHashes bool
	// NoHistory: the graph does not have the history and depth of endpoints.
	NoHistory bool
	// Queued: messages wait for a subscription's callback in its history, so of many messages published at once only
	// the last are received, as many as its depth.
	Queued bool
	// OneType: a process can use a topic with one type only.
	OneType bool
}

// Run runs every check as a subtest.
func (s Suite) Run(t *testing.T) {
	if s.Settle == nil {
		s.Settle = func() {}
	}
	if s.Wrap == nil {
		s.Wrap = func(t *testing.T, check func(*testing.T)) { check(t) }
	}
	for name, check := range checks() {
		t.Run(name, func(t *testing.T) {
			s.Wrap(t, func(t *testing.T) {
				f := &fixture{T: t, limits: s.Limits, settle: s.Settle, network: s.Network(t)}
				defer f.close()
				check(f)
			})
		})
	}
}

// checks are the suite by name.
func checks() map[string]func(*fixture) {
	return map[string]func(*fixture){
		"delivers in order":            (*fixture).deliversInOrder,
		"counts matches":               (*fixture).countsMatches,
		"serves late subscriptions":    (*fixture).servesLate,
		"delivers within a process":    (*fixture).deliversWithin,
		"rejects incompatible QoS":     (*fixture).rejectsIncompatible,
		"keeps types apart":            (*fixture).keepsTypesApart,
		"delivers large messages":      (*fixture).deliversLarge,
		"shows the graph":              (*fixture).showsGraph,
		"removes what leaves":          (*fixture).removesLeavers,
		"reports graph changes":        (*fixture).reportsChanges,
		"is silent after Close":        (*fixture).silentAfterClose,
		"fails after Close":            (*fixture).failsAfterClose,
		"corks and uncorks, nested":    (*fixture).corks,
		"publishes from a callback":    (*fixture).publishesFromCallback,
		"keeps nodes with one name":    (*fixture).keepsNodesWithOneName,
		"publishes from many threads":  (*fixture).publishesConcurrently,
		"answers requests":             (*fixture).answersRequests,
		"reports availability":         (*fixture).reportsAvailability,
		"calls every server":           (*fixture).callsEveryServer,
		"shows services in the graph":  (*fixture).showsServices,
		"shares within a process":      (*fixture).sharesWithin,
		"shares with no other process": (*fixture).sharesAlone,
		"shares by quality of service": (*fixture).sharesQoS,
		"paths agree":                  (*fixture).pathsAgree,
		"matches by quality":           (*fixture).matchesByQuality,
		"serves actions":               (*fixture).servesActions,
		"serves parameters":            (*fixture).servesParameters,
		"logs to rosout":               (*fixture).logsToRosout,
		"remaps names":                 (*fixture).remapsNames,
		"leaves in order":              (*fixture).leavesInOrder,
	}
}

// fixture is a running check.
type fixture struct {
	*testing.T
	limits  Limits
	settle  func()
	network func() ros2.Transport
	joined  []ros2.Transport
}

func (f *fixture) join() ros2.Transport {
	f.Helper()
	tr := f.network()
	f.joined = append(f.joined, tr)
	return tr
}

func (f *fixture) close() {
	for _, tr := range f.joined {
		if err := tr.Close(); err != nil {
			f.Errorf("Close: %v", err)
		}
	}
}

func (f *fixture) node(tr ros2.Transport, name string) *ros2.Node {
	f.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Namespace: "suite", Transport: tr})
	if err != nil {
		f.Fatal(err)
	}
	return n
}

func (f *fixture) publisher(n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.PublisherOption) *ros2.Publisher[note] {
	f.Helper()
	p, err := ros2.NewPublisher[note](n, topic, qos, opts...)
	if err != nil {
		f.Fatal(err)
	}
	return p
}

func (f *fixture) say(p *ros2.Publisher[note], texts ...string) {
	f.Helper()
	for _, text := range texts {
		if err := p.Publish(&note{text}); err != nil {
			f.Fatal(err)
		}
	}
}

func (f *fixture) subscribe(n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.SubscriptionOption) (*ros2.Subscription[note], *inbox) {
	f.Helper()
	b := new(inbox)
	s, err := ros2.NewSubscription(n, topic, qos, b.receive, opts...)
	if err != nil {
		f.Fatal(err)
	}
	return s, b
}

// expect settles, then compares the messages in an inbox.
func (f *fixture) expect(who string, b *inbox, want ...string) {
	f.Helper()
	f.settle()
	if got := b.heard(); !slices.Equal(got, want) {
		f.Errorf("%s received %d messages %.60q, want %d %.60q", who, len(got), got, len(want), want)
	}
}

// inbox collects the messages of a subscription.
type inbox struct {
	mu    sync.Mutex
	texts []string
	infos []ros2.MessageInfo
}

func (b *inbox) receive(m *note, info ros2.MessageInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.texts = append(b.texts, m.text)
	b.infos = append(b.infos, info)
}

func (b *inbox) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.texts)
}

// note is std_msgs/msg/String, written by hand, so that this package does not depend on generated messages.
type note struct{ text string }

func (m *note) EncodeCDR(e *cdr.Encoder) { e.String(m.text) }
func (m *note) DecodeCDR(d *cdr.Decoder) { m.text = d.String() }

// ROSType returns "std_msgs/msg/String".
func (*note) ROSType() string { return "std_msgs/msg/String" }

// TypeHash returns the hash of std_msgs/msg/String.
func (*note) TypeHash() string {
	return "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
}

// memo is another type. Like all types of the suite it is installed with every ROS 2, since not every transport
// supports other types.
type memo struct{ note }

// ROSType returns a type that is not note's.
func (*memo) ROSType() string { return "std_msgs/msg/Header" }
