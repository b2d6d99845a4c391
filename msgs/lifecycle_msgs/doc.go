// SPDX-License-Identifier: Apache-2.0

// Package lifecycle_msgs has the interfaces of managed nodes: their states and the transitions between them.
package lifecycle_msgs
