// SPDX-License-Identifier: Apache-2.0

package ros2

// EventKind tells what a transport found out about an endpoint.
type EventKind uint8

// Kinds of [EndpointEvent].
const (
	// EventOfferedDeadlineMissed: a publisher published nothing for its deadline.
	EventOfferedDeadlineMissed EventKind = iota
	// EventRequestedDeadlineMissed: a subscription got nothing for its deadline.
	EventRequestedDeadlineMissed
	// EventLivelinessLost: a publisher did not assert its liveliness for its lease.
	EventLivelinessLost
	// EventLivelinessChanged: a publisher of the topic came, went, fell silent or
	// was heard again.
	EventLivelinessChanged
	// EventMessageLost: messages will never come.
	EventMessageLost

	numEventKinds
)

// EndpointEvent is what a transport tells of an endpoint in the course of time.
type EndpointEvent struct {
	Kind EventKind
	// Total is how often it happened, or how many messages were lost, and Change
	// how often or many since the last event.
	Total, Change int
	// Liveliness is set for EventLivelinessChanged.
	Liveliness LivelinessChangedInfo
	// Remote is the publisher concerned of EventLivelinessChanged and
	// EventMessageLost: its GID, and all that is known of one that fell silent.
	Remote EndpointInfo
}

// DeadlineMissedInfo is told when nothing was published, or nothing came, for the
// deadline of the quality of service. It is told again for each further such
// time. rclcpp's QOSDeadlineOfferedInfo and QOSDeadlineRequestedInfo.
type DeadlineMissedInfo struct {
	// Total counts the times of the endpoint, Change those since the last event.
	Total, Change int
}

// LivelinessLostInfo is told when a publisher with [LivelinessManualByTopic] neither
// published nor asserted for its lease. rclcpp's QOSLivelinessLostInfo.
type LivelinessLostInfo struct {
	// Total counts the times, Change those since the last event.
	Total, Change int
}

// LivelinessChangedInfo is told when a publisher of the topic comes, goes, is silent
// for its lease or is heard again. rclcpp's QOSLivelinessChangedInfo.
type LivelinessChangedInfo struct {
	// Alive and NotAlive count the matched publishers of each kind now.
	Alive, NotAlive int
	// AliveChange and NotAliveChange are what changed.
	AliveChange, NotAliveChange int
}

// MessageLostInfo is told when messages will not come any more: best effort lost them, or
// the publisher's history did not hold them long enough. rclcpp's
// QOSMessageLostInfo.
type MessageLostInfo struct {
	// Total counts the messages, Change those since the last event.
	Total, Change int
}

// IncompatibleQoSInfo is told when an endpoint with the same topic and type does
// not match. rclcpp's QOSOfferedIncompatibleQoSInfo and
// QOSRequestedIncompatibleQoSInfo.
type IncompatibleQoSInfo struct {
	// Total counts such endpoints, Change those since the last event.
	Total, Change int
	// Policies do not agree, and Remote is whom they keep away.
	Policies QoSPolicy
	Remote   EndpointInfo
}

// eventHandlers are the functions an endpoint's owner wants called; any may be nil.
type eventHandlers struct {
	deadline     func(DeadlineMissedInfo)
	lost         func(LivelinessLostInfo)
	liveliness   func(LivelinessChangedInfo)
	messages     func(MessageLostInfo)
	incompatible func(IncompatibleQoSInfo)
}

// OnOfferedDeadlineMissed calls f when nothing was published for the deadline that
// the publisher offers. f, like all functions of events, runs on a goroutine of
// the transport and must not block.
func OnOfferedDeadlineMissed(f func(DeadlineMissedInfo)) PublisherOption {
	return func(o *publisherOptions) { o.events.deadline = f }
}

// OnLivelinessLost calls f when the publisher's lease has run out.
func OnLivelinessLost(f func(LivelinessLostInfo)) PublisherOption {
	return func(o *publisherOptions) { o.events.lost = f }
}

// OnOfferedIncompatibleQoS calls f when a subscription does not match for its
// quality of service.
func OnOfferedIncompatibleQoS(f func(IncompatibleQoSInfo)) PublisherOption {
	return func(o *publisherOptions) { o.events.incompatible = f }
}

// OnRequestedDeadlineMissed calls f when nothing came for the deadline that the
// subscription requests.
func OnRequestedDeadlineMissed(f func(DeadlineMissedInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.deadline = f }
}

// OnLivelinessChanged calls f when publishers become alive or cease to be.
func OnLivelinessChanged(f func(LivelinessChangedInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.liveliness = f }
}

// OnMessageLost calls f when messages will not come any more.
func OnMessageLost(f func(MessageLostInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.messages = f }
}

// OnRequestedIncompatibleQoS calls f when a publisher does not match for its quality
// of service.
func OnRequestedIncompatibleQoS(f func(IncompatibleQoSInfo)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.events.incompatible = f }
}
