// SPDX-License-Identifier: Apache-2.0

// Package unique_identifier_msgs holds the identity of things that are not named.
package unique_identifier_msgs
