// SPDX-License-Identifier: Apache-2.0

// Package hub is the common part of the protocols of package web: one node's view of a ROS 2 network, shared by many
// viewers. A topic is subscribed only while a viewer wants it; messages are forwarded in their encoded form, without
// waiting for viewers (TestSlowViewerDelaysNoOther). It does not depend on the browsers' protocols.
package hub
