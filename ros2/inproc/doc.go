// SPDX-License-Identifier: Apache-2.0

// Package inproc passes messages by pointer between the publishers and subscriptions of one process, without encoding,
// copying or a goroutine in between.
//
// A transport owns an [Exchange]. A [Publisher] and a [Subscriber] of the same topic, Go type and suitable quality of
// service meet there, and from then on Publish calls the subscriber's callback. One goroutine at a time calls the
// subscriptions of a topic: the first that publishes; others leave their messages to it. So no publisher waits for a
// callback, and a callback may publish to its own topic.
//
// Package ros2 is the one user: its SharedPublisher and its Subscription hold the two ends, and send to everyone else
// by the transport. Programs use those.
package inproc
