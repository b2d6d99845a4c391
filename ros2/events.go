// SPDX-License-Identifier: Apache-2.0

package ros2

// EventKind is the kind of an endpoint event.
type EventKind uint8

// Kinds of [EndpointEvent].
const (
	// EventOfferedDeadlineMissed: a publisher published nothing within its deadline.
	EventOfferedDeadlineMissed EventKind = iota
	// EventRequestedDeadlineMissed: a subscription received nothing within its deadline.
	EventRequestedDeadlineMissed
	// EventLivelinessLost: a publisher did not assert its liveliness within its lease.
	EventLivelinessLost
	// EventLivelinessChanged: a publisher of the topic was matched or unmatched, or became alive or not alive.
	EventLivelinessChanged
	// EventMessageLost: messages will not be received.
	EventMessageLost

	numEventKinds
)

// EndpointEvent is an event of an endpoint, reported by a transport.
type EndpointEvent struct {
	Kind EventKind
	// Total is how often it happened, or how many messages were lost, and Change
	// how often or many since the last event.
	Total, Change int
	// Liveliness is set for EventLivelinessChanged.
	Liveliness LivelinessChangedInfo
	// Remote is the publisher concerned of EventLivelinessChanged and EventMessageLost: its GID, and all available data
	// if it became not alive.
	Remote EndpointInfo
}

// DeadlineMissedInfo reports that nothing was published, or received, within the deadline of the quality of service,
// once for each such period. It corresponds to rclcpp's QOSDeadlineOfferedInfo and QOSDeadlineRequestedInfo.
type DeadlineMissedInfo struct {
	// Total counts the times of the endpoint, Change those since the last event.
	Total, Change int
}

// LivelinessLostInfo reports that a publisher with [LivelinessManualByTopic] neither published nor asserted within its
// lease. It corresponds to rclcpp's QOSLivelinessLostInfo.
type LivelinessLostInfo struct {
	// Total counts the times, Change those since the last event.
	Total, Change int
}

// LivelinessChangedInfo reports that a publisher of the topic was matched or unmatched, or became alive or not alive.
// It corresponds to rclcpp's QOSLivelinessChangedInfo.
type LivelinessChangedInfo struct {
	// Alive and NotAlive are the current numbers of matched publishers of each kind.
	Alive, NotAlive int
	// AliveChange and NotAliveChange are the changes of these numbers.
	AliveChange, NotAliveChange int
}

// MessageLostInfo reports that messages will not be received: best effort lost them, or the publisher's history did not
// hold them long enough. It corresponds to rclcpp's QOSMessageLostInfo.
type MessageLostInfo struct {
	// Total counts the messages, Change those since the last event.
	Total, Change int
}

// IncompatibleQoSInfo reports that an endpoint with the same topic and type does not match. It corresponds to rclcpp's
// QOSOfferedIncompatibleQoSInfo and QOSRequestedIncompatibleQoSInfo.
type IncompatibleQoSInfo struct {
	// Total counts such endpoints, Change those since the last event.
	Total, Change int
	// Policies are the incompatible policies, and Remote is the endpoint.
	Policies QoSPolicy
	Remote   EndpointInfo
}

// eventHandlers are the event functions of an endpoint's owner; any may be nil.
type eventHandlers struct {
	deadline     func(DeadlineMissedInfo)
	lost         func(LivelinessLostInfo)
	liveliness   func(LivelinessChangedInfo)
	messages     func(MessageLostInfo)
	incompatible func(IncompatibleQoSInfo)
}

// OnOfferedDeadlineMissed calls f when nothing was published within the deadline that the publisher offers. f, like all
// functions of events, runs on a goroutine of the transport and must not block.
func OnOfferedDeadlineMissed(f func(DeadlineMissedInfo)) PublisherOption {
	return func(o *publisherOptions) { o.events.deadline = f }
}

// OnLivelinessLost calls f when the publisher's lease has expired.
func OnLivelinessLost(f func(LivelinessLostInfo)) PublisherOption {
	return func(o *publisherOptions) { o.events.lost = f }
}

// OnOfferedIncompatibleQoS calls f when a subscription does not match because of its quality of service.
func OnOfferedIncompatibleQoS(f func(IncompatibleQoSInfo)) PublisherOption {
	return func(o *publisherOptions) { o.events.incompatible = f }
}

// OnRequestedDeadlineMissed calls f when nothing was received within the deadline that the subscription requests.
func OnRequestedDeadlineMissed(f func(DeadlineMissedInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.deadline = f }
}

// OnLivelinessChanged calls f when publishers become alive or not alive.
func OnLivelinessChanged(f func(LivelinessChangedInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.liveliness = f }
}

// OnMessageLost calls f when messages are lost.
func OnMessageLost(f func(MessageLostInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.messages = f }
}

// OnRequestedIncompatibleQoS calls f when a publisher does not match because of its quality of service.
func OnRequestedIncompatibleQoS(f func(IncompatibleQoSInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.incompatible = f }
}
