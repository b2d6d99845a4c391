// SPDX-License-Identifier: Apache-2.0

package wire

// version is the version of the protocol. Messages of another one are rejected.
const version = 1

// Topics of an application: from the leader to its members, and from them to it.
const (
	FromLeader  = "leader"
	FromMembers = "members"
)

// Kind is the kind of a [Message].
type Kind string

// The messages of members, and those of the leader.
const (
	Hello Kind = "hello" // requests to join, with the endpoints; every 0.2 s until there is a welcome
	Alive Kind = "alive" // every second, and soon after an arrival from outside
	Done  Kind = "done"  // the grant of that number is completed
	Leave Kind = "leave" // the member ends

	Welcome Kind = "welcome" // the member has joined
	Grant   Kind = "grant"   // run the callbacks due at the tag; every 0.2 s until it is done
	Refuse  Kind = "refuse"  // the member is rejected
	End     Kind = "end"     // the run has ended
)

// Message is one message. Which fields it has depends on its kind.
type Message struct {
	Version int  `json:"version"`
	Kind    Kind `json:"kind"`
	// Member and Session identify the sender or receiver: a name, and an id of the process. In an end message for all
	// both are empty.
	Member  string `json:"member,omitempty"`
	Session string `json:"session,omitempty"`
	// Leader is the leader's session. A hello has none.
	Leader string `json:"leader,omitempty"`
	// Number counts the grants of a member from 1. In a member's messages it is that of the last completed one.
	Number int64 `json:"number,omitempty"`
	// At is the tag of a grant, and the current one in a welcome.
	At *Tag `json:"at,omitempty"`
	// Start is the clocks' time at the tag (0, 0), in a welcome: s and ns since 1970.
	Start *[2]int64 `json:"start,omitempty"`
	// Next is the tag of the member's next event; nil if there is none. Came is that of the next one caused from
	// outside without a message, such as the end of a cancelled call.
	Next *Tag `json:"next,omitempty"`
	Came *Tag `json:"came,omitempty"`
	// Hold, in a grant of a replay, means that of the events from outside only Deliveries and Admit run.
	Hold  bool   `json:"hold,omitempty"`
	Admit []Post `json:"admit,omitempty"`
	// Own means that the member's messages to itself are also delivered by the leader.
	Own bool `json:"own,omitempty"`
	// Endpoints are all endpoints of the member, in hello and alive; in done only if they have changed.
	Endpoints []Endpoint `json:"endpoints,omitempty"`
	// Deliveries are the messages to deliver with a grant, in order.
	Deliveries []Delivery `json:"deliveries,omitempty"`
	// Runs are the callbacks that ran, Sends the messages that they sent, both in order.
	Runs  []Run  `json:"runs,omitempty"`
	Sends []Send `json:"sends,omitempty"`
	// Held are the arrived messages not yet delivered.
	Held []Arrival `json:"held,omitempty"`
	// Waits describes what the process has been waiting for.
	Waits []string `json:"waits,omitempty"`
	// Text is the reason of a rejection.
	Text string `json:"text,omitempty"`
}

// Tag is a logical time: ns since the start, and the microstep.
type Tag [2]int64

// Role is the role of an [Endpoint].
type Role string

// The roles.
const (
	Publisher    Role = "publisher"
	Subscription Role = "subscription"
	Service      Role = "service"
	Client       Role = "client"
)

// Endpoint is a publisher, subscription, service or client.
type Endpoint struct {
	// ID is its number in its process, from 1, in order of creation.
	ID   int  `json:"id"`
	Role Role `json:"role"`
	// Name is the full name of the topic or service, Type that of the type, as in "std_msgs/msg/String".
	Name string `json:"name"`
	Type string `json:"type"`
	// Node is the full name of the receiving node; "" for publishers.
	Node string `json:"node,omitempty"`
	// Reliable and Kept (transient local) are the policies by which publishers and subscriptions match.
	Reliable bool `json:"reliable,omitempty"`
	Kept     bool `json:"kept,omitempty"`
	// Matched is the number of matched endpoints, including those of its own process.
	Matched int `json:"matched,omitempty"`
}

// SendKind is the kind of a sent message.
type SendKind string

// Kinds of sent messages.
const (
	OfTopic SendKind = "message"
	Request SendKind = "request"
	Reply   SendKind = "reply"
)

// Send is a message that a callback sent.
type Send struct {
	Kind SendKind `json:"kind"`
	Name string   `json:"name"`
	Sum  Sum      `json:"sum"`
	// From is the client of a request.
	From int `json:"from,omitempty"`
	// To is the number of the delivery that a reply answers.
	To int64 `json:"to,omitempty"`
}

// Delivery is a message to deliver.
type Delivery struct {
	// Number is unique in the run.
	Number int64 `json:"number"`
	// Endpoint is the receiving endpoint.
	Endpoint int  `json:"endpoint"`
	Sum      Sum  `json:"sum"`
	Outside  bool `json:"outside,omitempty"`
}

// Arrival describes arrived messages.
type Arrival struct {
	Endpoint int `json:"endpoint"`
	Sum      Sum `json:"sum"`
	Count    int `json:"count"`
}

// Run is an executed callback, as in a line of the record.
type Run struct {
	At Tag `json:"at"`
	// Node is its full name, Source what the callback belongs to: "timer", "subscription", "service" or "reply".
	Node    string `json:"node"`
	Source  string `json:"source"`
	Name    string `json:"name"`
	Outside bool   `json:"outside,omitempty"`
	// Got is the message from outside that caused it.
	Got  Sum    `json:"got,omitempty"`
	Sent []Sent `json:"sent,omitempty"`
}

// Post identifies a callback, as a [Run] does.
type Post struct {
	Node   string `json:"node"`
	Source string `json:"source"`
	Name   string `json:"name"`
}

// Sent is a message on a topic.
type Sent struct {
	Topic string `json:"topic"`
	Sum   Sum    `json:"sum"`
}
