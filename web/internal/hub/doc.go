// SPDX-License-Identifier: Apache-2.0

// Package hub is what the protocols of package web have in common: one node's view of a ROS 2 network for many
// viewers. A topic is subscribed while some viewer wants it and no longer; messages are handed on in their encoded form
// and do not wait for a viewer (TestSlowViewerHoldsNobodyUp). It knows ROS and no protocol of browsers.
package hub
