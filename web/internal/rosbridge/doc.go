// SPDX-License-Identifier: Apache-2.0

// Package rosbridge implements rosbridge v2 for a hub, so that programs written with roslib run without a ROS PC:
// topics, services and actions, used and offered; fragments, PNG, CBOR; status levels; and the queries of rosapi.
// docs/reference/rosbridge.md lists every operation.
//
// Source: the protocol's specification (RobotWebTools/rosbridge_suite, ROSBRIDGE_PROTOCOL.md) and rosapi's services.
package rosbridge

import "errors"

var (
	// ErrMessage is matched when a client's message violates the protocol.
	ErrMessage = errors.New("rosbridge: bad message")
	// ErrRights is matched when a client without the right to drive requests a change.
	ErrRights = errors.New("rosbridge: this token is read-only")
)

// Limits of a client.
const (
	maxTopics = 200
	maxCalls  = 32
	maxQueue  = 1000
	maxID     = 1000 // bytes
)
