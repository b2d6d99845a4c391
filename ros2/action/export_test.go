// SPDX-License-Identifier: Apache-2.0

package action

// Types for external tests that send requests to a server directly.
type (
	FibSend          = fibSend
	FibAccepted      = fibAccepted
	FibAsk           = fibAsk
	FibEnd           = fibEnd
	FibFeedback      = fibFeedback
	FibGoalService   = goalService[fib, fibGoal, *fibGoal]
	FibResultService = resultService[fib, fibResult, *fibResult]
)

// MaxWaiting is how many requests for one result wait.
const MaxWaiting = maxWaiting
