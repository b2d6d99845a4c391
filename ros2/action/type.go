// SPDX-License-Identifier: Apache-2.0

package action

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/msgs/unique_identifier_msgs"
)

// Type names the three messages of an action. Generated actions, such as example_interfaces.Fibonacci{}, implement it;
// it holds no data, and its zero value must do.
type Type[G, R, F any] interface {
	// ROSType returns the interface name, as in "example_interfaces/action/Fibonacci".
	ROSType() string
	// New returns an empty goal, result and feedback.
	New() (goal *G, result *R, feedback *F)
}

// ID is the identity of a goal, chosen at random by the client.
type ID = unique_identifier_msgs.UUID

// Errors of servers, clients and handlers.
var (
	// ErrCanceled ends a goal that a client asked to end early: the cause of the handler's context, what the handler
	// returns, and what the client gets.
	ErrCanceled = errors.New("the goal was canceled")
	// ErrAborted is what the client gets when the server gave the goal up.
	ErrAborted = errors.New("the goal was aborted")
	// ErrRejected is what the client gets when the server does not take the goal, or does not end it early.
	ErrRejected = errors.New("rejected by the server")
	// ErrUnknownGoal is what the client gets when the server does not know the goal (any more).
	ErrUnknownGoal = errors.New("the server does not know the goal")
	// ErrEnded is what the client gets when a goal that it cancels has ended already, or is about to.
	ErrEnded = errors.New("the goal has ended already, or is about to")
	// ErrReplaced is the cause of the handler's context when a later goal took the place of its goal.
	ErrReplaced = errors.New("a later goal took its place")
)
