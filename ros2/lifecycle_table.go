// SPDX-License-Identifier: Apache-2.0

package ros2

import "github.com/epuck-ros2/epuck-driver/msgs/lifecycle_msgs"

// LifecycleState is a state of a managed node, numbered as in
// lifecycle_msgs/msg/State.
type LifecycleState uint8

// The primary states and the transition states.
const (
	Unconfigured    LifecycleState = LifecycleState(lifecycle_msgs.StatePrimaryStateUnconfigured)
	Inactive        LifecycleState = LifecycleState(lifecycle_msgs.StatePrimaryStateInactive)
	Active          LifecycleState = LifecycleState(lifecycle_msgs.StatePrimaryStateActive)
	Finalized       LifecycleState = LifecycleState(lifecycle_msgs.StatePrimaryStateFinalized)
	Configuring     LifecycleState = LifecycleState(lifecycle_msgs.StateTransitionStateConfiguring)
	CleaningUp      LifecycleState = LifecycleState(lifecycle_msgs.StateTransitionStateCleaningup)
	ShuttingDown    LifecycleState = LifecycleState(lifecycle_msgs.StateTransitionStateShuttingdown)
	Activating      LifecycleState = LifecycleState(lifecycle_msgs.StateTransitionStateActivating)
	Deactivating    LifecycleState = LifecycleState(lifecycle_msgs.StateTransitionStateDeactivating)
	ErrorProcessing LifecycleState = LifecycleState(lifecycle_msgs.StateTransitionStateErrorprocessing)
)

// lifecycleStates are all states with the labels that tools print.
func lifecycleStates() []lifecycle_msgs.State {
	return []lifecycle_msgs.State{
		{ID: lifecycle_msgs.StatePrimaryStateUnknown, Label: "unknown"},
		Unconfigured.message(), Inactive.message(), Active.message(), Finalized.message(), Configuring.message(),
		CleaningUp.message(), ShuttingDown.message(), Activating.message(), Deactivating.message(), ErrorProcessing.message(),
	}
}

// String returns the state's label, as in "unconfigured".
func (s LifecycleState) String() string {
	if s < Configuring {
		return pick(int(s), "unknown", "unconfigured", "inactive", "active", "finalized")
	}
	return pick(int(s-Configuring), "configuring", "cleaningup", "shuttingdown", "activating", "deactivating", "errorprocessing")
}

func (s LifecycleState) message() lifecycle_msgs.State {
	return lifecycle_msgs.State{ID: uint8(s), Label: s.String()}
}

// lifecycleStep is one edge of the state machine.
type lifecycleStep struct {
	id          uint8
	label       string
	start, goal LifecycleState
}

// Labels of the steps that end a transition.
const (
	stepSuccess = "transition_success"
	stepFailure = "transition_failure"
	stepError   = "transition_error"
)

// lifecycleSteps is the state machine of rcl_lifecycle: the transitions that can be requested, and their possible
// outcomes.
func lifecycleSteps() []lifecycleStep {
	const shutdown = "shutdown"
	return []lifecycleStep{
		{lifecycle_msgs.TransitionConfigure, "configure", Unconfigured, Configuring},
		{lifecycle_msgs.TransitionOnConfigureSuccess, stepSuccess, Configuring, Inactive},
		{lifecycle_msgs.TransitionOnConfigureFailure, stepFailure, Configuring, Unconfigured},
		{lifecycle_msgs.TransitionOnConfigureError, stepError, Configuring, ErrorProcessing},
		{lifecycle_msgs.TransitionCleanup, "cleanup", Inactive, CleaningUp},
		{lifecycle_msgs.TransitionOnCleanupSuccess, stepSuccess, CleaningUp, Unconfigured},
		{lifecycle_msgs.TransitionOnCleanupFailure, stepFailure, CleaningUp, Inactive},
		{lifecycle_msgs.TransitionOnCleanupError, stepError, CleaningUp, ErrorProcessing},
		{lifecycle_msgs.TransitionActivate, "activate", Inactive, Activating},
		{lifecycle_msgs.TransitionOnActivateSuccess, stepSuccess, Activating, Active},
		{lifecycle_msgs.TransitionOnActivateFailure, stepFailure, Activating, Inactive},
		{lifecycle_msgs.TransitionOnActivateError, stepError, Activating, ErrorProcessing},
		{lifecycle_msgs.TransitionDeactivate, "deactivate", Active, Deactivating},
		{lifecycle_msgs.TransitionOnDeactivateSuccess, stepSuccess, Deactivating, Inactive},
		{lifecycle_msgs.TransitionOnDeactivateFailure, stepFailure, Deactivating, Active},
		{lifecycle_msgs.TransitionOnDeactivateError, stepError, Deactivating, ErrorProcessing},
		{lifecycle_msgs.TransitionUnconfiguredShutdown, shutdown, Unconfigured, ShuttingDown},
		{lifecycle_msgs.TransitionInactiveShutdown, shutdown, Inactive, ShuttingDown},
		{lifecycle_msgs.TransitionActiveShutdown, shutdown, Active, ShuttingDown},
		{lifecycle_msgs.TransitionOnShutdownSuccess, stepSuccess, ShuttingDown, Finalized},
		{lifecycle_msgs.TransitionOnShutdownFailure, stepFailure, ShuttingDown, Finalized},
		{lifecycle_msgs.TransitionOnShutdownError, stepError, ShuttingDown, ErrorProcessing},
		{lifecycle_msgs.TransitionOnErrorSuccess, stepSuccess, ErrorProcessing, Unconfigured},
		{lifecycle_msgs.TransitionOnErrorFailure, stepFailure, ErrorProcessing, Finalized},
		{lifecycle_msgs.TransitionOnErrorError, stepError, ErrorProcessing, Finalized},
	}
}

// step finds the step from a state by its label or, if that is empty, its id.
func (s LifecycleState) step(label string, id uint8) (lifecycleStep, bool) {
	for _, step := range lifecycleSteps() {
		if step.start == s && (step.label == label || label == "" && step.id == id) {
			return step, true
		}
	}
	return lifecycleStep{}, false
}

func (t lifecycleStep) message() lifecycle_msgs.Transition {
	return lifecycle_msgs.Transition{ID: t.id, Label: t.label}
}

func (t lifecycleStep) description() lifecycle_msgs.TransitionDescription {
	return lifecycle_msgs.TransitionDescription{Transition: t.message(), StartState: t.start.message(), GoalState: t.goal.message()}
}
