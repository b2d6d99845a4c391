// SPDX-License-Identifier: Apache-2.0

// Package unique_identifier_msgs has the UUID.
package unique_identifier_msgs
