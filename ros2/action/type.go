// SPDX-License-Identifier: Apache-2.0

package action

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/msgs/unique_identifier_msgs"
)

// Type names the three messages of an action. Generated actions, such as example_interfaces.Fibonacci{}, implement it;
// it has no data, and its zero value must be usable.
type Type[G, R, F any] interface {
	// ROSType returns the interface name, as in "example_interfaces/action/Fibonacci".
	ROSType() string
	// New returns an empty goal, result and feedback.
	New() (goal *G, result *R, feedback *F)
}

// ID is the UUID of a goal, chosen at random by the client.
type ID = unique_identifier_msgs.UUID

// Errors of servers, clients and handlers.
var (
	// ErrCanceled means that a client canceled the goal: the cause of the handler's context, the handler's error, and
	// the client's error.
	ErrCanceled = errors.New("the goal was canceled")
	// ErrAborted is the client's error if the server aborted the goal.
	ErrAborted = errors.New("the goal was aborted")
	// ErrRejected is the client's error if the server rejected the goal or the cancel request.
	ErrRejected = errors.New("rejected by the server")
	// ErrUnknownGoal is the client's error if the server does not have the goal, or not any more.
	ErrUnknownGoal = errors.New("the server does not know the goal")
	// ErrEnded is the client's error if a goal that it cancels has ended already, or is about to.
	ErrEnded = errors.New("the goal has ended already, or is about to")
	// ErrReplaced is the cause of the handler's context if a later goal replaces its goal.
	ErrReplaced = errors.New("replaced by a later goal")
)
