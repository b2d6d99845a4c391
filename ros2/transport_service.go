// SPDX-License-Identifier: Apache-2.0

package ros2

// ServiceTransport is a [Transport] that also supports services.
type ServiceTransport interface {
	Transport
	// NewServer creates the server of a service, NewRequester a client.
	NewServer(cfg ServerConfig) (Server, error)
	NewRequester(cfg ClientConfig) (Requester, error)
}

// ServiceConfig is what servers and clients of a service have in common.
type ServiceConfig struct {
	// Node is the endpoint's node; it was added to the transport before.
	Node NodeName
	// Name is the full name of the service.
	Name string
	// Type is the service's interface name, as in "std_srvs/srv/Trigger".
	Type string
	// RequestHash and ResponseHash are the type hashes of the two messages.
	RequestHash, ResponseHash string
	// QoS applies to requests and replies.
	QoS QoS
	// Grouped means that requests, or replies, are handled in a [CallbackGroup].
	Grouped bool
}

// ServerConfig describes a [Server].
type ServerConfig struct {
	ServiceConfig
	// OnRequest is called with each request.
	OnRequest func(Request)
	// MaxRequestSize bounds the size of an accepted request, bytes. It defaults to the transport's limit.
	MaxRequestSize int
}

// Request is one received request in its encoded form.
type Request struct {
	// Payload is the CDR form with its encapsulation header. It is valid only during the OnRequest call.
	Payload []byte
	Info    MessageInfo
	// Respond sends the reply, CDR with its encapsulation header, to the calling client only. It may be called once, at
	// any time before the server closes, on any goroutine; it does not keep the slice.
	Respond func(payload []byte) error
}

// Server is the transport's side of a [Service].
type Server interface {
	// GID identifies the server in the graph.
	GID() GID
	// Close removes the server; no callback runs after it has returned.
	Close() error
}

// ClientConfig describes a [Requester].
type ClientConfig struct {
	ServiceConfig
	// OnReply is called with each reply to one of the client's requests, with the number passed to Send. With several
	// servers there may be more than one per request.
	OnReply func(sequence int64, reply Sample)
	// OnAvailable is called when the first server appears and when the last one
	// leaves.
	OnAvailable func(available bool)
	// MaxReplySize bounds the size of an accepted reply, bytes. It defaults to the transport's limit.
	MaxReplySize int
}

// Requester is the transport's side of a [Client]. It is safe for concurrent use.
type Requester interface {
	// Available reports whether some server would receive a request, and this client its reply.
	Available() bool
	// Send sends a request to the available servers, or returns [ErrNoServer]. The caller passes a unique number with
	// each request. It does not keep the slice.
	Send(sequence int64, payload []byte) error
	// GID identifies the client in the graph.
	GID() GID
	// Close removes the client; no callback runs after it has returned.
	Close() error
}
