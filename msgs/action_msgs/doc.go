// SPDX-License-Identifier: Apache-2.0

// Package action_msgs holds what all actions have in common: the state of goals, and how they are cancelled.
package action_msgs
