// SPDX-License-Identifier: Apache-2.0

// Package test_msgs holds messages of every kind, for tests.
package test_msgs
