// SPDX-License-Identifier: Apache-2.0

// Package action_msgs has the interfaces that all actions share: the states of goals, and their cancellation.
package action_msgs
