// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Transport carries the messages of one or more nodes of this process and knows
// the graph. It is in ROS terms: names are fully qualified after remapping
// ("/robot1/odom"), types are interface names ("nav_msgs/msg/Odometry").
//
// A Transport is safe for concurrent use. The code that makes it closes it, after the
// nodes on it: a [Node] does not close its transport. Callbacks run on goroutines
// of the transport, one at a time for each endpoint; they must not block and
// must not close the endpoint they belong to.
//
// A message reaches the subscriptions of the same transport, too, under the
// same rules of quality of service.
//
// Services are no pairs of topics at this level: how a request is tied to its
// reply is the transport's business.
type Transport interface {
	// AddNode makes the node visible in the graph, RemoveNode hides it. A name
	// may be added more than once, as ROS allows, and goes with the last removal.
	AddNode(node NodeName) error
	RemoveNode(node NodeName) error
	// NewWriter offers a topic, NewReader asks for one.
	NewWriter(cfg WriterConfig) (Writer, error)
	NewReader(cfg ReaderConfig) (Reader, error)
	// Graph returns what is known now of the nodes and endpoints of all
	// machines, those of this transport included.
	Graph() Graph
	// OnGraphChange calls f after changes of the graph, some of which may be
	// told together, until cancel is called.
	OnGraphChange(f func()) (cancel func())
	// Cork holds messages back until Uncork, so that what is written in between
	// travels in few datagrams. Calls nest.
	Cork()
	Uncork()
	// Done is closed when the transport can no longer carry messages, Err then
	// tells why: [ErrClosed] after Close, else what broke.
	Done() <-chan struct{}
	Err() error
	// Close withdraws everything from the network and returns when no callback
	// runs any more. Closing twice is harmless.
	Close() error
}

// DescribedTransport is a [Transport] that tells what it is.
type DescribedTransport interface {
	Transport
	// Description is a few words for people, as in "rtps".
	Description() string
}

// TopicTransport is a [Transport] that finds what is on a topic without a snapshot of the whole graph, which is large
// where there are many nodes. [EndpointsOn] asks it.
type TopicTransport interface {
	Transport
	// EndpointsOn returns the publishers and subscriptions of a topic that are known now, in the order of a [Graph].
	EndpointsOn(topic string) []EndpointInfo
}

// NodeTransport is a [Transport] that lists the nodes without a snapshot of the whole graph. [Nodes] asks it.
type NodeTransport interface {
	Transport
	// Nodes returns the nodes that are known now as a [Graph] has them, in any order.
	Nodes() []NodeName
}

// EndpointConfig is what publishers and subscriptions have in common.
type EndpointConfig struct {
	// Node owns the endpoint; it was added to the transport before.
	Node NodeName
	// Topic is the full name of the topic.
	Topic string
	// Type is the message's interface name and TypeHash its hash.
	Type, TypeHash string
	// QoS is offered by a writer and requested by a reader.
	QoS QoS
	// Grouped says that what the endpoint hands over runs in a [CallbackGroup].
	Grouped bool
	// OnMatch is called with the number of matched remote and local endpoints
	// whenever it changes. It may be nil.
	OnMatch func(matched int)
	// OnIncompatible is called when an endpoint with the same topic and type
	// does not match because of policies. It may be nil.
	OnIncompatible func(remote EndpointInfo, policies QoSPolicy)
	// OnEvent is called with what becomes of deadlines, liveliness and lost
	// messages, if the transport supervises them. It may be nil.
	OnEvent func(EndpointEvent)
}

// WriterConfig describes a [Writer].
type WriterConfig struct {
	EndpointConfig
}

// ReaderConfig describes a [Reader].
type ReaderConfig struct {
	EndpointConfig
	// OnSample is called with each message.
	OnSample func(Sample)
	// MaxSampleSize bounds the bytes of a message that the reader takes in. It
	// defaults to the transport's limit.
	MaxSampleSize int
}

// Sample is one received message in its encoded form.
type Sample struct {
	// Payload is the CDR form with its encapsulation header. It is valid only
	// during the call that hands it over.
	Payload []byte
	Info    MessageInfo
}

// Writer is the transport's side of a publisher. It is safe for concurrent use.
type Writer interface {
	// Write sends the payload, CDR with its encapsulation header, and returns
	// without waiting for a reader. It does not keep the slice.
	Write(payload []byte) error
	// GID identifies the writer in the graph.
	GID() GID
	// Close withdraws the writer; no callback runs after it has returned.
	Close() error
}

// Reader is the transport's side of a subscription.
type Reader interface {
	// GID identifies the reader in the graph.
	GID() GID
	// Close withdraws the reader; no callback runs after it has returned.
	Close() error
}

// logInterval is the least time between two log lines of the same kind.
const logInterval = 10 * time.Second

// Exchange brings the shared publishers and the subscriptions of one transport
// together, so that messages pass between them by pointer. A transport holds one
// and shows it by implementing [ExchangeTransport]. The zero value is ready; it is
// safe for concurrent use.
type Exchange = inproc.Exchange

// ExchangeTransport is a [Transport] whose nodes exchange shared messages without
// it.
type ExchangeTransport interface {
	Transport
	// Exchange returns the meeting place of the transport's nodes.
	Exchange() *Exchange
}

// exchange returns the node's exchange, nil if its transport has none.
func (n *Node) exchange() *Exchange {
	if t, ok := n.transport.(ExchangeTransport); ok {
		return t.Exchange()
	}
	return nil
}

// CounterKind says what it means if a counter rises.
type CounterKind uint8

// Kinds of counters.
const (
	// CountDone: things done, or held now.
	CountDone CounterKind = iota
	// CountDropped: things dropped, as happens on any network.
	CountDropped
	// CountRefused: things dropped that no healthy network brings: malformed,
	// forged, or more than one may send.
	CountRefused
	// CountCongested: things dropped because the network takes less than is sent.
	CountCongested
	// CountCrowded: nodes or endpoints not seen because there are more than a limit
	// of the transport allows.
	CountCrowded
)

// Counter is one number of what a transport has done, or dropped, since its start.
type Counter struct {
	// Name is for people and programs, as in "dropped: malformed". It does not
	// change while the program runs.
	Name  string
	Kind  CounterKind
	Value uint64
}

// CountingTransport is a [Transport] that counts what it does and what it drops.
type CountingTransport interface {
	Transport
	// Counters appends all counters to dst, in an order that does not change,
	// and returns it.
	Counters(dst []Counter) []Counter
}
