// SPDX-License-Identifier: Apache-2.0

// Package inproc passes messages by pointer between the publishers and subscriptions of one process, without encoding,
// copying or a goroutine in between.
//
// A transport owns an [Exchange]. It links a [Publisher] and a [Subscriber] of the same topic, Go type and compatible
// quality of service; from then on Publish calls the subscriber's callback. One goroutine at a time calls the
// subscriptions of a topic: the first that publishes; others queue their messages for it. So no publisher waits for a
// callback, and a callback may publish to its own topic.
//
// Concurrent subscriptions are called by each goroutine that publishes, at the same time: it takes no lock, and writes
// no cache line that others write, but for the running number of a message of the same publisher if a subscription
// needs it. Closing one waits until the callbacks that may still see it have returned.
//
// The protocols of a topic's dispatcher and of recipients that are replaced during publication are modelled in
// testdata/*.pml. TestModels searches all orders of their steps; a change of a protocol changes its model.
//
// Only package ros2 uses it, for its SharedPublisher and Subscription, which also use the transport for remote
// endpoints. Programs use these.
package inproc
