// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Transport carries the messages of one or more nodes of this process and knows the graph. It uses ROS names: fully
// qualified after remapping ("/robot1/odom"), types are interface names ("nav_msgs/msg/Odometry").
//
// A Transport is safe for concurrent use. The code that creates it closes it, after the nodes on it: a [Node] does not
// close its transport. Callbacks run on goroutines of the transport, one at a time for each endpoint; they must not
// block or close their endpoint.
//
// A message reaches the subscriptions of the same transport, too, under the
// same rules of quality of service.
//
// Services are not pairs of topics at this level: the transport associates requests with replies.
type Transport interface {
	// AddNode adds the node to the graph, RemoveNode removes it. A name may be added more than once, as ROS allows, and
	// is removed with the last one.
	AddNode(node NodeName) error
	RemoveNode(node NodeName) error
	// NewWriter creates a writer of a topic, NewReader a reader.
	NewWriter(cfg WriterConfig) (Writer, error)
	NewReader(cfg ReaderConfig) (Reader, error)
	// Graph returns the known nodes and endpoints of all machines, including those of this transport.
	Graph() Graph
	// OnGraphChange calls f after changes of the graph, several of which may be combined, until cancel is called.
	OnGraphChange(f func()) (cancel func())
	// Cork holds messages back until Uncork, which sends them in few datagrams. Calls nest.
	Cork()
	Uncork()
	// Done is closed when the transport can no longer carry messages, Err then returns why: [ErrClosed] after Close,
	// else the failure.
	Done() <-chan struct{}
	Err() error
	// Close removes all nodes and endpoints from the network and returns when all callbacks have returned. Closing
	// twice is harmless.
	Close() error
}

// DescribedTransport is a [Transport] with a description.
type DescribedTransport interface {
	Transport
	// Description is a short descriptive name, as in "rtps".
	Description() string
}

// TopicTransport is a [Transport] that lists the endpoints on a topic without a snapshot of the whole graph, which is
// large with many nodes. [EndpointsOn] uses it.
type TopicTransport interface {
	Transport
	// EndpointsOn returns the known publishers and subscriptions of a topic, in the order of a [Graph].
	EndpointsOn(topic string) []EndpointInfo
}

// NodeTransport is a [Transport] that counts nodes without a snapshot of the whole graph. [CountNodes] uses it.
type NodeTransport interface {
	Transport
	// CountNodes returns the number of nodes of the [Graph] with a name.
	CountNodes(name NodeName) int
}

// PermissionTransport is a [Transport] with access control. [MayPublish] uses it.
type PermissionTransport interface {
	Transport
	// MayPublish returns an error if this program has no permission to publish a topic.
	MayPublish(topic string) error
}

// MayPublish returns the error with which a transport would refuse a publisher of a topic for lack of permission; nil if
// it has no access control.
func MayPublish(t Transport, topic string) error {
	if t, ok := t.(PermissionTransport); ok {
		return t.MayPublish(topic)
	}
	return nil
}

// EndpointConfig is what publishers and subscriptions have in common.
type EndpointConfig struct {
	// Node is the endpoint's node; it was added to the transport before.
	Node NodeName
	// Topic is the full name of the topic.
	Topic string
	// Type is the message's interface name and TypeHash its hash.
	Type, TypeHash string
	// QoS is offered by a writer and requested by a reader.
	QoS QoS
	// Grouped means that the endpoint's callbacks run in a [CallbackGroup].
	Grouped bool
	// OnMatch is called with the number of matched remote and local endpoints
	// whenever it changes. It may be nil.
	OnMatch func(matched int)
	// OnIncompatible is called when an endpoint with the same topic and type does not match because of QoS policies. It
	// may be nil.
	OnIncompatible func(remote EndpointInfo, policies QoSPolicy)
	// OnEvent is called for missed deadlines, liveliness and lost messages, if the transport supervises them. It may be
	// nil.
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
	// MaxSampleSize bounds the size of a message that the reader accepts, bytes. It defaults to the transport's limit.
	MaxSampleSize int
	// Loans requests samples with a [PayloadLoan], if the transport has them.
	Loans bool
}

