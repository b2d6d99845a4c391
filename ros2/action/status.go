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

// Ended tells whether nothing changes any more.
func (s Status) Ended() bool { return s >= Succeeded && s <= Aborted }

// String returns the name that ROS has for the state, as in "EXECUTING".
func (s Status) String() string {
	names := [...]string{"UNKNOWN", "ACCEPTED", "EXECUTING", "CANCELING", "SUCCEEDED", "CANCELED", "ABORTED"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int8(s))
	}
	return names[s]
}

// outcome is what the end of a goal means to its client.
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
