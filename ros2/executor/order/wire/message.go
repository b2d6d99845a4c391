// SPDX-License-Identifier: Apache-2.0

package wire

// Version is the version of the protocol. Messages of another one are refused.
const Version = 1

// Topics of an application: what the leader says to its members, and what they say to it.
const (
	FromLeader  = "leader"
	FromMembers = "members"
)

// Kind is what a [Message] is.
type Kind string

// The messages of members, and those of the leader.
const (
	Hello Kind = "hello" // I am there, with these endpoints; each 0.2 s until there is a welcome
	Alive Kind = "alive" // each second, and soon after something came from outside
	Done  Kind = "done"  // the grant of that number has been run
	Leave Kind = "leave" // I go

	Welcome Kind = "welcome" // you take part
	Grant   Kind = "grant"   // run what is due at that tag; each 0.2 s until it is done
	Refuse  Kind = "refuse"  // you can't take part
	End     Kind = "end"     // the run is over
)

// Message is one message. Which fields it has depends on its kind.
type Message struct {
	Version int  `json:"version"`
	Kind    Kind `json:"kind"`
	// Member and Session are whom it is from or for: a name, and what tells a process from the one before it. In the
	// end of a run both are empty where it is for all.
	Member  string `json:"member,omitempty"`
	Session string `json:"session,omitempty"`
	// Leader is the leader's session. A hello has none.
	Leader string `json:"leader,omitempty"`
	// Number counts the grants of a member from 1. Of its own messages: the last one that it has run.
	Number int64 `json:"number,omitempty"`
	// At is the tag of a grant, and the present one of a welcome.
	At *Tag `json:"at,omitempty"`
	// Start is what clocks show at the tag (0, 0), of a welcome: s and ns since 1970.
	Start *[2]int64 `json:"start,omitempty"`
	// Next is when the member has something to do by itself; nil: not at all. Came is when something from outside that
	// is no message: the end of a call that is given up, say.
	Next *Tag `json:"next,omitempty"`
	Came *Tag `json:"came,omitempty"`
	// Hold, of a grant in a replay, says that of what came from outside only Deliveries and Admit run.
	Hold  bool   `json:"hold,omitempty"`
	Admit []Post `json:"admit,omitempty"`
	// Own says that what the member sends to itself travels as that for others does.
	Own bool `json:"own,omitempty"`
	// Endpoints is all that the member has, in a hello and each alive; in done if it has changed.
	Endpoints []Endpoint `json:"endpoints,omitempty"`
	// Deliveries are the messages that a grant lets arrive, in their order.
	Deliveries []Delivery `json:"deliveries,omitempty"`
	// Runs are the callbacks that ran, Sends what they sent, both in their order.
	Runs  []Run  `json:"runs,omitempty"`
	Sends []Send `json:"sends,omitempty"`
	// Held is what has come and was not delivered yet.
	Held []Arrival `json:"held,omitempty"`
	// Waits is what takes long, in words.
	Waits []string `json:"waits,omitempty"`
	// Text is the reason of a refusal.
	Text string `json:"text,omitempty"`
}

// Tag is a logical time: ns since the start, and the microstep.
type Tag [2]int64

// Role is what an [Endpoint] is.
type Role string

// The roles.
const (
	Publisher    Role = "publisher"
	Subscription Role = "subscription"
	Service      Role = "service"
	Client       Role = "client"
)

// Endpoint is where messages leave or arrive.
type Endpoint struct {
	// ID is its number in its process, from 1, in the order in which the endpoints were made.
	ID   int  `json:"id"`
	Role Role `json:"role"`
	// Name is the full name of the topic or service, Type that of the type, as in "std_msgs/msg/String".
	Name string `json:"name"`
	Type string `json:"type"`
	// Node is the full name of the node whose callback gets what arrives; "" for publishers.
	Node string `json:"node,omitempty"`
	// Reliable and Kept (transient local) are the policies by which publishers and subscriptions match.
	Reliable bool `json:"reliable,omitempty"`
	Kept     bool `json:"kept,omitempty"`
	// Matched is how many endpoints it is connected with, those of its own process included.
	Matched int `json:"matched,omitempty"`
}

// SendKind is what was sent.
type SendKind string

// What can be sent.
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

// Delivery lets a message arrive.
type Delivery struct {
	// Number tells it from all others of the run.
	Number int64 `json:"number"`
	// Endpoint is where.
	Endpoint int  `json:"endpoint"`
	Sum      Sum  `json:"sum"`
	Outside  bool `json:"outside,omitempty"`
}

// Arrival is messages that have come.
type Arrival struct {
	Endpoint int `json:"endpoint"`
	Sum      Sum `json:"sum"`
	Count    int `json:"count"`
}

// Run is a callback that ran, as a line of the record has it.
type Run struct {
	At Tag `json:"at"`
	// Node is its full name, Source what the callback belongs to: "timer", "subscription", "service" or "reply".
	Node    string `json:"node"`
	Source  string `json:"source"`
	Name    string `json:"name"`
	Outside bool   `json:"outside,omitempty"`
	// Got is the message from outside that it was called for.
	Got  Sum    `json:"got,omitempty"`
	Sent []Sent `json:"sent,omitempty"`
}

// Post names a callback, as a [Run] does.
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