// Sample is one received message in its encoded form.
type Sample struct {
	// Payload is the CDR form with its encapsulation header. It is valid only during the OnSample call, or while Loan
	// is retained.
	Payload []byte
	Info    MessageInfo
	// Loan is nil unless the payload is in memory that the transport lends.
	Loan PayloadLoan
}

// PayloadLoan keeps a payload valid. It is safe for concurrent use.
type PayloadLoan interface {
	// Retain keeps it valid after the OnSample call, until Release was called as often.
	Retain()
	Release()
}

// Writer is the transport's side of a publisher. It is safe for concurrent use.
type Writer interface {
	// Write sends the payload, CDR with its encapsulation header, and returns
	// without waiting for a reader. It does not keep the slice.
	Write(payload []byte) error
	// GID identifies the writer in the graph.
	GID() GID
	// Close removes the writer; no callback runs after it has returned.
	Close() error
}

// LendingWriter is a [Writer] that can lend the memory in which its readers find a message, so that a publisher encodes
// large messages in place.
type LendingWriter interface {
	Writer
	// Lend returns memory for a message of up to size bytes: an empty slice with that capacity, to be passed to
	// WriteLent once. It is nil if there is none: then the message is passed to Write.
	Lend(size int) (lent []byte)
	// WriteLent is Write for a payload that was appended to lent, which must not be used afterwards. A payload that has
	// grown beyond its capacity, and is elsewhere, is copied; without one nothing is sent.
	WriteLent(lent, payload []byte) error
}

// Reader is the transport's side of a subscription.
type Reader interface {
	// GID identifies the reader in the graph.
	GID() GID
	// Close removes the reader; no callback runs after it has returned.
	Close() error
}

// logInterval is the minimum time between two log lines of the same kind.
const logInterval = 10 * time.Second

// Exchange connects the shared publishers and the subscriptions of one transport, so that messages pass between them by
// pointer. A transport has one and returns it by implementing [ExchangeTransport]. The zero value is ready; it is safe
// for concurrent use.
type Exchange = inproc.Exchange

// ExchangeTransport is a [Transport] whose nodes pass shared messages by pointer.
type ExchangeTransport interface {
	Transport
	// Exchange returns the exchange of the transport's nodes.
	Exchange() *Exchange
}

// exchange returns the node's exchange, nil if its transport has none.
func (n *Node) exchange() *Exchange {
	if t, ok := n.transport.(ExchangeTransport); ok {
		return t.Exchange()
	}
	return nil
}

// CounterKind is the meaning of a counter.
type CounterKind uint8

// Kinds of counters.
const (
	// CountDone: normal activity, or current state.
	CountDone CounterKind = iota
	// CountDropped: data dropped, as happens on any network.
	CountDropped
	// CountRefused: data dropped that do not occur on a healthy network: malformed, forged, or above a peer's limit.
	CountRefused
	// CountCongested: data dropped because the network is slower than the senders.
	CountCongested
	// CountCrowded: nodes or endpoints ignored because there are more than a limit of the transport allows.
	CountCrowded
)

// Counter is one counter of a transport since its start.
type Counter struct {
	// Name describes the counter, as in "dropped: malformed". It does not change while the program runs.
	Name  string
	Kind  CounterKind
	Value uint64
}

// SecurityStatus is whether a transport is secured by keys, and what it has refused since its start.
type SecurityStatus struct {
	// Requested reports that security was requested, Active that messages are protected.
	Requested, Active bool
	// Enclave is the name of the keys.
	Enclave string
	// Authenticated is the number of programs that have proved who they are.
	Authenticated int
	// Programs, Endpoints and Messages count what was refused: programs without valid keys, topics and services for
	// which a program has no permission, and messages that are forged or not protected.
	Programs, Endpoints, Messages uint64
	// Last is the last refusal, with its reason; empty if there was none.
	Last string
}

// SecuredTransport is a [Transport] that can be secured by keys.
type SecuredTransport interface {
	Transport
	// Security returns whether it is, and what it has refused.
	Security() SecurityStatus
}

// CountingTransport is a [Transport] with counters.
type CountingTransport interface {
	Transport
	// Counters appends all counters to dst, in an order that does not change,
	// and returns it.
	Counters(dst []Counter) []Counter
}
