// SPDX-License-Identifier: Apache-2.0

package action

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
)

// Status is the state of a goal.
type Status int8

// The states of a goal, as action_msgs/msg/GoalStatus numbers them.
const (
	Unknown   Status = Status(action_msgs.GoalStatusStatusUnknown)
	Accepted  Status = Status(action_msgs.GoalStatusStatusAccepted)
	Executing Status = Status(action_msgs.GoalStatusStatusExecuting)
	Canceling Status = Status(action_msgs.GoalStatusStatusCanceling)
	Succeeded Status = Status(action_msgs.GoalStatusStatusSucceeded)
	Canceled  Status = Status(action_msgs.GoalStatusStatusCanceled)
	Aborted   Status = Status(action_msgs.GoalStatusStatusAborted)
)

// Ended reports whether the state is terminal.
func (s Status) Ended() bool { return s >= Succeeded && s <= Aborted }

// String returns ROS's name of the state, as in "EXECUTING".
func (s Status) String() string {
	names := [...]string{"UNKNOWN", "ACCEPTED", "EXECUTING", "CANCELING", "SUCCEEDED", "CANCELED", "ABORTED"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int8(s))
	}
	return names[s]
}

// outcome returns the error of a terminal state for the client, nil if the goal succeeded.
func (s Status) outcome() error {
	switch s {
	case Succeeded:
		return nil
	case Canceled:
		return ErrCanceled
	case Unknown:
		return ErrUnknownGoal
	}
	return ErrAborted
}
